import { addUnits, momentOf } from './local-time.js';
import { delayDueAt } from './due-at.js';
import { nextTimed } from './next-timed.js';
import { nextOpening } from './opening-hours.js';
import { nextOccurrence } from './recurrence.js';
import { throttleWindowEnd } from '../../../src/engine/delivery/steps/throttle/throttle-window.js';

interface Case {
  readonly zone: string;
  /** A local time, without its date. */
  readonly day: string;
  readonly time: string;
  readonly instant: string;
}

const CASES: readonly (readonly [string, Case])[] = [
  [
    'that comes twice',
    { zone: 'Europe/Berlin', day: '2027-10-31', time: '02:30', instant: '2027-10-31T00:30:00.000Z' },
  ],
  [
    'that comes twice',
    { zone: 'America/New_York', day: '2027-11-07', time: '01:30', instant: '2027-11-07T05:30:00.000Z' },
  ],
  [
    'that comes twice',
    { zone: 'Europe/London', day: '2027-10-31', time: '01:30', instant: '2027-10-31T00:30:00.000Z' },
  ],
  [
    'that comes twice',
    { zone: 'Australia/Sydney', day: '2027-04-04', time: '02:30', instant: '2027-04-03T15:30:00.000Z' },
  ],
  [
    'that comes twice',
    { zone: 'Australia/Lord_Howe', day: '2027-04-04', time: '01:45', instant: '2027-04-03T14:45:00.000Z' },
  ],
  ['that is skipped', { zone: 'Europe/Berlin', day: '2027-03-28', time: '02:30', instant: '2027-03-28T01:30:00.000Z' }],
  [
    'that is skipped',
    { zone: 'America/New_York', day: '2027-03-14', time: '02:30', instant: '2027-03-14T07:30:00.000Z' },
  ],
  [
    'that is skipped',
    { zone: 'Australia/Lord_Howe', day: '2027-10-03', time: '02:15', instant: '2027-10-02T15:45:00.000Z' },
  ],
  [
    'that is skipped',
    { zone: 'America/Asuncion', day: '2023-10-01', time: '00:30', instant: '2023-10-01T04:30:00.000Z' },
  ],
];

/** Everything that makes an instant of a local time. */
const CONVERSIONS: Readonly<Record<string, (of: Case, now: Date) => Date | undefined>> = {
  'a text': ({ zone, day, time }) => momentOf(`${day}T${time}`, zone),
  'a text with seconds': ({ zone, day, time }) => momentOf(`${day} ${time}:00.000`.replace(' ', 'T'), zone),
  'a scheduled delay': ({ zone, day, time }, now) =>
    delayDueAt({ type: 'scheduled', delayPath: 'at' }, { at: `${day}T${time}:00` }, now, zone),
  'a throttle': ({ zone, day, time }, now) =>
    throttleWindowEnd(
      { type: 'dynamic', dynamicKey: 'until', threshold: 1 } as never,
      { payload: { until: `${day}T${time}:00` }, tenant: undefined },
      now,
      zone,
    ),
  'a timed digest': ({ zone, time }, now) =>
    nextTimed({ type: 'timed', amount: 1, unit: 'days', timed: { atTime: time } } as never, now, zone),
  'a daily schedule': ({ zone, time }, now) => {
    const [hour, minute] = time.split(':').map(Number);
    return nextOccurrence({ rule: { frequency: 'daily', hour, minute } as never, zone, startAt: now }, now);
  },
  cron: ({ zone, time }, now) => {
    const [hour, minute] = time.split(':').map(Number);
    return nextOccurrence({ rule: { cron: `${minute} ${hour} * * *` }, zone, startAt: now }, now);
  },
  'days later': ({ zone, day, time }) => {
    const before = new Date(Date.parse(`${day}T${time}Z`) - 86_400_000).toISOString().slice(0, 16);
    return addUnits(momentOf(before, zone), 1, 'days', zone);
  },
  'months later': ({ zone, day, time }) => {
    const [year, month, date] = day.split('-').map(Number) as [number, number, number];
    const before = new Date(Date.UTC(year, month - 1 - 5, date)).toISOString().slice(0, 10);
    if (before.slice(8) !== day.slice(8)) return addUnits(momentOf(`${day}T${time}`, zone), 0, 'months', zone);
    return addUnits(momentOf(`${before}T${time}`, zone), 5, 'months', zone);
  },
  'opening hours': ({ zone, time }, now) => {
    const day = { isEnabled: true, hours: [{ start: time, end: time }] };
    const week = Object.fromEntries(
      ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((name) => [name, day]),
    );
    return nextOpening([{ week: week, zone }], now);
  },
};

describe.each(Object.entries(CONVERSIONS))('a local time of %s', (_name, convert) => {
  it.each(CASES)('%s should be the first one, or as much later as the gap is long: %j', (_kind, one) => {
    const { zone, day, instant } = one;
    const midnight = momentOf(`${day}T00:00`, zone);
    const now = new Date(Math.min(midnight.getTime(), Date.parse(instant)) - 60_000);
    expect(convert(one, now)?.toISOString()).toBe(instant);
  });
});

describe('a text with an offset', () => {
  it.each([
    ['2027-10-31T02:30:00+01:00', '2027-10-31T01:30:00.000Z'],
    ['2027-10-31T02:30:00+02:00', '2027-10-31T00:30:00.000Z'],
    ['2027-10-31T02:30+01', '2027-10-31T01:30:00.000Z'],
    ['2027-10-31T02:30:00+0100', '2027-10-31T01:30:00.000Z'],
    ['2027-10-31T02:30:00z', '2027-10-31T02:30:00.000Z'],
    ['2027-10-31T02:30:00+01:00[Europe/Berlin]', '2027-10-31T01:30:00.000Z'],
    ['2027-10-31T02:30:00.123Z', '2027-10-31T02:30:00.123Z'],
    ['2027-10-31', '2027-10-30T22:00:00.000Z'],
  ])('should be that instant in every zone: %s', (text, instant) => {
    expect(momentOf(text, 'Europe/Berlin').toISOString()).toBe(instant);
  });

  it('should be an invalid date if it is none', () => {
    expect(momentOf('tomorrow', 'Europe/Berlin').getTime()).toBeNaN();
  });
});
