import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { databaseOf } from '#libs/persistence';
import { MIGRATIONS } from '../../src/bootstrap/migrations.js';
import { clientOf } from '../support/client.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { createWorkflow, email, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { createCallbackIntegration, sendCallback, SIGN } from '../support/provider-callback.js';
import { type MailSender, ONE_CLICK, postForm, PUBLIC_URL, startMailSender } from '../support/recipient-links.js';
import { createMail } from '../support/reported-mail.js';
import { useSession } from '../support/test-api.js';
import { createReceiver } from '../support/webhook-receiver.js';

interface Suppression {
  id: string;
  kind: string;
  subscriberId?: string;
  address?: string;
  channel: string;
  reason: string;
  since: string;
  workflowId?: string;
}

describe('the suppression list', () => {
  const delivery = useDeliveryApi('suppressions', { PUBLIC_URL });
  const session = useSession(delivery.api);
  let mails: MailSender;
  beforeAll(async () => {
    mails = await startMailSender(delivery);
  });
  afterAll(() => mails.close());

  const list = (query = ''): Promise<Suppression[]> =>
    dataOf<Suppression[]>(session.get(`/v1/suppressions${query}`), 200);
  const person = (subscriberId: string, more: Json = {}): Promise<unknown> =>
    dataOf(session.post('/v1/subscribers', { subscriberId, email: `${subscriberId}@example.com`, ...more }), 201);
  const suppress = (body: Json): Promise<Suppression[]> =>
    dataOf<Suppression[]>(session.post('/v1/suppressions', body), 201);
  const lift = (id: string, reason = 'The mailbox works again'): Promise<Suppression> =>
    dataOf<Suppression>(session.post(`/v1/suppressions/${id}/lift`, { reason }), 200);

  it('should have bounces and complaints that providers report, and tell webhooks', async () => {
    const { at } = await createCallbackIntegration(session, 'sendgrid');
    const hook = await createReceiver(session, ['suppression.added']);
    const [bounced, complained] = [
      await createMail(delivery.api, session, 'sendgrid'),
      await createMail(delivery.api, session, 'sendgrid'),
    ];
    const event = (identifier: string, more: Json): Json => ({ sg_message_id: `${identifier}.recvd-1`, ...more });
    const report = [
      event(bounced.identifier, {
        event: 'bounce',
        type: 'bounce',
        reason: '550 No such user',
        timestamp: 1_700_000_000,
      }),
      event(complained.identifier, { event: 'spamreport', timestamp: 1_700_000_100 }),
    ];
    for (let time = 0; time < 2; time++) await sendCallback(delivery.api, at, SIGN.sendgrid(report)).expect(200);
    expect(await list()).toMatchObject([
      { kind: 'complaint', channel: 'email', subscriberId: complained.subscriber.subscriberId },
      { kind: 'bounce', reason: expect.stringContaining('550') as string, since: '2023-11-14T22:13:20.000Z' },
    ]);
    expect(await list('?kind=bounce')).toHaveLength(1);
    expect(await list('?channel=sms')).toEqual([]);
    await delivery.drain();
    await eventually(() => expect(hook.server.requests).toHaveLength(2));
    await hook.server.close();
  });

  it('should have those who unsubscribed, and switch them on again when it is lifted', async () => {
    const hook = await createReceiver(session, ['suppression.lifted']);
    const { oneClick = '', workflow } = await mails.send(session);
    await postForm(delivery.api, oneClick, ONE_CLICK).expect(200);
    const [entry] = await list('?kind=unsubscribe');
    expect(entry).toMatchObject({
      subscriberId: 'ada',
      channel: 'email',
      workflowId: workflow._id,
      reason: 'one-click',
    });
    expect(await lift(entry?.id ?? '', 'Asked to come back')).toEqual(entry);
    expect(await list()).toEqual([]);
    await mails.send(session, { again: workflow });
    await delivery.drain();
    await eventually(() => expect(hook.server.requests).toHaveLength(1));
    expect(hook.bodies()[0]).toMatchObject({
      type: 'suppression.lifted',
      data: { suppression: { id: entry?.id }, liftedBecause: 'Asked to come back' },
    });
    await hook.server.close();
    const again = session.post(`/v1/suppressions/${entry?.id ?? ''}/lift`, { reason: 'x' });
    expect(await codeOf(again, 404)).toBe('suppression_not_found');
  });

  it('should forget an unsubscription when the recipient or the application switches the channel on', async () => {
    const { oneClick = '', workflow } = await mails.send(session);
    await postForm(delivery.api, oneClick, ONE_CLICK).expect(200);
    await postForm(delivery.api, oneClick, 'action=subscribe').expect(200);
    expect(await list()).toEqual([]);
    await postForm(delivery.api, oneClick, ONE_CLICK).expect(200);
    await clientOf(session).preferences.updateWorkflowPreference({
      path: { subscriberId: 'ada', levelOrWorkflowId: workflow._id },
      body: { channel: { type: 'email', enabled: true } },
    });
    expect(await list()).toEqual([]);
  });

  it('should keep mails from an address, also where an event names it, until it is lifted', async () => {
    const { workflow } = await mails.send(session);
    const [entry] = await suppress({ channel: 'email', subscriberId: 'ada', reason: 'Asked by phone' });
    expect(entry).toMatchObject({ kind: 'manual', address: 'ada@example.com', reason: 'Asked by phone' });
    const before = mails.smtp.raw.length;
    for (const payload of [{}, { email: 'Ada@Example.com' }]) {
      const id = await trigger(session, { name: workflow.identifier, to: 'ada', payload });
      await delivery.drain();
      const { jobs } = await notificationOf(session, id);
      expect(jobs[0]?.status).not.toBe('completed');
      expect(JSON.stringify(jobs[0]?.executionDetails)).toContain('Asked by phone');
    }
    expect(mails.smtp.raw).toHaveLength(before);
    // Another address is another mailbox.
    await trigger(session, { name: workflow.identifier, to: 'ada', payload: { email: 'desk@example.com' } });
    await delivery.drain();
    expect(mails.smtp.raw).toHaveLength(before + 1);
    await lift(entry?.id ?? '');
    await mails.send(session, { again: workflow });
  });

  it('should take an address for all who have it, whatever its case, and leave others alone', async () => {
    await Promise.all([
      person('one', { email: 'Shared@Example.com' }),
      person('two', { email: 'shared@example.com' }),
      person('three', { phone: '+4915112345678' }),
    ]);
    const made = await suppress({
      channel: 'email',
      address: 'shared@example.com',
      kind: 'bounce',
      reason: 'from SES',
    });
    expect(made.map(({ subscriberId }) => subscriberId).sort()).toEqual(['one', 'two']);
    const [phone] = await suppress({ channel: 'sms', address: '+4915112345678', reason: 'Wrong number' });
    expect(phone).toMatchObject({ channel: 'sms', subscriberId: 'three' });
    expect(await list()).toHaveLength(3);
    // A new address has no history.
    await session.put('/v1/subscribers/one', { email: 'new@example.com' }).expect(200);
    expect((await list()).map(({ subscriberId }) => subscriberId).sort()).toEqual(['three', 'two']);
  });

  it('should take an address that nobody has, for whoever gets it, by any way, until it is lifted', async () => {
    const hook = await createReceiver(session, ['suppression.added', 'suppression.lifted']);
    const { workflow } = await mails.send(session, { to: { subscriberId: 'bea', email: 'bea@example.com' } });
    const [entry] = await suppress({ channel: 'email', address: 'Gone@Example.com', reason: 'Left the company' });
    expect(entry).toMatchObject({ kind: 'manual', channel: 'email', address: 'Gone@Example.com' });
    expect(entry).not.toHaveProperty('subscriberId');
    const before = mails.smtp.raw.length;
    const tryAgain = async (to: Json & { subscriberId: string }, payload: Json = {}): Promise<string> => {
      const id = await trigger(session, { name: workflow.identifier, to, payload });
      await delivery.drain();
      return JSON.stringify((await notificationOf(session, id)).jobs[0]?.executionDetails);
    };
    expect(await tryAgain({ subscriberId: 'new', email: 'gone@example.com' })).toContain('Left the company');
    expect(await tryAgain({ subscriberId: 'bea' }, { email: 'GONE@example.com' })).toContain('Left the company');
    expect(mails.smtp.raw).toHaveLength(before);
    const dryRun = await dataOf<{ recipients: unknown[] }>(
      session.post('/v1/events/trigger/dry-run', { name: workflow.identifier, to: 'new' }),
      200,
    );
    expect(JSON.stringify(dryRun.recipients)).toContain('The email address is suppressed: Left the company');
    // The same address again is the same entry, with the newest reason.
    await session.put('/v1/subscribers/new', { email: 'other@example.com' }).expect(200);
    const [again] = await suppress({ channel: 'email', address: 'gone@example.com', kind: 'bounce', reason: '550' });
    expect(again).toMatchObject({ id: entry?.id, kind: 'bounce', reason: '550' });
    expect(await list()).toEqual([again]);
    await lift(entry?.id ?? '');
    expect(await list()).toEqual([]);
    await tryAgain({ subscriberId: 'later', email: 'gone@example.com' });
    expect(mails.smtp.raw).toHaveLength(before + 1);
    await eventually(() => expect(hook.server.requests).toHaveLength(3));
    await hook.server.close();
  });

  it('should go on with what earlier versions stored, by one form', async () => {
    await person('old', { email: 'Old@München.example' });
    const db = databaseOf(delivery.api.app.get<Connection>(getConnectionToken()));
    const [subscribers, listed] = [db.collection('subscribers'), db.collection('suppressedAddresses')];
    const fault = { kind: 'bounce', reason: 'Gone', since: new Date('2026-01-01T00:00:00Z') };
    const state = { address: 'Old@München.example', ...fault };
    const { _environmentId, _organizationId } = (await subscribers.findOne({ subscriberId: 'old' })) as mongo.Document;
    await subscribers.updateOne({ subscriberId: 'old', _environmentId }, { $set: { 'addressStates.email': state } });
    const entry = { _environmentId, _organizationId, channel: 'sms', deleted: false, ...fault };
    await listed.insertMany([
      { ...entry, address: '+15550177', key: '+15550177' },
      { ...entry, address: '001 555 0177', key: '0015550177', since: new Date('2026-01-02T00:00:00Z') },
    ]);
    await MIGRATIONS.find(({ name }) => name === 'suppressed addresses by one form')?.run(db);
    const found = await subscribers.findOne({ subscriberId: 'old', _environmentId });
    expect(found).toHaveProperty('addressStates.email.key', 'old@xn--mnchen-3ya.example');
    expect(await list('?channel=sms')).toMatchObject([{ address: '+15550177' }]);
    expect(await list('?address=1 555 0177')).toHaveLength(1);
    const mark = await listed.find({ _environmentId }).toArray();
    expect(mark.map(({ key }) => String(key))).toEqual(['15550177']);
  });

  it('should keep text messages from a number that nobody has, however it is written', async () => {
    await suppress({ channel: 'sms', address: '+49 151 (123) 456', reason: 'Wrong number' });
    const sms = { template: { type: 'sms', content: 'Hi' } };
    const workflow = await createWorkflow(session, [sms]);
    await dataOf(
      session.post('/v1/integrations', {
        providerId: 'twilio',
        channel: 'sms',
        active: true,
        check: false,
        credentials: { accountSid: 'AC1', token: 't', from: '+15550100' },
      }),
      201,
    );
    const to = { subscriberId: 'sam', phone: '+49151123456' };
    const id = await trigger(session, { name: workflow.identifier, to });
    await delivery.drain();
    const { jobs } = await notificationOf(session, id);
    expect(JSON.stringify(jobs[0]?.executionDetails)).toContain('The phone number is suppressed: Wrong number');
  });

  it('should find what concerns an address', async () => {
    const { oneClick = '' } = await mails.send(session);
    await postForm(delivery.api, oneClick, ONE_CLICK).expect(200);
    await suppress({ channel: 'email', subscriberId: 'ada', reason: 'Bounces', kind: 'bounce' });
    await suppress({ channel: 'email', address: 'nobody@example.com', reason: 'x' });
    const kinds = async (query: string): Promise<string[]> => (await list(query)).map(({ kind }) => kind);
    expect((await kinds('?address=ADA@example.com')).sort()).toEqual(['bounce', 'unsubscribe']);
    expect(await kinds('?address=ada@example.com&kind=bounce')).toEqual(['bounce']);
    expect(await kinds('?address=ada@example.com&channel=sms')).toEqual([]);
    expect(await kinds('?address=nobody@example.com')).toEqual(['manual']);
    expect(await kinds('?address=other@example.com')).toEqual([]);
    const page = await dataOf<{ suppressions: Suppression[]; next?: string }>(
      session.get('/v1/suppressions/export?kind=manual'),
      200,
    );
    expect(page.suppressions.map(({ address }) => address)).toEqual(['nobody@example.com']);
  });

  it('should take null for what is not given', async () => {
    const [listed] = await suppress({
      channel: 'email',
      subscriberId: null,
      address: 'nobody@example.com',
      reason: 'x',
    });
    expect(listed).toMatchObject({ address: 'nobody@example.com', kind: 'manual' });
    await person('ada');
    const [entry] = await suppress({ channel: 'email', subscriberId: 'ada', address: null, kind: null, reason: 'x' });
    expect(entry).toMatchObject({ subscriberId: 'ada', kind: 'manual' });
  });

  it('should say what is wrong with a call', async () => {
    await person('ada');
    for (const body of [
      {},
      { channel: 'push', subscriberId: 'ada', reason: 'x' },
      { channel: 'email', reason: 'x' },
      { channel: 'email', reason: 'x', address: null },
      { channel: 'email', subscriberId: 'ada' },
      { channel: 'email', subscriberId: 'ada', reason: '' },
      { channel: 'email', subscriberId: { toString: 1 }, address: 'ada@example.com', reason: 'x' },
    ])
      await session.post('/v1/suppressions', body).expect(400);
    for (const body of [
      { channel: 'email', subscriberId: 'nobody', reason: 'x' },
      { channel: 'sms', subscriberId: 'ada', reason: 'x' },
    ])
      expect(await codeOf(session.post('/v1/suppressions', body), 404)).toBe('address_not_found');
    for (const id of [
      'x',
      'address-64f0c1a2b3c4d5e6f7a8b9c0-email',
      'listed-64f0c1a2b3c4d5e6f7a8b9c0-sms',
      'preference-64f0c1a2b3c4d5e6f7a8b9c0-push',
    ])
      await session.post(`/v1/suppressions/${id}/lift`, { reason: 'x' }).expect(404);
    await session.get('/v1/suppressions?page=200&limit=100').expect(400);
    await session.get('/v1/suppressions/export?cursor=nonsense').expect(400);
  });

  it('should be exported whole, each entry once, and stay in its environment', async () => {
    const people = Array.from({ length: 25 }, (_, place) => `person-${place}`);
    await session.post('/v1/subscribers/bulk', {
      subscribers: people.map((subscriberId) => ({
        subscriberId,
        email: `${subscriberId}@example.com`,
        phone: '+491',
      })),
    });
    // All of them at the same time: the order is that of ids.
    await suppress({ channel: 'sms', address: '+491', reason: 'x' });
    for (const subscriberId of people.slice(0, 10)) await suppress({ channel: 'email', subscriberId, reason: 'x' });
    for (const name of ['x', 'y', 'z']) {
      await suppress({ channel: 'email', address: `${name}@elsewhere.example`, reason: 'x' });
    }
    const { oneClick = '' } = await mails.send(session);
    await postForm(delivery.api, oneClick, ONE_CLICK).expect(200);
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: { suppressions: Suppression[]; next?: string } = await dataOf(
        session.get(`/v1/suppressions/export?limit=7&cursor=${cursor}`),
        200,
      );
      expect(page.suppressions.length).toBeLessThanOrEqual(7);
      seen.push(...page.suppressions.map(({ id }) => id));
      cursor = page.next;
    }
    expect(seen).toHaveLength(39);
    expect(new Set(seen).size).toBe(39);
    expect((await list('?limit=100')).map(({ id }) => id)).toEqual(seen);
    const [first, second] = [await list('?limit=20'), await list('?limit=20&page=1')];
    expect([...first, ...second].map(({ id }) => id)).toEqual(seen);
    const other = await delivery.api.session();
    expect(await dataOf(other.get('/v1/suppressions'), 200)).toEqual([]);
    await other.post(`/v1/suppressions/${seen[0] ?? ''}/lift`, { reason: 'x' }).expect(404);
  });

  it('should not be passed by critical workflows', async () => {
    const { workflow } = await mails.send(session);
    await suppress({ channel: 'email', subscriberId: 'ada', reason: 'Bounces' });
    const critical = await createWorkflow(session, [email('a', 'b')], { critical: true });
    const before = mails.smtp.raw.length;
    await trigger(session, { name: critical.identifier, to: 'ada' });
    await trigger(session, { name: workflow.identifier, to: 'ada' });
    await delivery.drain();
    expect(mails.smtp.raw).toHaveLength(before);
  });
});
