import request from 'supertest';
import type { TestApp, TestSession } from '#libs/testing';
import { SubscribersService } from '../src/subscribers/index.js';
import { MessagesReported } from '../src/provider-callbacks/index.js';
import { dataOf, type Json } from './factories/bodies.js';
import { unique, UNKNOWN_ID } from './factories/ids.js';
import { createInbox, type Inbox } from './factories/message.factory.js';
import { createCallbackIntegration, sendCallback, SIGN, type SignedCallback } from './support/provider-callback.js';
import { recordEvents } from './support/recorded-events.js';
import { startTestApi } from './support/test-api.js';

let api: TestApp;
let session: TestSession;
beforeAll(async () => {
  api = await startTestApi({ PUBLIC_URL: 'https://herald.example' });
  session = await api.session();
});
afterAll(() => api.close());

const NOW_S = 1_700_000_000;

/** A mail that a provider has taken, and how to find out what became of it. */
async function mailOf(
  providerId: string,
  options: { identifier?: string; subscriber?: Json } = {},
): Promise<
  Inbox & { identifier: string; message(): Promise<Json>; details(): Promise<Json[]>; person(): Promise<Json> }
> {
  const identifier = options.identifier ?? unique('provider-id');
  const email = `${unique('ann')}@example.com`;
  const inbox = await createInbox(api, session, { subscriber: { email, ...options.subscriber } });
  await inbox.deliver({ channel: 'email', providerId, identifier, email, status: 'sent' });
  const message = async (): Promise<Json> => {
    const query = `?channel=email&subscriberId=${inbox.subscriber.subscriberId}`;
    const [row] = dataOf<Json[]>(await session.get(`/v1/messages${query}`).expect(200));
    if (row === undefined) throw new Error('The message is gone.');
    return row;
  };
  return {
    ...inbox,
    identifier,
    message,
    details: async () => {
      const { _notificationId } = await message();
      const query = `?notificationId=${String(_notificationId)}&subscriberId=${inbox.subscriber.subscriberId}`;
      return dataOf<Json[]>(await session.get(`/v1/execution-details${query}`).expect(200));
    },
    person: async () => dataOf(await session.get(inbox.path).expect(200)),
  };
}

const event = (identifier: string, kind: string, more: Json = {}): Json => ({
  event: kind,
  sg_message_id: `${identifier}.recvd-1-2.0`,
  timestamp: NOW_S,
  ...more,
});

describe('POST /v1/provider-callbacks/:integrationId', () => {
  let at: string;
  beforeAll(async () => ({ at } = await createCallbackIntegration(session, 'sendgrid')));
  const report = (...events: Json[]): request.Test => sendCallback(api, at, SIGN.sendgrid(events));

  describe('when the report is good', () => {
    it('should move the message on and leave a detail', async () => {
      const mail = await mailOf('sendgrid');
      const answer = await report(event(mail.identifier, 'delivered', { response: '250 OK' })).expect(200);
      expect(answer.body).toEqual({ data: { received: 1, matched: 1 } });
      const message = await mail.message();
      expect(message).toMatchObject({ status: 'delivered' });
      expect(await mail.details()).toEqual([
        expect.objectContaining({
          _messageId: message['_id'],
          _jobId: message['_jobId'],
          source: 'Webhook',
          status: 'Success',
          webhookStatus: 'delivered',
          detail: '250 OK - (delivered)',
          providerId: 'sendgrid',
          channel: 'email',
          createdAt: new Date(NOW_S * 1_000).toISOString(),
        }),
      ]);
    });

    it('should not let a late delivery undo an opening, and keep both details', async () => {
      const mail = await mailOf('sendgrid');
      await report(event(mail.identifier, 'open')).expect(200);
      await report(event(mail.identifier, 'delivered')).expect(200);
      expect(await mail.message()).toMatchObject({ status: 'opened' });
      expect((await mail.details()).map(({ webhookStatus }) => webhookStatus).sort()).toEqual(['delivered', 'opened']);
    });

    it('should take the furthest of several events of one call, whatever their order', async () => {
      const mail = await mailOf('sendgrid');
      const kinds = ['click', 'processed', 'open', 'delivered'];
      await report(...kinds.map((kind) => event(mail.identifier, kind))).expect(200);
      expect(await mail.message()).toMatchObject({ status: 'clicked' });
      expect(await mail.details()).toHaveLength(4);
    });

    it('should ignore repeats, also those that come at the same time', async () => {
      const mail = await mailOf('sendgrid');
      const opened = event(mail.identifier, 'open');
      await Promise.all(Array.from({ length: 5 }, () => report(opened, opened).expect(200)));
      expect(await mail.details()).toHaveLength(1);
      await report({ ...opened, timestamp: NOW_S + 60 }).expect(200);
      expect(await mail.details()).toHaveLength(2);
    });

    it('should say why a message was refused, and take that back when it gets there after all', async () => {
      const mail = await mailOf('sendgrid');
      await report(event(mail.identifier, 'bounce', { type: 'blocked', reason: '421 later' })).expect(200);
      const refused = { status: 'error', errorId: 'provider_rejected', errorText: '421 later' };
      expect(await mail.message()).toMatchObject(refused);
      await report(event(mail.identifier, 'delivered')).expect(200);
      const message = await mail.message();
      expect(message).toMatchObject({ status: 'delivered' });
      expect(message).not.toHaveProperty('errorText');
    });

    it('should count what it does not know and change nothing', async () => {
      const heard = recordEvents(api, MessagesReported);
      const answer = await report(event('nobody-knows', 'delivered')).expect(200);
      expect(answer.body).toEqual({ data: { received: 1, matched: 0 } });
      expect(heard).toEqual([]);
    });

    it('should tell of statuses, not of what is merely on its way', async () => {
      const mail = await mailOf('sendgrid');
      const heard = recordEvents(api, MessagesReported);
      await report(event(mail.identifier, 'deferred'), event(mail.identifier, 'delivered')).expect(200);
      const messageId = String((await mail.message())['_id']);
      expect(heard.flatMap(({ reports }) => reports)).toEqual([
        expect.objectContaining({ messageId, status: 'delivered', at: new Date(NOW_S * 1_000) }),
      ]);
    });

    it('should take a thousand events and refuse more', async () => {
      const events = (count: number): Json[] =>
        Array.from({ length: count }, (_, i) => event(`m-${i}`, 'open', { timestamp: i + 1 }));
      await report(...events(1_000)).expect(200);
      const { body } = await report(...events(1_001)).expect(413);
      expect(body).toMatchObject({ code: 'too_many_callback_events' });
    });
  });

  describe('when an address will never work', () => {
    it('should mark it after a hard bounce until it is cleared', async () => {
      const mail = await mailOf('sendgrid');
      await report(event(mail.identifier, 'bounce', { type: 'bounce', reason: '550 gone' })).expect(200);
      expect(await mail.message()).toMatchObject({ status: 'bounced', errorId: 'bounced', errorText: '550 gone' });
      expect(await mail.person()).toMatchObject({ addressStates: { email: { reason: '550 gone' } } });
      const found = await api.app.get(SubscribersService).findById(session, mail.subscriber._id);
      expect(found?.badAddresses).toMatchObject({ email: { reason: '550 gone' } });

      await session.delete(`${mail.path}/address-states/email`).expect(204);
      expect(await mail.person()).not.toHaveProperty('addressStates');
    });

    it('should forget the mark when the address changes', async () => {
      const mail = await mailOf('sendgrid');
      await report(event(mail.identifier, 'spamreport')).expect(200);
      expect(await mail.message()).toMatchObject({ status: 'complained' });
      expect(await mail.person()).toHaveProperty('addressStates.email.reason');
      await session.put(mail.path, { email: `${unique('new')}@example.com` }).expect(200);
      expect(await mail.person()).not.toHaveProperty('addressStates');
    });

    it('should leave an address alone that the subscriber no longer has', async () => {
      const mail = await mailOf('sendgrid');
      await session.put(mail.path, { email: `${unique('new')}@example.com` }).expect(200);
      await report(event(mail.identifier, 'bounce', { type: 'bounce' })).expect(200);
      expect(await mail.person()).not.toHaveProperty('addressStates');
    });

    it('should not mark it after a soft refusal', async () => {
      const mail = await mailOf('sendgrid');
      await report(event(mail.identifier, 'bounce', { type: 'blocked' }), event(mail.identifier, 'deferred')).expect(
        200,
      );
      expect(await mail.person()).not.toHaveProperty('addressStates');
    });
  });

  describe('when it is not for the caller', () => {
    it('should refuse a changed body, a foreign signature and none, all alike', async () => {
      const mail = await mailOf('sendgrid');
      const good = SIGN.sendgrid([event(mail.identifier, 'delivered')]);
      const forged: SignedCallback[] = [
        { ...good, body: good.body.replace('delivered', 'open') },
        { ...good, headers: { ...good.headers, 'x-twilio-email-event-webhook-signature': 'AAAA' } },
        { ...good, headers: { 'content-type': 'application/json' } },
        { ...good, body: '{', headers: { 'content-type': 'application/json' } },
      ];
      for (const callback of forged) {
        const { body } = await sendCallback(api, at, callback).expect(401);
        expect(body).toMatchObject({
          statusCode: 401,
          code: 'callback_not_authentic',
          error: 'Unauthorized',
          path: at,
        });
      }
      expect(await mail.message()).toMatchObject({ status: 'sent' });
    });

    it.each([
      ['an unknown integration', () => Promise.resolve(`/v1/provider-callbacks/${UNKNOWN_ID}`)],
      ['an inactive one', async () => (await createCallbackIntegration(session, 'sendgrid', { active: false })).at],
      ['a provider without callbacks', async () => otherProvider(session)],
    ])('should answer 404 for %s', async (_case, path) => {
      const { body } = await sendCallback(api, await path(), SIGN.sendgrid([])).expect(404);
      expect(body).toMatchObject({ code: 'callback_target_not_found' });
    });

    it('should answer 400 for an id that is none', async () => {
      await request(api.url).post('/v1/provider-callbacks/nonsense').send({}).expect(400);
    });

    it('should not reach messages of another environment or of another provider', async () => {
      const foreign = await createCallbackIntegration(await api.session(), 'sendgrid');
      const mail = await mailOf('sendgrid');
      const other = await mailOf('mailgun', { identifier: unique('shared-id') });
      const delivered = SIGN.sendgrid([event(mail.identifier, 'delivered'), event(other.identifier, 'delivered')]);
      const answer = await sendCallback(api, foreign.at, delivered).expect(200);
      expect(answer.body).toEqual({ data: { received: 2, matched: 0 } });
      await sendCallback(api, at, delivered).expect(200);
      expect(await other.message()).toMatchObject({ status: 'sent' });
      expect(await mail.message()).toMatchObject({ status: 'delivered' });
    });

    it('should refuse a body over the limit', async () => {
      const { body } = await sendCallback(api, at, SIGN.sendgrid([{ padding: 'x'.repeat(1_048_576) }])).expect(413);
      expect(body).toMatchObject({ code: 'body_too_large' });
    });
  });

  it('should answer 400 where a signed body cannot be read', async () => {
    const { at: path } = await createCallbackIntegration(session, 'postmark');
    const { headers } = SIGN.postmark({});
    const { body } = await sendCallback(api, path, { headers, body: 'RecordType=Delivery' }).expect(400);
    expect(body).toMatchObject({ code: 'callback_unreadable' });
  });
});

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

describe('GET /v1/provider-callbacks/:integrationId', () => {
  it('should say that the address is right, also to HEAD', async () => {
    const { at } = await createCallbackIntegration(session, 'sendgrid');
    await request(api.url)
      .get(at)
      .expect(200, { data: { received: 0, matched: 0 } });
    await request(api.url).head(at).expect(200);
    await request(api.url).get(`/v1/provider-callbacks/${UNKNOWN_ID}`).expect(404);
  });
});

async function otherProvider(caller: TestSession): Promise<string> {
  const body = { providerId: 'discord', channel: 'chat', active: true };
  return `/v1/provider-callbacks/${dataOf<{ _id: string }>(await caller.post('/v1/integrations', body).expect(201))._id}`;
}
