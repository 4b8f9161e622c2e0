import { ManualClock } from '#libs/common';
import { TestSession } from '../harness/index.js';
import { DeliveryWorker } from '../../src/engine/delivery/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, email, inApp, trigger } from '../support/delivery.js';
import { storeNamed } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { startTestApi, useApi } from '../support/test-api.js';

interface Counts {
  readonly sent: number;
  readonly failed: number;
  readonly retried: number;
  readonly dead: number;
}

interface Provider extends Counts {
  readonly channel: string;
  readonly providerId?: string;
  readonly medianMs?: number;
  readonly p95Ms?: number;
  readonly points: (Counts & { readonly at: string })[];
  readonly pointsBefore: (Counts & { readonly at: string })[];
}

interface Health {
  readonly from: string;
  readonly to: string;
  readonly providers: Provider[];
  readonly backlog: { readonly lane: string; readonly due: number; readonly oldestDueAt?: string }[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SMS = { template: { type: 'sms', content: 'Hello' } };

describe('GET /v1/activity/delivery', () => {
  const sink = useProviderSink();
  // Of today: the store forgets counts two days after their time, by a clock of its own.
  const clock = new ManualClock(new Date(`${new Date().toISOString().slice(0, 10)}T10:02:00Z`));
  const settings = (): Record<string, string> => ({
    DELIVERY_WORKER: 'off',
    DELIVERY_MAX_ATTEMPTS: '3',
    PROVIDER_BASE_URLS: `twilio=${sink.url}/twilio,telnyx=${sink.url}/telnyx`,
  });
  const start = () => useApi(() => startTestApi(settings(), storeNamed('delivery_health'), clock));
  const apps = [start(), start()] as const;
  let session: TestSession;
  beforeEach(async () => {
    session = await apps[0].session();
    sink.answer = json(200, { sid: 'SM1', data: { id: 'T1' } });
  });

  const drain = (ms = 0, api: (typeof apps)[number] = apps[0]): Promise<void> =>
    api.app.get(DeliveryWorker).drain(new Date(clock.now().getTime() + ms));
  const send = async (steps: Parameters<typeof createWorkflow>[1], count = 1): Promise<void> => {
    const { identifier: name } = await createWorkflow(session, steps);
    const to = { subscriberId: 'ann', email: 'ann@example.com', phone: '+15550111' };
    for (let n = 0; n < count; n += 1) await trigger(session, { name, to });
  };
  const health = (query = '', caller = session): Promise<Health> =>
    dataOf(caller.get(`/v1/activity/delivery${query}`), 200);
  const providers = async (query = ''): Promise<Partial<Provider>[]> =>
    (await health(query)).providers.map(({ points, pointsBefore: _before, ...rest }) => {
      const total = points.reduce((sum, { sent, failed }) => sum + sent + failed, 0);
      expect(total).toBe(rest.sent + rest.failed);
      return rest;
    });
  const integrate = async (providerId: 'twilio' | 'telnyx', primary = false): Promise<void> => {
    const from = { from: '+15550100' };
    const credentials = {
      twilio: { accountSid: 'AC1', token: 'secret-token', ...from },
      telnyx: { apiKey: 'k', messageProfileId: 'p', ...from },
    }[providerId];
    const body = { providerId, channel: 'sms', active: true, check: false, credentials };
    const { _id } = await dataOf<Json>(session.post('/v1/integrations', body), 201);
    if (primary) await session.post(`/v1/integrations/${String(_id)}/set-primary`).expect(200);
  };

  it('should be empty for an environment without deliveries, with every lane', async () => {
    const { providers: found, backlog, from, to } = await health();
    expect(found).toEqual([]);
    expect(backlog.map(({ lane }) => lane)).toEqual([
      'expand',
      'store',
      'webhook',
      'email',
      'sms',
      'chat',
      'push',
      'plugin',
      'http',
    ]);
    expect(new Date(to).getTime() - new Date(from).getTime()).toBeLessThanOrEqual(HOUR_MS);
  });

  it('should count messages by channel and provider', async () => {
    await integrate('twilio');
    await send([inApp('Hello'), SMS], 3);
    await drain();
    expect(await providers()).toMatchObject([
      { channel: 'in_app', providerId: 'novu', sent: 3, failed: 0, retried: 0, dead: 0 },
      { channel: 'sms', providerId: 'twilio', sent: 3, failed: 0, retried: 0, dead: 0 },
    ]);
  });

  it('should count attempts that were repeated, and what is dead in the end', async () => {
    await integrate('twilio', true);
    sink.answer = json(503, {});
    await send([SMS]);
    await drain(HOUR_MS / 2);
    expect(await providers()).toMatchObject([
      { channel: 'sms', providerId: 'twilio', sent: 0, failed: 1, retried: 2, dead: 1 },
    ]);
  });

  it('should count the attempts of each integration of a message', async () => {
    await integrate('twilio', true);
    await integrate('telnyx');
    sink.answer = (path, body, response) =>
      json(path.startsWith('/twilio') ? 401 : 200, { data: { id: 'T1' } })(path, body, response);
    await send([SMS]);
    await drain();
    expect(await providers()).toMatchObject([
      { channel: 'sms', providerId: 'telnyx', sent: 1, failed: 0, retried: 0, dead: 0 },
      { channel: 'sms', providerId: 'twilio', sent: 0, failed: 0, retried: 1, dead: 0 },
    ]);
  });

  it('should count failures before a provider is called', async () => {
    await send([email('Hello', 'text'), SMS]);
    await drain();
    const found = await providers();
    expect(found).toMatchObject([
      { channel: 'email', sent: 0, failed: 1, dead: 0 },
      { channel: 'sms', sent: 0, failed: 1, dead: 0 },
    ]);
    for (const one of found) expect(one).not.toHaveProperty('providerId');
  });

  it('should measure from the trigger or the step before, without delays', async () => {
    await send([inApp('One'), delay(), inApp('Two')]);
    clock.advance(1_000);
    await drain(10 * MINUTE_MS);
    const [found] = await providers();
    // One second until the first message, none until the second one.
    expect(found).toMatchObject({ sent: 2, medianMs: expect.any(Number) as number });
    expect(found?.medianMs).toBeLessThanOrEqual(5);
    expect(found?.p95Ms).toBeGreaterThan(640);
    expect(found?.p95Ms).toBeLessThanOrEqual(1_280);
  });

  it('should show the hour in steps of five minutes and the day in hours, and forget what is older', async () => {
    await send([inApp('Hello')], 2);
    await drain();
    clock.advance(7 * MINUTE_MS);
    await send([inApp('Hello')]);
    await drain();
    const sentOf = async (query: string): Promise<number[]> =>
      (await health(query)).providers.flatMap(({ points }) => points.map(({ sent }) => sent));
    const hour = await sentOf('?period=hour');
    expect(hour).toHaveLength(12);
    expect(hour.filter((sent) => sent > 0)).toEqual([2, 1]);
    expect(hour.at(-1)).toBe(1);
    clock.advance(2 * HOUR_MS);
    expect(await sentOf('?period=hour')).toEqual([]);
    const day = await sentOf('?period=day');
    expect(day).toHaveLength(24);
    expect(day.reduce((sum, sent) => sum + sent, 0)).toBe(3);
    clock.advance(24 * HOUR_MS);
    expect(await sentOf('?period=day')).toEqual([]);
  });

  it.each([
    ['hour', 5, 12],
    ['day', 60, 24],
  ])('should show the %s before beside it, as the provider has counted', async (period, minutes, count) => {
    await integrate('twilio');
    const { identifier: name } = await createWorkflow(session, [SMS]);
    const length = minutes * MINUTE_MS;
    const arrived = new Map<number, { sent: number; failed: number }>();
    sink.answer = (path, body, response) => {
      const step = Math.floor(clock.now().getTime() / length) * length;
      const { sent, failed } = arrived.get(step) ?? { sent: 0, failed: 0 };
      const isRefused = sink.requests.length % 3 === 0;
      arrived.set(step, isRefused ? { sent, failed: failed + 1 } : { sent: sent + 1, failed });
      json(isRefused ? 400 : 201, { sid: 'SM1', code: 20_001 })(path, body, response);
    };
    // Before both periods, at the edges of both, and not in each of their steps.
    let ago = 2 * count;
    for (const [steps, messages] of [
      [2 * count, 1],
      [2 * count - 1, 2],
      [count, 1],
      [count - 1, 4],
      [0, 2],
    ] as const) {
      clock.advance((ago - steps) * length);
      ago = steps;
      for (let n = 0; n < messages; n += 1)
        await trigger(session, { name, to: { subscriberId: 'ann', phone: '+15550111' } });
      await drain();
    }
    const { providers: found, from } = await health(`?period=${period}`);
    const counted = (begin: number): unknown[] =>
      Array.from({ length: count }, (_, place) => {
        const at = begin + place * length;
        return { at: new Date(at).toISOString(), ...(arrived.get(at) ?? { sent: 0, failed: 0 }) };
      });
    const begin = Date.parse(from);
    expect([arrived.size, sink.requests.length]).toEqual([5, 10]);
    expect(found).toMatchObject([{ points: counted(begin), pointsBefore: counted(begin - count * length) }]);
  });

  it('should show the work that is due, and since when', async () => {
    await send([inApp('Hello')], 2);
    const since = clock.now().toISOString();
    clock.advance(MINUTE_MS);
    const lane = async (name: string): Promise<unknown> => (await health()).backlog.find((one) => one.lane === name);
    expect(await lane('expand')).toEqual({ lane: 'expand', due: 2, claimed: 0, suspected: 0, oldestDueAt: since });
    const other = await apps[0].session();
    expect((await health('', other)).backlog.filter(({ due }) => due > 0)).toEqual([]);
    await drain();
    expect(await lane('expand')).toEqual({ lane: 'expand', due: 0, claimed: 0, suspected: 0 });
  });

  it('should add up what several processes have counted, and count nothing twice', async () => {
    await send([inApp('Hello')]);
    await drain();
    await send([inApp('Hello')], 2);
    await drain(0, apps[1]);
    const onOther = (): Promise<Health> => health('', new TestSession(apps[1].url, { ...session }));
    await onOther();
    await health();
    expect(await providers()).toMatchObject([{ sent: 3 }]);
    expect(await providers()).toMatchObject([{ sent: 3 }]);
  });

  it('should keep what was counted when the process ends', async () => {
    const third = await startTestApi(settings(), storeNamed('delivery_health'), clock);
    await send([inApp('Hello')]);
    await third.app.get(DeliveryWorker).drain(clock.now());
    await third.close();
    expect(await providers()).toMatchObject([{ sent: 1 }]);
  });

  it('should show nothing of other environments', async () => {
    await send([inApp('Hello')]);
    await drain();
    expect((await health('', await apps[0].session())).providers).toEqual([]);
  });

  it('should refuse other periods', async () => {
    expect(await faultsOf(session.get('/v1/activity/delivery?period=week'))).toEqual([
      'period must be one of the following values: hour, day',
    ]);
  });
});
