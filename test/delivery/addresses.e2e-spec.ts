import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { createWorkflow, email, notificationOf, smtpIntegration, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';

const LISTS = [
  'ann@example.com, evil@example.com',
  'ann@example.com;evil@example.com',
  'group: ann@example.com, evil@example.com;',
  'ann@example.com\r\nRCPT TO:<evil@example.com>',
  'ann@example.com <evil@example.com>, x@example.com',
];

describe('addresses that could be several', () => {
  let catcher: SmtpCatcher;
  const sink = useProviderSink();
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
  const delivery = useDeliveryApi('addresses', () => ({ PROVIDER_BASE_URLS: `twilio=${sink.url}` }));
  const session = useSession(delivery.api);
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
  const outcome = async (id: string): Promise<{ status: string | undefined; text: string }> => {
    const { jobs } = await notificationOf(session, id);
    return { status: jobs[0]?.status, text: JSON.stringify(jobs) };
  };

  it.each(LISTS)('should not be mailed from the payload: %j', async (address) => {
    const { status, text } = await outcome(await send({ payload: { email: address } }));
    expect(recipients).toEqual([]);
    expect(status).toBe('failed');
    expect(text).toContain('is not one email address');
  });

  describe.each(['to', 'cc', 'bcc', 'replyTo', 'from', 'toRecipient'])('in overrides.email.%s', (key) => {
    it.each(LISTS)('should fail the step: %j', async (address) => {
      const value = ['to', 'cc', 'bcc'].includes(key) ? [address] : address;
      const { status, text } = await outcome(await send({ overrides: { email: { [key]: value } } }));
      expect(recipients).toEqual([]);
      expect(catcher.mails).toHaveLength(0);
      expect(status).toBe('failed');
      expect(text).toContain(`overrides.email.${key}`);
      expect(text).toContain('not one email address');
    });
  });

  it('should fail the step in the overrides of a provider, too', async () => {
    const { text } = await outcome(await send({ overrides: { nodemailer: { bcc: [LISTS[0]] } } }));
    expect(recipients).toEqual([]);
    expect(text).toContain('overrides.email.bcc');
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
    const credentials = { accountSid: 'AC1', token: 'secret-token', from: '+15550100' };
    await session
      .post('/v1/integrations', { providerId: 'twilio', channel: 'sms', active: true, check: false, credentials })
      .expect(201);
    ({ identifier } = await createWorkflow(session, [{ template: { type: 'sms', content: 'Hello' } }]));
    sink.answer = json(201, { sid: 'SM1' });
    const { status, text } = await outcome(await send(more));
    expect(sink.requests).toHaveLength(0);
    expect(status).toBe('failed');
    expect(text).toContain('not one phone number');
  });
});
