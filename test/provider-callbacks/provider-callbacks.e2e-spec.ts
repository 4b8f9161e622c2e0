import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import request from 'supertest';
import type { TestSession } from '../harness/index.js';
import { toObjectId } from '#libs/persistence';
import { EarlyReports } from '../../src/outcomes/provider-callbacks/early-reports.js';
import { SubscribersService } from '../../src/audience/subscribers/index.js';
import { MessagesReported } from '../../src/outcomes/provider-callbacks/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { unique, UNKNOWN_ID } from '../factories/ids.js';
import { createMail, type MailOptions, type ReportedMail } from '../support/reported-mail.js';
import { createCallbackIntegration, sendCallback, SIGN, type SignedCallback } from '../support/provider-callback.js';
import { eventually } from '../support/eventually.js';
import { recordEvents } from '../support/recorded-events.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi({ PUBLIC_URL: 'https://herald.example' });
let session: TestSession;
beforeAll(async () => {
  session = await api.session();
});

const NOW_S = 1_700_000_000;

const mailOf = (providerId: string, options?: MailOptions): Promise<ReportedMail> =>
  createMail(api, session, providerId, options);

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

    it('should keep what comes before its message is stored, and apply it once', async () => {
      const early = api.app.get(EarlyReports, { strict: false });
      const heard = recordEvents(api, MessagesReported);
      const identifier = unique('quick');
      const bounce = event(identifier, 'bounce', { reason: '550 no such mailbox' });
      // Providers repeat themselves.
      for (let times = 0; times < 2; times += 1) {
        const { body } = await report(event(identifier, 'delivered'), bounce).expect(200);
        expect(body).toEqual({ data: { received: 2, matched: 0 } });
      }
      await early.apply();
      expect(heard).toEqual([]);
      const mail = await mailOf('sendgrid', { identifier });
      expect(await mail.message()).toMatchObject({ status: 'sent' });
      await eventually(async () => {
        await early.apply();
        expect(await mail.message()).toMatchObject({ status: 'bounced', errorText: '550 no such mailbox' });
      });
      await report(event(identifier, 'delivered')).expect(200);
      await early.apply();
      const told = heard.flatMap(({ reports }) => reports).map(({ status }) => status);
      expect(told.sort()).toEqual(['bounced', 'delivered']);
      expect(await mail.details()).toHaveLength(2);
      const stored = api.app.get<Model<unknown>>(getModelToken('EarlyReport')).collection;
      expect(await stored.countDocuments({ 'event.messageIdentifier': identifier })).toBe(0);
    });

    it('should keep no more than an environment has room for', async () => {
      const crowded = await api.session();
      const foreign = await createCallbackIntegration(crowded, 'sendgrid');
      const send = (from: number): request.Test =>
        sendCallback(
          api,
          foreign.at,
          SIGN.sendgrid(Array.from({ length: 4_000 }, (_, n) => event(`other-${from + n}`, 'open'))),
        );
      for (const from of [0, 4_000, 8_000]) await send(from).expect(200);
      const stored = api.app.get<Model<unknown>>(getModelToken('EarlyReport')).collection;
      const _environmentId = toObjectId(crowded.environmentId);
      expect(await stored.countDocuments({ _environmentId })).toBe(10_000);
      await stored.deleteMany({ _environmentId });
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

    it('should take five thousand events and refuse more', async () => {
      const events = (count: number): Json[] =>
        Array.from({ length: count }, (_, i) => event(`m-${i}`, 'open', { timestamp: i + 1 }));
      await report(...events(5_000)).expect(200);
      const { body } = await report(...events(5_001)).expect(413);
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

    it('should not take what becomes of a copy for what becomes of the message, and suppress its address', async () => {
      const mail = await mailOf('sendgrid');
      const email = String((await mail.person())['email']);
      const copy = `${unique('copy')}@example.com`;
      const bounce = { type: 'bounce', reason: '550 gone', email: copy };
      await report(event(mail.identifier, 'delivered', { email }), event(mail.identifier, 'bounce', bounce)).expect(
        200,
      );
      expect(await mail.message()).toMatchObject({ status: 'delivered' });
      expect(await mail.person()).not.toHaveProperty('addressStates');
      expect(dataOf(await session.get(`/v1/suppressions?address=${copy}`).expect(200))).toMatchObject([
        { kind: 'bounce', address: copy, reason: '550 gone' },
      ]);
      expect((await mail.details()).map(({ detail }) => detail)).toContain('550 gone - (bounced)');
      await report(event(mail.identifier, 'bounce', { ...bounce, email: email.toUpperCase() })).expect(200);
      expect(await mail.message()).toMatchObject({ status: 'bounced' });
      expect(await mail.person()).toHaveProperty('addressStates.email.reason');
    });

    it('should live with a time that is none', async () => {
      const mail = await mailOf('sendgrid');
      await report(event(mail.identifier, 'delivered', { timestamp: 1e300 })).expect(200);
      expect(await mail.message()).toMatchObject({ status: 'delivered' });
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
      const { body } = await sendCallback(api, at, SIGN.sendgrid([{ padding: 'x'.repeat(5 * 1_048_576) }])).expect(413);
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
  const body = { providerId: 'mattermost', channel: 'chat', active: true };
  return `/v1/provider-callbacks/${dataOf<{ _id: string }>(await caller.post('/v1/integrations', body).expect(201))._id}`;
}
