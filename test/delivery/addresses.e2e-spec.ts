import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { createWorkflow, email, notificationOf, smtpIntegration, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const LISTS = [
  'ann@example.com, evil@example.com',
  'ann@example.com;evil@example.com',
  'group: ann@example.com, evil@example.com;',
  'ann@example.com\r\nRCPT TO:<evil@example.com>',
  'ann@example.com <evil@example.com>, x@example.com',
];

const chatOf = (webhookUrl: string): Record<string, unknown> => ({
  to: { subscriberId: 'ann', channels: [{ providerId: 'discord', credentials: { webhookUrl } }] },
});

describe('addresses that could be several', () => {
  let catcher: SmtpCatcher;
  let recipients: string[] = [];
  let identifier = '';

  beforeAll(async () => {
    catcher = await startSmtpCatcher({
      onRcptTo: ({ address }, _session, done) => {
        recipients.push(address);
        done();
      },
      authOptional: true,
      onAuth: ({ username }, _session, done) => done(null, { user: username }),
    });
  });
  const delivery = useDelivery();
  const session = useSession(delivery);
  beforeEach(async () => {
    recipients = [];
    catcher.mails.splice(0);
    await smtpIntegration(session, catcher.port);
    ({ identifier } = await createWorkflow(session, [email('Hi', '<p>Hello</p>')]));
  });
  afterAll(() => catcher.close());

  const send = async (more: Record<string, unknown>): Promise<string> => {
    const to = { subscriberId: 'ann', email: 'ann@example.com', phone: '+15550111' };
    const id = await trigger(session, { name: identifier, to, ...more });
    await delivery.drain();
    return id;
  };
  const refusal = async (more: Record<string, unknown>): Promise<string> => {
    const to = { subscriberId: 'ann', email: 'ann@example.com', phone: '+15550111' };
    const { body } = await session.post('/v1/events/trigger', { name: identifier, to, ...more }).expect(400);
    return JSON.stringify((body as { message: unknown }).message);
  };
  const outcome = async (id: string): Promise<{ status: string | undefined; text: string }> => {
    const { jobs } = await notificationOf(session, id);
    return { status: jobs[0]?.status, text: JSON.stringify(jobs) };
  };

  it.each([...LISTS, 'nobody', 'ann@example..com'])('should be refused in the payload: %j', async (address) => {
    expect(await refusal({ payload: { email: address } })).toContain('payload.email must be one email address');
  });

  it("should be nobody's business in a payload that no step reads as an address", async () => {
    ({ identifier } = await createWorkflow(session, [{ template: { type: 'in_app', content: 'Hi' } }]));
    const payload = { email: 'none', phone: 'none', webhookUrl: 'none' };
    expect((await outcome(await send({ payload }))).status).toBe('completed');
  });

  describe.each(['to', 'cc', 'bcc', 'replyTo', 'from', 'toRecipient'])('in overrides.email.%s', (key) => {
    const isList = ['to', 'cc', 'bcc'].includes(key);
    it.each([...LISTS, 'nobody', 'ann@example..com', { name: 'Ann', address: 'ann@example.com' }, 1])(
      'should be refused: %j',
      async (address) => {
        const value = isList ? [address] : address;
        const path = `overrides.email.${key}${isList ? '.0' : ''}`;
        expect(await refusal({ overrides: { email: { [key]: value } } })).toContain(
          `${path} must be one email address`,
        );
      },
    );
  });

  it.each([
    ['nodemailer.bcc.0', { nodemailer: { bcc: [LISTS[0]] } }],
    ['nodemailer.cc', { nodemailer: { cc: LISTS[0] } }],
    ['sendgrid.replyTo', { sendgrid: { replyTo: ['ann@example.com', 'bob@example.com'] } }],
    ['sms.to', { sms: { to: 'nobody' } }],
    ['twilio.to', { twilio: { to: '+15550111;+15550122' } }],
  ])('should be refused in overrides.%s', async (path, overrides) => {
    expect(await refusal({ overrides })).toContain(`overrides.${path} must be one`);
  });

  it.each([
    ['to.email', { to: { subscriberId: 'ann', email: '"a b"@example.com' } }],
    ['to.phone', { to: { subscriberId: 'ann', phone: 'nobody' } }],
    ['to.channels.0.credentials.webhookUrl', chatOf('discord.com/api/webhooks/1/x')],
    ['to.channels.0.credentials.webhookUrl', chatOf('https://discord.com/api/web hooks')],
  ])('should be refused in %s', async (path, more) => {
    expect(await refusal(more)).toContain(`${path} must be`);
  });

  it('should let several through where they are a list', async () => {
    await send({ overrides: { email: { to: ['bob@example.com', 'Carl <carl@example.com>'] } } });
    expect(recipients).toEqual(['ann@example.com', 'bob@example.com', 'carl@example.com']);
  });

  it('should read a sender with a name', async () => {
    await send({ overrides: { email: { from: '"Shop, Berlin" <shop@example.com>' } } });
    expect(catcher.mails[0]?.from?.value).toEqual([{ address: 'shop@example.com', name: 'Shop, Berlin' }]);
  });

  it.each([
    [{ payload: { phone: '+15550111,+15550122' } }],
    [{ payload: { phone: '+15550111 +15550122' } }],
    [{ payload: { phone: '15550111<15550122' } }],
    [{ overrides: { sms: { to: '+15550111;+15550122' } } }],
    [{ overrides: { sms: { to: '+15550111\n+15550122' } } }],
  ])('should not be texted: %j', async (more) => {
    ({ identifier } = await createWorkflow(session, [{ template: { type: 'sms', content: 'Hello' } }]));
    expect(await refusal(more)).toContain('must be one phone number');
  });
});
