import type { Schemas } from '@herald/client';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import type { TestSession } from '../harness/index.js';
import { ManualClock } from '#libs/common';
import { databaseOf } from '#libs/persistence';
import { LeaseLost } from '#libs/work';
import { DeliveryWorker } from '../../src/engine/delivery/index.js';
import { TALLYING, TallyWorker } from '../../src/outcomes/activity/index.js';
import { dataOf, faultsOf } from '../support/answers.js';
import { createWorkflow, delay, digest, email, feedOf, inApp, trigger, waitForEvent } from '../support/delivery.js';
import { storeNamed, useDeliveryApi } from '../support/delivery-api.js';
import { seeded } from '../support/schedules.js';
import { startTestApi, useApi } from '../support/test-api.js';

type Summary = Schemas['ActivitySummaryResponse'];
type Counts = Schemas['ActivityCountsResponse'];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NONE: Counts = { sent: 0, delivered: 0, read: 0, bounced: 0, failed: 0, skipped: 0 };

const summaryOf = (session: TestSession, query = ''): Promise<Summary> =>
  dataOf(session.get(`/v1/activity/summary${query}`), 200);
const read = async (session: TestSession, subscriberId: string, ...messageId: string[]): Promise<void> => {
  await session.post(`/v1/subscribers/${subscriberId}/messages/mark-as`, { messageId, markAs: 'read' }).expect(201);
};

describe('GET /v1/activity/summary', () => {
  const delivery = useDeliveryApi('activity_summary', { DELIVERY_WORKER: 'off' });
  let session: TestSession;
  beforeEach(async () => {
    session = await delivery.api.session();
  });
  const tally = (ms = 0): Promise<void> =>
    delivery.api.app.get(TallyWorker).drain(new Date(delivery.clock.now().getTime() + ms));

  it('should be empty for an environment without notifications', async () => {
    const { from, to, points, ...rest } = await summaryOf(session);
    expect(rest).toEqual({
      interval: 'day',
      countedTo: delivery.clock.now().toISOString(),
      total: NONE,
      runs: 0,
      failedRuns: 0,
      channels: [],
      worst: [],
      slowest: [],
      waiting: { queued: 0, delayed: 0, digests: 0, held: 0, awaiting: 0 },
    });
    expect(points).toHaveLength(7);
    expect(points.every(({ channels }) => channels.length === 0)).toBe(true);
    expect(Date.parse(to) - Date.parse(from)).toBe(7 * DAY_MS);
    expect(Date.parse(from) % DAY_MS).toBe(0);
  });

  it('should show what happened at once, and the same when it is counted', async () => {
    const good = await createWorkflow(session, [inApp('Hello'), delay(), inApp('Again')], { name: 'Good' });
    const bad = await createWorkflow(session, [inApp('Hello'), email('Hello', 'text')], { name: 'Bad' });
    for (const name of [good.identifier, good.identifier, bad.identifier]) {
      await trigger(session, { name, to: { subscriberId: 'ann', email: 'ann@example.com' } });
    }
    await delivery.drain();
    const [message] = await feedOf(session, 'ann');
    await read(session, 'ann', String(message?._id));
    const from = `?from=${delivery.clock.now().toISOString()}`;
    const live = await summaryOf(session, from);
    const counts = { ...NONE, sent: 3, delivered: 3, read: 1 };
    expect(live).toMatchObject({
      total: { ...counts, failed: 1 },
      runs: 3,
      failedRuns: 1,
      channels: [
        { channel: 'in_app', ...counts },
        { channel: 'email', ...NONE, failed: 1 },
      ],
      worst: [{ _id: bad._id, identifier: bad.identifier, name: 'Bad', runs: 1, failedRuns: 1, sent: 1, failed: 1 }],
      waiting: { queued: 0, delayed: 2, digests: 0, held: 0, awaiting: 0 },
    });
    expect(live.slowest.map(({ name }) => name).sort()).toEqual(['Bad', 'Good']);
    expect(live.slowest[0]?.p95Ms).toEqual(expect.any(Number));
    const at = delivery.clock.now();
    await tally();
    const { countedTo: _, ...counted } = await summaryOf(session, from);
    expect(counted).toEqual({ ...live, countedTo: undefined });
    await delivery.drain(HOUR_MS);
    await tally(2 * DAY_MS);
    for (const interval of ['day', 'hour']) {
      const later = await summaryOf(session, `?interval=${interval}&from=${at.toISOString()}`);
      expect(later.total).toEqual({ ...counts, sent: 5, delivered: 5, failed: 1 });
      expect(later.waiting.delayed).toBe(0);
      const [first] = later.points;
      expect(Date.parse(String(first?.at))).toBeLessThanOrEqual(at.getTime());
      expect(first?.channels.find(({ channel }) => channel === 'email')).toMatchObject({ failed: 1 });
    }
    const dayAfter = `?from=${new Date(at.getTime() + DAY_MS).toISOString()}`;
    expect((await summaryOf(session, dayAfter)).total).toEqual(NONE);
  });

  it('should count what waits, by what it waits for', async () => {
    const gathering = await createWorkflow(session, [digest(), inApp('Digest')]);
    const expecting = await createWorkflow(session, [inApp('Hello'), waitForEvent(), inApp('Read?')]);
    for (const name of [gathering.identifier, expecting.identifier]) await trigger(session, { name, to: 'ann' });
    await delivery.drain();
    await trigger(session, { name: gathering.identifier, to: 'bob' });
    expect((await summaryOf(session)).waiting).toEqual({ queued: 1, delayed: 0, digests: 1, held: 0, awaiting: 1 });
    await delivery.drain();
  });

  it('should count messages that are read late in their hour, and deleted ones as sent', async () => {
    const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
    for (let n = 0; n < 3; n += 1) await trigger(session, { name, to: 'late' });
    await delivery.drain();
    const at = delivery.clock.now().toISOString();
    await tally(6 * HOUR_MS);
    const total = async (): Promise<Counts | undefined> =>
      (await summaryOf(session, `?interval=hour&from=${at}&to=${at}`)).total;
    expect(await total()).toEqual({ ...NONE, sent: 3, delivered: 3 });
    const [one, other] = await feedOf(session, 'late');
    await read(session, 'late', String(one?._id));
    await session.delete(`/v1/messages/${String(other?._id)}`).expect(200);
    await tally(11 * MINUTE_MS);
    expect(await total()).toEqual({ ...NONE, sent: 3, delivered: 3, read: 1 });
  });

  it('should count runs that have tried nothing', async () => {
    await tally();
    const never = {
      isNegated: false,
      type: 'GROUP',
      value: 'AND',
      children: [{ on: 'payload', field: 'n', operator: 'EQUAL', value: '1' }],
    };
    const { identifier: name } = await createWorkflow(session, [inApp('Hello', { filters: [never] })]);
    await trigger(session, { name, to: 'ann' });
    await delivery.drain();
    const at = delivery.clock.now().toISOString();
    await tally(3 * HOUR_MS);
    const { total, runs } = await summaryOf(session, `?interval=hour&from=${at}&to=${at}`);
    expect([total, runs]).toEqual([{ ...NONE, skipped: 1 }, 1]);
  });

  it('should show nothing of other environments', async () => {
    const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
    await trigger(session, { name, to: 'ann' });
    await delivery.drain();
    expect((await summaryOf(await delivery.api.session())).total).toEqual(NONE);
  });

  it('should refuse periods that are none, or too long', async () => {
    const faults = (query: string): Promise<unknown> => faultsOf(session.get(`/v1/activity/summary?${query}`));
    expect(await faults('interval=week')).toEqual(['interval must be one of the following values: hour, day']);
    expect(await faults('from=yesterday')).toEqual([expect.stringContaining('from must be a date and time') as string]);
    expect(await faults('from=2026-01-03&to=2026-01-01')).toEqual(['from must not be later than to']);
    expect(await faults('from=2020-01-01')).toEqual(['the period must have at most 366 intervals of one day']);
    expect(await faults('from=2026-01-01&to=2026-02-01&interval=hour')).toEqual([
      'the period must have at most 168 intervals of one hour',
    ]);
  });
});

describe('tallies of an environment', () => {
  const clock = new ManualClock();
  const start = () => useApi(() => startTestApi({ DELIVERY_WORKER: 'off' }, storeNamed('activity_tallies'), clock));
  const apps = [start(), start()] as const;
  afterEach(() => TALLYING.disarm());

  /** Counts of all records of an environment, by interval and channel. */
  const recordsOf = async (environmentId: string, lengthMs: number): Promise<Record<string, Counts>> => {
    const db = databaseOf(apps[0].app.get<Connection>(getConnectionToken()));
    const _environmentId = new Types.ObjectId(environmentId);
    const found: Record<string, Counts> = {};
    const counts = (createdAt: Date, channel: string): Counts => {
      const at = new Date(Math.floor(createdAt.getTime() / lengthMs) * lengthMs);
      return (found[`${at.toISOString()} ${channel}`] ??= { ...NONE });
    };
    for (const { createdAt, channel, read } of await db.collection('messages').find({ _environmentId }).toArray()) {
      if (channel !== 'in_app') continue;
      const own = counts(createdAt as Date, channel);
      own.sent += 1;
      own.delivered += 1;
      if (read === true) own.read += 1;
    }
    for (const { createdAt, steps } of await db.collection('notifications').find({ _environmentId }).toArray()) {
      for (const { type, status } of steps as { type: string; status: string }[]) {
        if (status === 'failed') counts(createdAt as Date, type).failed += 1;
      }
    }
    return found;
  };
  const drain = (place: 0 | 1, ms = 0): Promise<void> =>
    apps[place].app.get(TallyWorker).drain(new Date(clock.now().getTime() + ms));

  const isOf = ({ environmentId }: TestSession, { _id }: { readonly _id: Types.ObjectId }): boolean =>
    _id.toHexString() === environmentId;
  /** A worker dies at a point of its work for an environment; its lease ends later. */
  const dieAt = async (session: TestSession, point: number): Promise<void> => {
    let passed = 0;
    TALLYING.arm((record) => {
      if (!isOf(session, record)) return Promise.resolve();
      passed += 1;
      return passed > point ? Promise.reject(new LeaseLost({ record, lease: '' })) : Promise.resolve();
    });
    await drain(0);
    TALLYING.disarm();
    expect(passed).toBe(point + 1);
  };
  /** An environment with two messages that are days old and counted. @returns figures of that hour and of that day */
  const countedBefore = async () => {
    const session = await apps[0].session();
    const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
    for (const to of ['ann', 'ann']) await trigger(session, { name, to });
    await apps[0].app.get(DeliveryWorker).drain(clock.now());
    const at = clock.now().toISOString();
    await drain(0, 2 * DAY_MS);
    const figures = (): Promise<Counts[]> =>
      Promise.all(
        ['hour', 'day'].map(async (interval) => {
          return (await summaryOf(session, `?interval=${interval}&from=${at}&to=${at}`)).total;
        }),
      );
    const readOne = async (): Promise<void> => {
      const message = (await feedOf(session, 'ann')).find((one) => !one.read);
      await read(session, 'ann', String(message?._id));
    };
    return { session, figures, readOne };
  };
  const bothWith = (count: number): Counts[] => {
    const counts = { ...NONE, sent: 2, delivered: 2, read: count };
    return [counts, counts];
  };

  it.each([0, 1, 2, 3])('should be completed by the next worker when one dies at its point %i', async (point) => {
    const { session, figures, readOne } = await countedBefore();
    await readOne();
    await dieAt(session, point);
    await drain(1, 2 * MINUTE_MS);
    expect(await figures()).toEqual(bothWith(1));
  });

  it('should be completed when the first count of an hour was interrupted', async () => {
    const session = await apps[0].session();
    const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
    const send = async (): Promise<void> => {
      await trigger(session, { name, to: 'ann' });
      await apps[0].app.get(DeliveryWorker).drain(clock.now());
    };
    clock.moveTo(new Date(Math.ceil(clock.now().getTime() / HOUR_MS) * HOUR_MS + MINUTE_MS));
    const at = clock.now().toISOString();
    await send();
    await dieAt(session, 1);
    await send();
    clock.advance(HOUR_MS + 5 * MINUTE_MS);
    await drain(1, 5 * MINUTE_MS);
    clock.advance(2 * HOUR_MS);
    expect((await summaryOf(session, `?interval=hour&from=${at}&to=${at}`)).total.sent).toBe(2);
  });

  it('should not be replaced by those of a worker that has counted before another one', async () => {
    const { session, figures, readOne } = await countedBefore();
    await readOne();
    let hasStood = false;
    TALLYING.arm(async (record) => {
      if (hasStood || !isOf(session, record)) return;
      hasStood = true;
      await readOne();
      await drain(1, 15 * MINUTE_MS);
      expect(await figures()).toEqual(bothWith(2));
    });
    await drain(0);
    expect(hasStood).toBe(true);
    expect(await figures()).toEqual(bothWith(2));
  });

  it.each([1, 2, 3])('should be what a count of all records says, whatever happens to workers (%i)', async (seed) => {
    const random = seeded(seed);
    const below = (count: number): number => Math.floor(random() * count);
    const session = await apps[0].session();
    const begin = clock.now();
    const workflows = await Promise.all([
      createWorkflow(session, [inApp('Hello')]),
      createWorkflow(session, [inApp('Hello'), email('Hello', 'text')]),
      createWorkflow(session, [delay({ amount: 3, unit: 'hours' }), inApp('Hello')]),
    ]);
    const acts: (() => Promise<void>)[] = [
      async () => {
        const { identifier: name } = workflows[below(3)] ?? workflows[0];
        await trigger(session, { name, to: { subscriberId: `s${below(3)}`, email: 'a@example.com' } });
        await apps[0].app.get(DeliveryWorker).drain(clock.now());
      },
      async () => {
        clock.advance(below(90) * MINUTE_MS);
        await apps[0].app.get(DeliveryWorker).drain(clock.now());
      },
      async () => {
        const subscriberId = `s${below(3)}`;
        const feed = await dataOf<{ _id: string }[]>(
          session.get(`/v1/subscribers/${subscriberId}/notifications/feed`),
          200,
        ).catch(() => []);
        const message = feed[below(feed.length)];
        if (message !== undefined) await read(session, subscriberId, message._id);
      },
      // A worker dies at one of its points, and its lease ends later.
      async () => {
        let left = below(6);
        TALLYING.arm((record) => {
          left -= 1;
          return left < 0 ? Promise.reject(new LeaseLost({ record, lease: '' })) : Promise.resolve();
        });
        await drain(below(2) === 0 ? 0 : 1);
        TALLYING.disarm();
      },
      // One stands still until its lease has ended and another has done its work.
      async () => {
        let stood = false;
        TALLYING.arm(async () => {
          if (stood) return;
          stood = true;
          clock.advance(2 * MINUTE_MS);
          await drain(1);
        });
        await drain(0);
        TALLYING.disarm();
      },
      () => drain(1),
    ];
    for (let n = 0; n < 40; n += 1) await acts[below(acts.length)]?.();
    await apps[0].app.get(DeliveryWorker).drain(new Date(clock.now().getTime() + DAY_MS));
    await drain(0, 12 * DAY_MS);
    const from = `from=${begin.toISOString()}`;
    for (const interval of ['hour', 'day'] as const) {
      const end = new Date(begin.getTime() + 160 * HOUR_MS).toISOString();
      const { points } = await summaryOf(session, `?interval=${interval}&${from}&to=${end}`);
      const expected = await recordsOf(session.environmentId, interval === 'hour' ? HOUR_MS : DAY_MS);
      const shown = points.flatMap(({ at, channels }) =>
        channels.map(({ channel, ...counts }) => [`${at} ${channel}`, counts]),
      );
      expect(Object.fromEntries(shown)).toEqual(expected);
    }
  });
});
