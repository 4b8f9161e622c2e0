import { mongo } from 'mongoose';
import { ManualClock } from '#libs/common';
import { repetitions } from '../harness/index.js';
import type { Schedule } from '../../src/engine/schedules/schedule.schema.js';
import { OCCURRED, ScheduleWorker } from '../../src/engine/schedules/schedule-worker.js';
import { createSchedule } from '../factories/schedule.factory.js';
import type { Json } from '../support/answers.js';
import { type DeliveryApi, startDeliveryApi, storeNamed } from '../support/delivery-api.js';
import { seeded } from '../support/schedules.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FROM = Date.parse('2026-10-01T00:00:00Z');
const TO = Date.parse('2026-11-06T00:00:00Z');
/** In this time, Lord Howe lacks the time, and Berlin and New York have it twice. */
const TIMES = {
  'Europe/Berlin': '02:15',
  'America/New_York': '01:15',
  'Australia/Lord_Howe': '02:15',
  'Asia/Kolkata': '02:15',
};
const LEASE_MS = 10_000;

/** As the clocks on the walls of a zone show it. */
function shownIn(timeZone: string, at: Date): { day: string; time: string } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  const [day = '', time = ''] = format.format(at).split(', ');
  return { day, time };
}

/** The days in which the whole time of day lies. */
function daysOf(timeZone: string): string[] {
  const days = new Set<string>();
  for (let at = FROM; at <= TO; at += HOUR_MS) days.add(shownIn(timeZone, new Date(at)).day);
  return [...days].slice(1, -1);
}

describe('schedules in four zones', () => {
  it('should occur once a day while processes end, die and stand still, and the clock is changed', async () => {
    const restarts = repetitions({ short: 3, long: 50 });
    const random = seeded(restarts);
    const clock = new ManualClock(new Date(FROM));
    const store = storeNamed('schedule_restarts');
    const start = (): Promise<DeliveryApi> =>
      startDeliveryApi(
        'schedule_restarts',
        { DELIVERY_WORKER: 'off', DELIVERY_LEASE_MS: String(LEASE_MS), LOG_LEVEL: 'silent' },
        clock,
        store,
      );
    let life = await start();
    const session = await life.api.session();
    const made = new Map<string, Json>();
    for (const [timezone, time] of Object.entries(TIMES)) {
      const [hour, minute] = time.split(':').map(Number);
      made.set(timezone, await createSchedule(session, { timezone, rule: { frequency: 'daily', hour, minute } }));
    }
    const workerOf = ({ api }: DeliveryApi): ScheduleWorker => api.app.get(ScheduleWorker, { strict: false });
    for (let restart = 1; restart <= restarts; restart += 1) {
      const until = FROM + ((TO - FROM) * restart) / (restarts + 1);
      await workerOf(life).drain(new Date(until));
      // It dies over the next one, before or after the trigger, or stands still over it.
      const next = (await life.rows('schedules')).map(({ nextAt }) => (nextAt as Date).getTime());
      clock.moveTo(new Date(Math.min(...next)));
      const hand: readonly Schedule[] = await workerOf(life).claim();
      if (random() < 0.5) OCCURRED.armOnce(() => Promise.reject(new mongo.MongoError('dead')));
      if (random() < 0.5) await workerOf(life).carryOut(hand);
      const following = await start();
      clock.advance(Math.floor(random() * 9 * MINUTE_MS));
      await workerOf(following).drain();
      if (random() < 0.5) await workerOf(life).carryOut(hand);
      OCCURRED.disarm();
      await life.api.close();
      life = following;
      if (random() < 0.3) clock.moveTo(new Date(clock.now().getTime() - HOUR_MS));
    }
    await workerOf(life).drain(new Date(TO));
    for (const [zone, { _id }] of made) {
      const rows = await life.rows('triggerEvents', { transactionId: { $regex: `^schedule:${String(_id)}:` } });
      const shown = rows
        .map(({ transactionId }) => new Date(String(transactionId).split(':').slice(2).join(':')))
        .sort((one, other) => one.getTime() - other.getTime())
        .map((at) => shownIn(zone, at));
      const usual = TIMES[zone as keyof typeof TIMES];
      const timeOn = (day: string): string =>
        zone === 'Australia/Lord_Howe' && day === '2026-10-04' ? '02:45' : usual;
      const wanted = daysOf(zone).map((day) => ({ day, time: timeOn(day) }));
      const inside = shown.filter(({ day }) => wanted.some((one) => one.day === day));
      expect([zone, inside]).toEqual([zone, wanted]);
    }
    await life.api.close();
  });
});
