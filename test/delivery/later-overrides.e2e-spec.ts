import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { faultsOf } from '../support/answers.js';
import {
  createWorkflow,
  email,
  inApp,
  notificationOf,
  type SentEvent,
  smtpIntegration,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';

const SENDER = { apiKey: 'key', from: 'news@example.org', senderName: 'News' };
const LOGO = { name: 'logo.png', mime: 'image/png', file: Buffer.from('png').toString('base64') };

/** What later clients say, what providers have of their own, and what goes inside a mail. */
describe('further fields of an event', () => {
  const sink = useProviderSink();
  const PROVIDERS = ['sendgrid', 'mailersend', 'sendinblue', 'azure-sms', 'twilio'];
  const delivery = useDeliveryApi('later-overrides', () => ({
    DELIVERY_TIMEOUT_MS: '120000',
    PROVIDER_BASE_URLS: PROVIDERS.map((id) => `${id}=${sink.url}/${id}`).join(','),
  }));
  const session = useSession(delivery.api);
  let smtp: SmtpCatcher;

  beforeAll(async () => {
    smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
  });
  beforeEach(() => {
    smtp.mails.splice(0);
  });
  afterAll(() => smtp.close());

  const to = { subscriberId: 'ann', email: 'ann@example.com', phone: '+15550111' };
  const integrate = (providerId: string, channel = 'email', credentials: object = SENDER): Promise<unknown> =>
    session.post('/v1/integrations', { providerId, channel, active: true, check: false, credentials }).expect(201);
  const send = async (steps: Parameters<typeof createWorkflow>[1], more: Partial<SentEvent>): Promise<string> => {
    const { identifier } = await createWorkflow(session, steps);
    const transactionId = await trigger(session, { name: identifier, to, payload: {}, ...more });
    await delivery.drain();
    return transactionId;
  };
  const requestOf = (place = 0): Record<string, unknown> =>
    JSON.parse(sink.requests[place]?.body ?? '{}') as Record<string, unknown>;
  const senders = (): (string | undefined)[] => smtp.mails.map(({ from }) => from?.value[0]?.address);
  /** Names that the trail says were not sent. */
  const notSent = async (transactionId: string): Promise<unknown[]> => {
    const { jobs } = await notificationOf(session, transactionId);
    return jobs
      .flatMap(({ executionDetails }) => executionDetails)
      .filter(({ detail }) => detail === 'The provider does not take some fields of the message')
      .map(({ raw }) => (JSON.parse(String(raw)) as { fields: unknown }).fields);
  };

  it('should take overrides of providers and channels in their later forms', async () => {
    await smtpIntegration(session, smtp.port);
    const overrides = {
      channels: { email: { subject: 'Of the channel' } },
      providers: { nodemailer: { from: 'sender@example.com', senderName: 'Acme Inc' } },
    };
    await send([email('Hello', 'text')], { overrides });
    expect(smtp.mails[0]?.subject).toBe('Of the channel');
    expect(smtp.mails[0]?.from?.value[0]).toEqual({ address: 'sender@example.com', name: 'Acme Inc' });
  });

  it('should take overrides of one step by its stepId and its uuid, which win', async () => {
    await smtpIntegration(session, smtp.port);
    const steps = [
      { ...email('One', 'text'), stepId: 'first' },
      { ...email('Two', 'text'), uuid: 'second' },
      email('Three', 'text'),
    ];
    const ofStep = (address: string): object => ({ providers: { nodemailer: { from: address } } });
    const overrides = {
      providers: { nodemailer: { from: 'all@example.com' } },
      steps: { first: ofStep('one@example.com'), second: ofStep('two@example.com') },
    };
    await send(steps, { overrides });
    expect(senders()).toEqual(['one@example.com', 'two@example.com', 'all@example.com']);
  });

  it('should refuse a step that the workflow does not have, and a recipient in a field of the provider', async () => {
    const { identifier } = await createWorkflow(session, [{ ...email('One', 'text'), stepId: 'first' }]);
    const refused = (overrides: object): Promise<string[]> =>
      faultsOf(session.post('/v1/events/trigger', { name: identifier, to, payload: {}, overrides }));
    expect(await refused({ steps: { frist: {} } })).toEqual([
      'overrides.steps.frist is no step of the workflow. Its steps are: first',
    ]);
    expect(await refused({ steps: { frist: {}, fisrt: {} } })).toEqual([
      'overrides.steps.frist is no step of the workflow. Its steps are: first',
      'overrides.steps.fisrt is no step of the workflow',
    ]);
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, place) => [`s${place}`, { layoutId: 1 }]));
    expect(await refused({ steps: many })).toEqual(['overrides.steps must have at most 200 steps']);
    expect(await refused({ steps: 'first' })).toEqual([
      'overrides.steps must be an object with a member for each step',
    ]);
    const eve = 'eve@example.com';
    const set = 'is not allowed: use to, cc, bcc and headers of the override';
    expect(
      await refused({
        postmark: { Bcc: eve },
        providers: { sendgrid: { personalizations: [{ to: [{ email: eve }] }] } },
        steps: { first: { providers: { mailjet: { _passthrough: { body: { To: [] }, headers: {} } } } } },
      }),
    ).toEqual([
      `overrides.providers.sendgrid.personalizations.*.to ${set}`,
      'overrides.steps.first.providers.mailjet._passthrough.headers is not allowed: only a body is handed on',
      `overrides.steps.first.providers.mailjet._passthrough.body.to ${set}`,
      `overrides.postmark.bcc ${set}`,
    ]);
    const body = { headers: { 'Content-Type': 'text/evil' }, cc: 'nobody' };
    expect(await refused({ sendgrid: { _passthrough: { body } } })).toEqual([
      'overrides.sendgrid._passthrough.body.cc must be one email address, such as ada@example.com or Ada <ada@example.com>, or a list of them',
      'overrides.sendgrid._passthrough.body.headers.Content-Type is set by Herald and cannot be overridden',
    ]);
    expect(await refused({ severity: 'urgent' })).toEqual([
      'overrides.severity must be one of none, low, medium, high',
    ]);
  });

  it('should take the severity and the layout of the event', async () => {
    await smtpIntegration(session, smtp.port);
    const content = '<main>{{{body}}}</main>';
    const layout = { name: 'Frame', identifier: 'frame', content, isDefault: false };
    const created = await session.post('/v1/layouts', layout).expect(201);
    const layoutId = (created.body as { data: { _id: string } }).data._id;
    const framed = email('Hello', 'text', { layoutId });
    await send([inApp('news'), framed], { overrides: { severity: 'high', channels: { email: { layoutId: null } } } });
    await send([email('Hello', 'text')], { overrides: { layoutId } });
    expect(await delivery.rows('messages', { channel: 'in_app' })).toMatchObject([{ severity: 'high' }]);
    expect(smtp.mails.map(({ html }) => String(html).includes('<main>'))).toEqual([false, true]);
  });

  it('should show a file with a content id inside the mail', async () => {
    await smtpIntegration(session, smtp.port);
    const inside = { ...LOGO, cid: 'logo', disposition: 'inline' };
    await send([email('<img src="cid:logo">', 'text')], { payload: { attachments: [inside, LOGO] } });
    const [mail] = smtp.mails;
    expect(
      mail?.attachments.map(({ contentDisposition, cid, related }) => [contentDisposition, cid, related === true]),
    ).toEqual([
      ['inline', 'logo', true],
      ['attachment', undefined, false],
    ]);
  });

  it('should refuse a content id and a disposition that no mail can have', async () => {
    const { identifier } = await createWorkflow(session, [email('One', 'text')]);
    const attachments = [
      { ...LOGO, cid: 'a>\r\nBcc: eve@example.com' },
      { ...LOGO, disposition: 'hidden' },
    ];
    const call = session.post('/v1/events/trigger', { name: identifier, to, payload: { attachments } });
    expect(await faultsOf(call)).toEqual([
      'payload.attachments.0.cid must be a content id without blanks, quotes and angle brackets, such as logo',
      'payload.attachments.1.disposition must be one of attachment, inline',
    ]);
  });

  it('should send the template that is stored at the provider', async () => {
    sink.answer = json(202, {}, { 'x-message-id': 'id' });
    await integrate('sendgrid');
    const customData = { templateId: 'd-1', dynamicTemplateData: { name: 'Ada' }, order: 7 };
    await send([email('Hello', 'text')], { overrides: { email: { customData } } });
    expect(requestOf()).toMatchObject({
      template_id: 'd-1',
      custom_args: { order: '7' },
      personalizations: [{ to: [{ email: 'ann@example.com' }], dynamic_template_data: { name: 'Ada' } }],
    });
    for (const field of ['subject', 'content']) expect(requestOf()).not.toHaveProperty(field);
    const own = {
      template_id: 'd-2',
      personalizations: [{ dynamic_template_data: { to: 'Rome' } }],
      asm: { group_id: 1 },
    };
    await send([email('Hello', 'text')], { overrides: { sendgrid: own } });
    expect(requestOf(1)).toMatchObject({
      ...own,
      personalizations: [{ to: [{ email: 'ann@example.com' }], dynamic_template_data: { to: 'Rome' } }],
    });
  });

  it('should send a stored template of a step without content of its own', async () => {
    sink.answer = json(202, {}, { 'x-message-id': 'id' });
    await integrate('mailersend');
    const customData = { templateId: 'tpl', personalization: [{ email: 'ann@example.com', data: { name: 'Ada' } }] };
    await send([email('Hello', 'text')], { overrides: { email: { customData } } });
    expect(requestOf()).toMatchObject({ template_id: 'tpl', personalization: customData.personalization });
    expect(requestOf()).not.toHaveProperty('html');
  });

  it('should name in the trail what the provider cannot take', async () => {
    sink.answer = json(201, { messageId: 'id' });
    await integrate('sendinblue');
    const overrides = { email: { ipPoolName: 'pool', customData: { order: 7 } }, sendinblue: { tags: ['a'] } };
    const attachments = [{ ...LOGO, cid: 'logo' }];
    const id = await send([email('Hello', 'text')], { payload: { attachments }, overrides });
    expect(requestOf()).toMatchObject({ tags: ['a'] });
    expect(await notSent(id)).toEqual([['ipPoolName', 'attachments: logo']]);
  });

  it('should name in the trail what a mail server cannot take', async () => {
    await smtpIntegration(session, smtp.port);
    const id = await send([email('Hello', 'text')], { overrides: { email: { customData: { order: 7 } } } });
    expect(await notSent(id)).toEqual([['customData.order']]);
    const own = await send([email('Hello', 'text')], { overrides: { nodemailer: { priority: 'high' } } });
    expect(await notSent(own)).toEqual([['priority']]);
    const plain = await send([email('Hello', 'text')], { overrides: { email: { subject: 'Plain' } } });
    expect(await notSent(plain)).toEqual([]);
  });

  it('should hand further fields to the gateway of a text message', async () => {
    sink.answer = json(201, { sid: 'SM1' });
    await integrate('twilio', 'sms', { accountSid: 'AC1', token: 'secret', from: '+15550100' });
    const overrides = { providers: { twilio: { ValidityPeriod: 60 } } };
    const id = await send([{ template: { type: 'sms', content: 'Hello' } }], { overrides });
    expect(new URLSearchParams(sink.requests[0]?.body).get('ValidityPeriod')).toBe('60');
    expect(await notSent(id)).toEqual([]);
  });
});
