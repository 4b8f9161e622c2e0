import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { createInbox } from '../factories/message.factory.js';
import { createWorkflow, trigger } from '../support/delivery.js';
import { eventually } from '../support/eventually.js';
import { createCallbackIntegration, sendCallback, SIGN } from '../support/provider-callback.js';
import { createMail, type MailOptions, type ReportedMail } from '../support/reported-mail.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi({ PUBLIC_URL: 'https://herald.example' });
let session: TestSession;
beforeAll(async () => {
  session = await api.session();
});

const NOW_S = 1_700_000_000;
const mailOf = (providerId: string, options?: MailOptions): Promise<ReportedMail> =>
  createMail(api, session, providerId, options);

describe('callbacks of each provider', () => {
  it('should be taken from Mailgun', async () => {
    const { at } = await createCallbackIntegration(session, 'mailgun');
    const mail = await mailOf('mailgun', { identifier: '20260101.1@d.example' });
    const failed = { event: 'failed', severity: 'permanent', reason: 'bounce', timestamp: NOW_S };
    const headers = { 'message-id': mail.identifier };
    await sendCallback(api, at, SIGN.mailgun({ ...failed, message: { headers } })).expect(200);
    expect(await mail.message()).toMatchObject({ status: 'bounced' });
    expect(await mail.person()).toHaveProperty('addressStates.email');
  });

  it('should be taken from Postmark', async () => {
    const { at } = await createCallbackIntegration(session, 'postmark');
    const mail = await mailOf('postmark');
    const opened = { RecordType: 'Open', MessageID: mail.identifier, ReceivedAt: new Date().toISOString() };
    await sendCallback(api, at, SIGN.postmark(opened)).expect(200);
    expect(await mail.message()).toMatchObject({ status: 'opened' });
  });

  it('should be taken from Resend, and not when they are old', async () => {
    const { at } = await createCallbackIntegration(session, 'resend');
    const mail = await mailOf('resend');
    const clicked = SIGN.resend({ type: 'email.clicked', data: { email_id: mail.identifier } });
    await sendCallback(api, at, { ...clicked, headers: { ...clicked.headers, 'svix-timestamp': '1' } }).expect(401);
    await sendCallback(api, at, clicked).expect(200);
    expect(await mail.message()).toMatchObject({ status: 'clicked' });
  });

  it('should be taken from Twilio, as a form that is signed with the public URL', async () => {
    const { at } = await createCallbackIntegration(session, 'twilio');
    const inbox = await createInbox(api, session, { subscriber: { phone: '+15550123' } });
    await inbox.deliver({ channel: 'sms', providerId: 'twilio', identifier: 'SM9', phone: '+15550123' });
    const fields = { MessageSid: 'SM9', MessageStatus: 'undelivered', ErrorCode: '30005', To: '+15550123' };
    await sendCallback(api, at, SIGN.twilio(`https://elsewhere.example${at}`, fields)).expect(401);
    await sendCallback(api, at, SIGN.twilio(`https://herald.example${at}`, fields)).expect(200);
    const [message] = dataOf<Json[]>(await session.get(`/v1/messages?subscriberId=${inbox.subscriber.subscriberId}`));
    expect(message).toMatchObject({ status: 'bounced' });
    expect(dataOf(await session.get(inbox.path))).toHaveProperty('addressStates.sms.reason', '30005');
  });

  it('should be refused from a topic of SNS that nobody has signed for', async () => {
    const { at } = await createCallbackIntegration(session, 'ses');
    const body = JSON.stringify({ Type: 'Notification', TopicArn: 'arn:aws:sns:eu-west-1:1:events', Message: '{}' });
    await sendCallback(api, at, { body, headers: { 'content-type': 'text/plain; charset=UTF-8' } }).expect(401);
  });

  it.each(['sendgrid', 'mailgun', 'postmark', 'resend', 'ses', 'twilio'] as const)(
    'should be announced by the status of %s',
    async (provider) => {
      const { id } = await createCallbackIntegration(session, provider);
      expect(dataOf(await session.get(`/v1/integrations/webhook/provider/${id}/status`).expect(200))).toBe(true);
    },
  );
});

describe('an address with a hard bounce', () => {
  it('should not be written to again, and a detail should say why', async () => {
    const { at } = await createCallbackIntegration(session, 'postmark');
    const mail = await mailOf('postmark');
    const bounce = { RecordType: 'Bounce', Type: 'HardBounce', MessageID: mail.identifier, Details: 'mailbox is gone' };
    await sendCallback(api, at, SIGN.postmark(bounce)).expect(200);

    const email = { template: { type: 'email', subject: 'Hi', content: 'Hello', contentType: 'customHtml' } };
    const { identifier } = await createWorkflow(session, [email]);
    const { subscriberId } = mail.subscriber;
    const transactionId = await trigger(session, { name: identifier, to: subscriberId });
    const run = await eventually(async () => {
      const [found] = dataOf<Json[]>(await session.get(`/v1/notifications?transactionId=${transactionId}`).expect(200));
      expect(found).toMatchObject({ jobs: [{ type: 'email', status: 'failed' }] });
      return found;
    });
    const query = `?notificationId=${String(run?.['_id'])}&subscriberId=${subscriberId}`;
    const details = dataOf<Json[]>(await session.get(`/v1/execution-details${query}`).expect(200));
    expect(JSON.stringify(details)).toContain('mailbox is gone');
  });
});
