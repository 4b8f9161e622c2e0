import { IntegrationHealth } from '../../src/channels/integrations/index.js';
import { AlertWorker } from '../../src/operations/alerts/alert-worker.js';
import { TallyWorker } from '../../src/outcomes/activity/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, feedOf, inApp, messagesOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TWILIO = { accountSid: 'AC1', token: 'twilio-token', from: '+15550199' };
const ALERTS = '/v1/alerts';

interface Event {
  readonly transactionId: string;
  readonly payload: Json;
}

describe('alerts', () => {
  const sink = useProviderSink();
  const delivery = useDeliveryApi('alerts', () => ({
    PROVIDER_BASE_URLS: `twilio=${sink.url}`,
    DELIVERY_WORKER: 'off',
  }));
  const session = useSession(delivery.api);
  let worker: AlertWorker;
  beforeEach(() => {
    worker = delivery.api.app.get(AlertWorker, { strict: false });
    sink.answer = json(201, { sid: 'SM1' });
  });

  // Each environment is looked at once a minute.
  afterEach(() => session.patch(ALERTS, { isOn: false }).expect(200));

  /** Checks and deliveries of so many minutes. */
  const pass = async (minutes = 1): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await worker.drain(new Date(delivery.clock.now().getTime() + MINUTE_MS));
      await delivery.drain();
    }
  };
  const countNow = (): Promise<void> => delivery.api.app.get(TallyWorker, { strict: false }).drain();
  const alertOf = async (more: Json = {}): Promise<void> => {
    await session.post('/v1/subscribers', { subscriberId: 'ada', phone: '+15550100', email: 'ada@example.com' });
    await session.patch(ALERTS, { isOn: true, subscribers: ['ada'], ...more }).expect(200);
  };
  const told = async (): Promise<unknown[]> =>
    (await feedOf(session, 'ada')).map(({ content }) => String(content).split('.')[0]).reverse();
  const twilio = async (): Promise<string> => {
    const body = { providerId: 'twilio', channel: 'sms', active: true, name: 'Twilio', credentials: TWILIO };
    return (await dataOf<{ _id: string }>(session.post('/v1/integrations', body), 201))._id;
  };
  const health = (): IntegrationHealth => delivery.api.app.get(IntegrationHealth, { strict: false });
  const goDown = (id: string): Promise<boolean> => {
    const since = delivery.clock.now();
    // Longer than these tests take, and no longer than a wait can be.
    const until = new Date(since.getTime() + 9 * MINUTE_MS);
    const outage = { since, until, probes: 9, code: 'unavailable', error: 'Away' };
    return health().down(session, id, outage);
  };
  const goUp = (id: string): Promise<boolean> => health().recovered(session, id, delivery.clock.now());
  const events = async (): Promise<Event[]> => {
    const rows = await delivery.rows('triggerEvents', { transactionId: /^alert:/ });
    const own = rows.filter(({ _environmentId }) => String(_environmentId) === session.environmentId);
    return own as unknown as Event[];
  };
  const catchMails = (): unknown =>
    session
      .post('/v1/integrations', { providerId: 'catcher-email', channel: 'email', active: true, credentials: {} })
      .expect(201);
  const mailOf = async (event: Event | undefined): Promise<string> => {
    const caught = await dataOf<Json[]>(session.get('/v1/catcher/messages?channel=email'), 200);
    const { _id } = caught.find(({ transactionId }) => transactionId === event?.transactionId) ?? {};
    return String((await dataOf(session.get(`/v1/catcher/messages/${String(_id)}`), 200))['text']);
  };
  const incidents = async (): Promise<unknown[]> => {
    const { incidents } = await dataOf<{ incidents: Json[] }>(session.get(ALERTS), 200);
    return incidents.map(({ title }) => title);
  };

  it('should tell once that a provider is down, and once that it is up', async () => {
    const id = await twilio();
    await alertOf({ kinds: ['provider'] });
    await pass();
    expect(await told()).toEqual([]);
    await goDown(id);
    await pass(5);
    expect(await told()).toEqual(['Twilio does not answer']);
    expect(await incidents()).toEqual(['Twilio does not answer']);
    await goUp(id);
    await pass(5);
    expect(await told()).toEqual(['Twilio does not answer', 'Twilio answers again']);
    expect(await incidents()).toEqual([]);
    await goDown(id);
    await pass(2);
    expect(await told()).toHaveLength(3);
  });

  it('should tell at once, without waiting for the next check', async () => {
    const id = await twilio();
    await alertOf({ kinds: ['provider'] });
    await worker.drain();
    await goDown(id);
    await worker.drain();
    await delivery.drain();
    expect(await told()).toEqual(['Twilio does not answer']);
  });

  it('should leave out the channel that is down where another is left, and send by it later where none is', async () => {
    const id = await twilio();
    await catchMails();
    await alertOf({ kinds: ['provider'] });
    await goDown(id);
    await pass();
    const [event] = await events();
    const ended = await messagesOf(session, String(event?.transactionId));
    expect(ended.map(({ channel }) => channel).sort()).toEqual(['email', 'in_app']);
    expect(sink.requests).toHaveLength(0);
    expect(await mailOf(event)).toMatch(/Twilio does not answer.*Since \d+ \w+ \d{4}, \d\d:\d\d\./s);
  });

  it('should not tell that an integration is up which was switched off', async () => {
    const id = await twilio();
    await alertOf({ kinds: ['provider'] });
    await goDown(id);
    await pass();
    await session.put(`/v1/integrations/${id}`, { active: false }).expect(200);
    await pass(2);
    expect(await told()).toEqual(['Twilio does not answer']);
    expect(await incidents()).toEqual([]);
  });

  it('should tell of a high share of failures and of dead letters, of none of which it is the reason', async () => {
    await twilio();
    await alertOf({ kinds: ['failures', 'dead_letters'], failurePercent: 50 });
    // Whatever Herald tells by SMS fails, too.
    sink.answer = json(400, { code: 21_211, message: 'Not a number' });
    const { identifier: name } = await createWorkflow(session, [{ template: { type: 'sms', content: 'Hello' } }]);
    for (let n = 0; n < 20; n += 1)
      await trigger(session, { name, to: { subscriberId: `p${n}`, phone: `+155501${n}` } });
    await delivery.drain();
    await countNow();
    await pass();
    expect((await told()).sort()).toEqual(['100 % of the messages fail', '20 messages could not be delivered']);
    const before = (await events()).length;
    await pass(30);
    expect(await events()).toHaveLength(before);
    // A day later, all of it is over, though the alerts have failed in the meantime.
    delivery.clock.advance(24 * HOUR_MS);
    await pass(3);
    expect((await told()).at(-1)).toBe('Messages no longer fail');
    expect(await events()).toHaveLength(before + 1);
  });

  it('should say nothing of few failures', async () => {
    await twilio();
    await alertOf({ kinds: ['failures'] });
    sink.answer = json(400, { code: 21_211, message: 'Not a number' });
    const { identifier: name } = await createWorkflow(session, [{ template: { type: 'sms', content: 'Hello' } }]);
    for (let n = 0; n < 5; n += 1) await trigger(session, { name, to: { subscriberId: `p${n}`, phone: '+15550101' } });
    await delivery.drain();
    await pass();
    expect(await told()).toEqual([]);
  });

  it('should tell of work that is late, and when it is done', async () => {
    await alertOf({ kinds: ['late_work'], lateMinutes: 10 });
    const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
    await trigger(session, { name, to: 'bob' });
    await worker.drain(new Date(delivery.clock.now().getTime() + 9 * MINUTE_MS));
    expect(await events()).toHaveLength(0);
    await worker.drain(new Date(delivery.clock.now().getTime() + 5 * MINUTE_MS));
    expect((await events()).map(({ payload }) => payload['title'])).toEqual(['Messages are late by 10 minutes']);
    await delivery.drain();
    await pass(2);
    expect(await told()).toEqual(['Messages are late by 10 minutes', 'Messages are in time again']);
  });

  it('should report once a day at the time of the zone, without what it has sent itself', async () => {
    const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
    const day = new Date(Math.ceil(delivery.clock.now().getTime() / (24 * HOUR_MS)) * 24 * HOUR_MS);
    delivery.clock.moveTo(day);
    const checkAt = async (hours: number): Promise<void> => {
      delivery.clock.moveTo(new Date(day.getTime() + hours * HOUR_MS));
      await countNow();
      await worker.drain();
    };
    for (let n = 0; n < 3; n += 1) await trigger(session, { name, to: 'bob' });
    await delivery.drain();
    await catchMails();
    await goDown(await twilio());
    await alertOf({ kinds: ['provider', 'daily_report'], reportAt: '16:30', timezone: 'Asia/Tokyo' });
    const reports = async (): Promise<Event[]> => (await events()).filter(({ payload }) => 'sent' in payload);
    await checkAt(7.4);
    expect(await reports()).toHaveLength(0);
    await checkAt(7.6);
    await checkAt(7.7);
    await delivery.drain();
    const [first, second] = await reports();
    expect(first?.payload).toMatchObject({ sent: 3, failed: 0, runs: 3, failedRuns: 0, deadLetters: 0 });
    expect(first?.payload['to']).toBe(new Date(day.getTime() + 7 * HOUR_MS).toISOString());
    expect(second).toBeUndefined();
    const mail = await mailOf(first);
    expect(mail).toMatch(/3 sent, 3 delivered.*Twilio does not answer, since \d+ \w+ \d{4}, \d\d:\d\d\./s);
    await checkAt(32);
    expect((await reports())[1]?.payload).toMatchObject({ sent: 0, runs: 0 });
  });

  it('should say why nobody could be told, and go on', async () => {
    const id = await twilio();
    await alertOf({ kinds: ['provider'] });
    const { data } = (await session.get('/v1/workflows').expect(200)).body as { data: { _id: string }[] };
    for (const { _id } of data) await session.put(`/v1/workflows/${_id}/status`, { active: false }).expect(200);
    await goDown(id);
    await pass();
    expect(await dataOf(session.get(ALERTS), 200)).toMatchObject({
      fault: expect.stringContaining('active') as unknown,
    });
    for (const { _id } of data) await session.delete(`/v1/workflows/${_id}`).expect(200);
    await session.patch(ALERTS, { isOn: true }).expect(200);
    await goUp(id);
    await pass();
    expect(await told()).toEqual(['Twilio answers again']);
    expect(await dataOf(session.get(ALERTS), 200)).not.toHaveProperty('fault');
  });

  it('should tell nobody while it is off', async () => {
    const id = await twilio();
    await alertOf({ kinds: ['provider'] });
    await session.patch(ALERTS, { isOn: false }).expect(200);
    await goDown(id);
    await pass(3);
    expect(await events()).toHaveLength(0);
  });
});
