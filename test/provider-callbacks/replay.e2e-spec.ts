import type { TestApp, TestSession } from '../harness/index.js';
import { createInbox } from '../factories/message.factory.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { createCallbackIntegration, sendCallback, SIGN } from '../support/provider-callback.js';
import { createMail, type ReportedMail } from '../support/reported-mail.js';
import { useTestApi } from '../support/test-api.js';

const settings = { PUBLIC_URL: 'https://herald.example' };
const api = useTestApi(settings);
const apis = [api, useTestApi(settings)] as const;
let session: TestSession;
beforeAll(async () => {
  session = await api.session();
});

const longAgo = '1500000000';
const clear = async (inbox: { path: string }, channel: string): Promise<void> => {
  await session.delete(`${inbox.path}/address-states/${channel}`);
};

describe('a callback of Mailgun', () => {
  let at: string;
  let mail: ReportedMail;
  beforeEach(async () => {
    ({ at } = await createCallbackIntegration(session, 'mailgun'));
    mail = await createMail(api, session, 'mailgun');
  });
  const event = (kind: string): Json => ({ event: kind, message: { headers: { 'message-id': mail.identifier } } });
  const withEvent = (body: string, kind: string): string =>
    JSON.stringify({ ...(JSON.parse(body) as object), 'event-data': event(kind) });

  it('should be refused where its signature came with another content before, in any process', async () => {
    const opened = SIGN.mailgun(event('opened'));
    await sendCallback(api, at, opened).expect(200);
    const forged = { ...opened, body: withEvent(opened.body, 'complained') };
    for (const one of apis) expect(await codeOf(sendCallback(one, at, forged), 401)).toBe('callback_replayed');
    expect(await mail.message()).toMatchObject({ status: 'opened' });
    expect(await mail.person()).not.toHaveProperty('addressStates.email');
  });

  it('should be taken again where the provider repeats it, without any effect', async () => {
    const opened = SIGN.mailgun(event('opened'));
    for (let n = 0; n < 3; n++) await sendCallback(api, at, opened).expect(200);
    expect(await mail.details()).toHaveLength(1);
  });

  it('should let one of several contents win that come with one signature at once', async () => {
    const opened = SIGN.mailgun(event('opened'));
    const bodies = ['opened', 'complained', 'clicked', 'delivered'].map((kind) => withEvent(opened.body, kind));
    const answers = await Promise.all(
      bodies.map((body, n) => sendCallback(apis[n % 2] as TestApp, at, { ...opened, body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  it('should be refused where its signature is old', async () => {
    await sendCallback(api, at, SIGN.mailgun(event('complained'), longAgo)).expect(401);
    expect(await mail.message()).toMatchObject({ status: 'sent' });
  });

  it('should be refused without a callbackSecret, even where it is signed with the API key', async () => {
    const credentials = { apiKey: 'k', user: 'api', domain: 'd.example', from: 'a@b.example', senderName: 'A' };
    const bare = await createCallbackIntegration(session, 'mailgun', { credentials });
    await sendCallback(api, bare.at, SIGN.mailgun(event('opened'), undefined, 'k')).expect(401);
  });
});

describe('a callback of SendGrid', () => {
  it('should be refused where its signature is old', async () => {
    const { at } = await createCallbackIntegration(session, 'sendgrid');
    const mail = await createMail(api, session, 'sendgrid');
    const opened = { event: 'open', sg_message_id: mail.identifier, timestamp: Number(longAgo) };
    await sendCallback(api, at, SIGN.sendgrid([opened], longAgo)).expect(401);
    await sendCallback(api, at, SIGN.sendgrid([opened])).expect(200);
  });
});

describe('a callback whose signature names no time', () => {
  it('should change nothing when it is sent again, even after its effect was taken back', async () => {
    const { at } = await createCallbackIntegration(session, 'twilio');
    const inbox = await createInbox(api, session, { subscriber: { phone: '+15550124' } });
    await inbox.deliver({ channel: 'sms', providerId: 'twilio', identifier: 'SM10', phone: '+15550124' });
    const fields = { MessageSid: 'SM10', MessageStatus: 'undelivered', ErrorCode: '30005', To: '+15550124' };
    const report = SIGN.twilio(`https://herald.example${at}`, fields);
    await sendCallback(api, at, report).expect(200);
    expect(dataOf(await session.get(inbox.path))).toHaveProperty('addressStates.sms');
    await clear(inbox, 'sms');
    const { body } = await sendCallback(api, at, report).expect(200);
    expect(body).toEqual({ data: { received: 1, matched: 1 } });
    expect(dataOf(await session.get(inbox.path))).not.toHaveProperty('addressStates.sms');
  });

  it('should change nothing when it is sent again with a shared secret', async () => {
    const { at } = await createCallbackIntegration(session, 'postmark');
    const mail = await createMail(api, session, 'postmark');
    const bounce = SIGN.postmark({ RecordType: 'Bounce', Type: 'HardBounce', MessageID: mail.identifier });
    await sendCallback(api, at, bounce).expect(200);
    await clear(mail, 'email');
    await sendCallback(api, at, bounce).expect(200);
    expect(await mail.person()).not.toHaveProperty('addressStates.email');
    expect(await mail.details()).toHaveLength(1);
  });
});
