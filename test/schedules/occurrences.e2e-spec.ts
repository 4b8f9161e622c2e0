import { mongo } from 'mongoose';
import { repetitions, type TestSession } from '../harness/index.js';
import { type Schedule } from '../../src/engine/schedules/schedule.schema.js';
import { OCCURRED, ScheduleWorker } from '../../src/engine/schedules/schedule-worker.js';
import { createSchedule, schedulePath } from '../factories/schedule.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, feedOf, inApp } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { seeded } from '../support/schedules.js';

const HOUR_MS = 3_600_000;
const idsOf = (...made: Json[]): mongo.ObjectId[] => made.map(({ _id }) => new mongo.ObjectId(String(_id)));
const LEASE_MS = 10_000;
/** The clock never goes back. */
const NEXT_YEAR = new Date().getUTCFullYear() + 1;

const delivery = useDeliveryApi('schedule_occurrences', {
  DELIVERY_WORKER: 'off',
  DELIVERY_LEASE_MS: String(LEASE_MS),
  LOG_LEVEL: 'silent',
});

describe('the occurrences of a schedule', () => {
  let session: TestSession;
  let worker: ScheduleWorker;

  beforeEach(async () => {
    session = await delivery.api.session();
    worker = delivery.api.app.get(ScheduleWorker, { strict: false });
    // Each test begins at a full hour.
    const now = delivery.clock.now().getTime();
    delivery.clock.moveTo(new Date(Math.ceil((now + 1) / (24 * HOUR_MS)) * 24 * HOUR_MS));
  });
  afterEach(() => OCCURRED.disarm());

  const goTo = async (at: Date): Promise<void> => {
    await worker.drain(at);
    await delivery.drain();
  };
  const later = (hours: number, from = delivery.clock.now()): Date => new Date(from.getTime() + hours * HOUR_MS);
  const eventsOf = async ({ _id }: Json): Promise<string[]> => {
    // by its index: the long form stores very many
    const rows = await delivery.rows('triggerEvents', {
      _environmentId: new mongo.ObjectId(session.environmentId),
      transactionId: { $gte: `schedule:${String(_id)}:`, $lt: `schedule:${String(_id)};` },
    });
    return rows.map(({ transactionId }) => String(transactionId).split(':').slice(2).join(':')).sort();
  };
  const get = (made: Json): Promise<Json> => dataOf(session.get(schedulePath(made)), 200);

  it('should each trigger the workflow once, with payload, and be shown', async () => {
    const { identifier } = await createWorkflow(session, [inApp('{{n}}')]);
    const start = delivery.clock.now();
    const made = await createSchedule(session, {
      workflow: identifier,
      payload: { n: 7 },
      rule: { frequency: 'daily', hour: 9 },
    });
    await goTo(later(8.9, start));
    expect(await eventsOf(made)).toEqual([]);
    await goTo(later(33, start));
    expect(await eventsOf(made)).toEqual([later(9, start).toISOString(), later(33, start).toISOString()]);
    expect((await feedOf(session, 'ada')).map(({ content }) => content)).toEqual(['7', '7']);
    expect(await get(made)).toMatchObject({
      status: 'active',
      next: { at: later(57, start).toISOString() },
      last: { at: later(33, start).toISOString(), status: 'processed' },
    });
  });

  it('should end with the last one', async () => {
    const startAt = later(1);
    const once = await createSchedule(session, { rule: null, startAt: startAt.toISOString() });
    await goTo(later(3));
    expect(await eventsOf(once)).toEqual([startAt.toISOString()]);
    const ended = await get(once);
    expect(ended).toMatchObject({ status: 'ended' });
    expect(ended).not.toHaveProperty('next');
  });

  it('should follow the members of topics, and say why nothing was triggered', async () => {
    await session.post('/v1/topics', { key: 'team', name: 'Team' }).expect(201);
    await session.post('/v1/subscribers', { subscriberId: 'eve' }).expect(201);
    const { _id, identifier } = await createWorkflow(session, [inApp('Hello')]);
    const made = await createSchedule(session, {
      workflow: identifier,
      subscribers: null,
      topics: ['team'],
      rule: { frequency: 'hourly' },
    });
    await session.post('/v1/topics/team/subscribers', { subscribers: ['eve'] }).expect(200);
    await goTo(later(1));
    expect(await feedOf(session, 'eve')).toHaveLength(1);
    await session.put(`/v1/workflows/${_id}/status`, { active: false }).expect(200);
    delivery.clock.advance(2_000);
    await goTo(later(1));
    expect(await get(made)).toMatchObject({ status: 'active', last: { status: 'trigger_not_active' } });
  });

  it('should come to each subscriber at the time of day of their zone', async () => {
    const zones = { tokyo: 'Asia/Tokyo', berlin: 'Europe/Berlin', york: 'America/New_York', nowhere: undefined };
    for (const [subscriberId, timezone] of Object.entries(zones))
      await session.post('/v1/subscribers', { subscriberId, ...(timezone && { timezone }) }).expect(201);
    delivery.clock.moveTo(new Date(`${NEXT_YEAR}-02-01T00:00:00Z`));
    const made = await createSchedule(session, {
      subscribers: Object.keys(zones),
      timezone: 'subscriber',
      rule: { cron: '0 9 3 2 *' },
    });
    expect(made['next']).toEqual({
      at: `${NEXT_YEAR}-02-02T19:00:00.000Z`,
      localTime: `${NEXT_YEAR}-02-03T09:00:00`,
    });
    await goTo(new Date(`${NEXT_YEAR}-02-02T20:00:00Z`));
    expect(await eventsOf(made)).toHaveLength(1);
    const arrivals = { tokyo: '00:00', berlin: '08:00', nowhere: '09:00', york: '14:00' };
    for (const [subscriberId, time] of Object.entries(arrivals)) {
      const at = Date.parse(`${NEXT_YEAR}-02-03T${time}:00Z`);
      await delivery.drain(at - 1 - delivery.clock.now().getTime());
      expect(await feedOf(session, subscriberId)).toHaveLength(0);
      await delivery.drain(1);
      expect(await feedOf(session, subscriberId)).toHaveLength(1);
    }
  });

  it.each([
    ['run_once', 1],
    ['skip', 0],
  ])('should, where they were missed, follow the rule %s', async (missed, count) => {
    const made = await createSchedule(session, { missed, rule: { frequency: 'hourly' } });
    delivery.clock.moveTo(later(48.5));
    await goTo(delivery.clock.now());
    expect(await eventsOf(made)).toHaveLength(count);
    expect(await get(made)).toMatchObject({
      next: { at: later(0.5).toISOString() },
      last: { status: count === 1 ? 'processed' : 'skipped' },
    });
  });

  it('should not be repeated after the clock was set back', async () => {
    const made = await createSchedule(session, { rule: { frequency: 'hourly' } });
    const start = delivery.clock.now();
    await goTo(later(1));
    delivery.clock.moveTo(start);
    await goTo(later(1, start));
    expect(await eventsOf(made)).toHaveLength(1);
  });

  it('should be triggered where the schedule is changed when they are due, and not when it is paused', async () => {
    const made = await createSchedule(session, { rule: { frequency: 'hourly' } });
    delivery.clock.moveTo(later(1));
    const at = delivery.clock.now();
    const rule = { frequency: 'daily', hour: 12 };
    await session.patch(schedulePath(made), { rule }).expect(200);
    await goTo(at);
    expect(await eventsOf(made)).toEqual([at.toISOString()]);
    expect(await get(made)).toMatchObject({ rule, next: { at: expect.stringContaining('T12:00') as unknown } });
    const paused = await createSchedule(session, { rule: { frequency: 'hourly' } });
    delivery.clock.moveTo(later(1));
    await session.post(`${schedulePath(paused)}/pause`).expect(200);
    await session.delete(schedulePath(await createSchedule(session, { rule: { frequency: 'hourly' } }))).expect(204);
    await goTo(later(2));
    expect(await eventsOf(paused)).toEqual([]);
  });

  it('should leave a subscriber out who was deleted, and end with the last one', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'eve' }).expect(201);
    const alone = await createSchedule(session, { subscribers: ['eve'], rule: { frequency: 'hourly' } });
    const shared = await createSchedule(session, { subscribers: ['eve', 'ada'], rule: { frequency: 'hourly' } });
    await session.delete('/v1/subscribers/eve').expect(200);
    await goTo(later(2));
    expect(await eventsOf(alone)).toEqual([]);
    expect(await get(shared)).toMatchObject({ subscribers: ['ada'] });
    await session.get(schedulePath(alone)).expect(404);
  });

  it('should all come where none is late by more than ten minutes, and be one where more are missed', async () => {
    const made = await createSchedule(session, { rule: { cron: '* * * * *' } });
    const start = delivery.clock.now();
    delivery.clock.moveTo(later(9.5 / 60, start));
    await goTo(delivery.clock.now());
    expect(await eventsOf(made)).toHaveLength(9);
    delivery.clock.moveTo(later(2, start));
    await goTo(delivery.clock.now());
    const after = (await eventsOf(made)).slice(9).map((at) => (Date.parse(at) - start.getTime()) / 60_000);
    expect(after).toEqual([10, ...Array.from({ length: 10 }, (_, n) => 111 + n)]);
  });

  it('should take an actor who was deleted out, also of what was deleted before', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'eve' }).expect(201);
    const acted = await createSchedule(session, { actor: 'eve' });
    const gone = await createSchedule(session, { subscribers: ['eve', 'ada'] });
    await session.delete(schedulePath(gone)).expect(204);
    await session.delete('/v1/subscribers/eve').expect(200);
    expect(await get(acted)).not.toHaveProperty('actor');
    expect(JSON.stringify(await delivery.rows('schedules', { _id: { $in: idsOf(acted, gone) } }))).not.toContain('eve');
  });

  it('should be in the export of a subscriber, without the others', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'eve' }).expect(201);
    const made = await createSchedule(session, { subscribers: ['eve', 'ada'], payload: { n: 1 } });
    const { records } = await dataOf<{ records: Json[] }>(session.get('/v1/subscribers/eve/export'), 200);
    const data = records.filter(({ kind }) => kind === 'schedule').map((record) => record['data']);
    expect(data).toEqual([expect.objectContaining({ _id: made['_id'], subscribers: ['eve'], payload: { n: 1 } })]);
    expect(data[0]).not.toHaveProperty('by');
  });

  /** Holders claim, stand still for longer than their leases, carry out late or twice, and die before and after the trigger. */
  const FIRST_SEEDS = Array.from({ length: repetitions({ short: 1, long: 20 }) }, (_, n) => 1 + n * 50);
  it.each(FIRST_SEEDS)(
    'should each trigger one event under any order of stalls and deaths, from seed %i',
    async (first) => {
      const faults: string[] = [];
      for (let seed = first; seed < first + repetitions({ short: 8, long: 50 }); seed += 1) {
        const random = seeded(seed);
        delivery.clock.moveTo(new Date(Math.ceil(delivery.clock.now().getTime() / HOUR_MS) * HOUR_MS));
        const made = await createSchedule(session, { rule: { cron: '* * * * *' } });
        const start = delivery.clock.now().getTime();
        const hands: (readonly Schedule[])[] = [];
        for (let act = 0; act < 60; act += 1) {
          const dice = random();
          const held = dice < 0.6 && dice >= 0.3 ? hands.splice(Math.floor(random() * hands.length), 1)[0] : undefined;
          if (dice < 0.3) hands.push(await worker.claim());
          else if (held !== undefined) {
            if (random() < 0.3) OCCURRED.armOnce(() => Promise.reject(new mongo.MongoError('dead')));
            await worker.carryOut(held);
            OCCURRED.disarm();
            if (random() < 0.3) hands.push(held);
            const early = (await eventsOf(made)).filter((at) => Date.parse(at) > delivery.clock.now().getTime());
            if (early.length > 0) faults.push(`seed ${seed}: early ${early.join()}`);
          } else delivery.clock.advance(Math.floor(random() * LEASE_MS * 1.5));
        }
        const end = new Date(delivery.clock.now().getTime() + LEASE_MS);
        await worker.drain(end);
        const minutes = Math.floor((end.getTime() - start) / 60_000);
        const wanted = Array.from({ length: minutes }, (_, n) => new Date(start + (n + 1) * 60_000).toISOString());
        const events = await eventsOf(made);
        if (events.join() !== wanted.join()) faults.push(`seed ${seed}: ${events.join()} instead of ${wanted.join()}`);
        const last = (await get(made))['last'] as { at: string } | undefined;
        if (last?.at !== wanted.at(-1)) faults.push(`seed ${seed}: not recorded`);
        await session.delete(schedulePath(made)).expect(204);
      }
      expect(faults).toEqual([]);
    },
  );
});
