import { nextOccurrences } from './recurrence.js';
import type { Recurrence } from './recurrence.schema.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Days around the changes of the clock of two years: by an hour, by half an hour, and none. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  'Europe/Berlin': ['2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31'],
  'America/New_York': ['2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04', '2027-04-04', '2027-10-03'],
  'Asia/Kolkata': ['2026-03-29', '2026-10-25'],
};
const TIMES = [
  [0, 0],
  [1, 30],
  [1, 45],
  [2, 0],
  [2, 15],
  [2, 30],
  [3, 0],
  [23, 59],
] as const;

interface Minute {
  readonly at: number;
  readonly day: string;
  readonly hour: number;
  readonly minute: number;
}

/** What a clock on the wall shows, minute by minute, by the calendar of the platform. */
function minutesAround(zone: string, day: string): Minute[] {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  const from = Date.parse(day) - 2 * DAY_MS;
  return Array.from({ length: 4 * 1_440 }, (_, n) => {
    const at = from + n * MINUTE_MS;
    const [date = '', time = ''] = format.format(at).split(', ');
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    return { at, day: date, hour, minute };
  });
}

/** The whole days among them. */
function daysOf(minutes: readonly Minute[]): Minute[][] {
  const days = new Map<string, Minute[]>();
  for (const one of minutes) days.set(one.day, [...(days.get(one.day) ?? []), one]);
  return [...days.values()].slice(1, -1);
}

function occurrencesIn(minutes: readonly Minute[], zone: string, rule: Recurrence): number[] {
  const [first] = minutes;
  const last = minutes.at(-1);
  if (first === undefined || last === undefined) return [];
  const of = { rule, zone, startAt: new Date(Date.UTC(2026, 0, 1)), endAt: new Date(last.at) };
  return nextOccurrences(of, new Date(first.at - 1), 10_000).map((at) => at.getTime());
}

describe.each(Object.entries(ZONES))('rules around the changes of the clock in %s', (zone, changes) => {
  const around = changes.map((day) => daysOf(minutesAround(zone, day)));

  it('should occur once on each day: at the time of day, the first of two, or as much later as the gap is long', () => {
    for (const days of around) {
      for (const [hour, minute] of TIMES) {
        const wanted = days.map((day) => {
          const shown = day.find((one) => one.hour === hour && one.minute === minute);
          if (shown !== undefined) return shown.at;
          const length = 1_440 - day.length;
          const moved = hour * 60 + minute + length;
          return day.find((one) => one.hour * 60 + one.minute === moved)?.at;
        });
        for (const rule of [{ frequency: 'daily', hour, minute } as const, { cron: `${minute} ${hour} * * *` }])
          expect([rule, occurrencesIn(days.flat(), zone, rule)]).toEqual([rule, wanted]);
      }
    }
  });

  it('should leave no minute out where cron names several of a gap', () => {
    for (const days of around) {
      const named = [0, 10, 15, 40, 55];
      const found = occurrencesIn(days.flat(), zone, { cron: `${named.join()} 2 * * *` });
      const shown = days.flat().filter(({ hour, minute }) => hour === 2 && named.includes(minute));
      const isFirst = ({ day, hour, minute }: Minute, place: number): boolean =>
        shown.findIndex((one) => one.day === day && one.hour === hour && one.minute === minute) === place;
      expect(found).toEqual(expect.arrayContaining(shown.filter(isFirst).map(({ at }) => at)));
      expect(new Set(found).size).toBe(found.length);
    }
  });

  it.each(['*/30 * * * *', '20 * * * *', '0 */2 * * *', '7,37 */3 * * *'])(
    'should, as %s, follow what the clock shows',
    (cron) => {
      const [minutes = '', hours = ''] = cron.split(' ');
      const isNamed = (field: string, value: number): boolean =>
        field.startsWith('*')
          ? value % Number(field.split('/')[1] ?? 1) === 0
          : field.split(',').map(Number).includes(value);
      for (const days of around) {
        const wanted = days.flat().filter(({ hour, minute }) => isNamed(hours, hour) && isNamed(minutes, minute));
        expect(occurrencesIn(days.flat(), zone, { cron })).toEqual(wanted.map(({ at }) => at));
      }
    },
  );

  it('should, for every hour, come at the minute that the clock shows, at least every 90 minutes', () => {
    for (const days of around) {
      const shown = new Map(days.flat().map((one) => [one.at, one.minute]));
      const found = occurrencesIn(days.flat(), zone, { frequency: 'hourly', minute: 15 });
      expect(new Set(found.map((at) => shown.get(at)))).toEqual(new Set([15]));
      const gaps = found.slice(1).map((at, place) => (at - (found[place] ?? 0)) / MINUTE_MS);
      expect(gaps.filter((gap) => gap !== 60 && gap !== 90 && gap !== 30)).toEqual([]);
      expect(gaps.filter((gap) => gap !== 60).length).toBeLessThanOrEqual(zone === 'Australia/Lord_Howe' ? 1 : 0);
    }
  });
});
