import { faultsOf } from '#libs/validation';
import { zoneOf } from './calendar.js';
import { isOpen, nextOpening, type OpeningHours } from './opening-hours.js';
import { sendWindow, type Week, type WeeklySchedule, weeklySchedule } from './opening-hours.schema.js';

const office = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };
const hoursOf = (week: Week, timezone?: string): OpeningHours => ({
  week,
  zone: zoneOf({ timezone: 'subscriber' }, timezone),
});
const scheduleOf = (week: WeeklySchedule['weeklySchedule']): WeeklySchedule => ({
  isEnabled: true,
  weeklySchedule: week,
});

// 22 June 2026 is a Monday.
describe('isOpen', () => {
  it.each([
    ['2026-06-22T08:59:59Z', false],
    ['2026-06-22T09:00:00Z', true],
    ['2026-06-22T17:00:59Z', true],
    ['2026-06-22T17:01:00Z', false],
    ['2026-06-23T12:00:00Z', false],
  ])('should be within the hours of the day at %s: %s', (at, expected) => {
    expect(isOpen(hoursOf({ monday: office }), new Date(at))).toBe(expected);
  });

  it.each([
    ['Asia/Tokyo', '2026-06-22T00:30:00Z', true],
    ['America/New_York', '2026-06-22T00:30:00Z', false],
    ['not a zone', '2026-06-22T09:30:00Z', true],
    [undefined, '2026-06-22T09:30:00Z', true],
  ])('should use the time zone %s', (zone, at, expected) => {
    expect(isOpen(hoursOf({ monday: office }, zone), new Date(at))).toBe(expected);
  });

  it.each([
    ['2026-06-22T21:59:00Z', false],
    ['2026-06-22T22:00:00Z', true],
    ['2026-06-23T05:59:00Z', true],
    ['2026-06-23T06:01:00Z', false],
    ['2026-06-24T03:00:00Z', false],
  ])('should let a range end on the next day: %s is %s', (at, expected) => {
    const monday = { isEnabled: true, hours: [{ start: '22:00', end: '06:00' }] };
    expect(isOpen(hoursOf({ monday }), new Date(at))).toBe(expected);
  });

  it('should take the whole of a day without hours, and nothing of a disabled one', () => {
    const at = new Date('2026-06-22T23:59:00Z');
    expect(isOpen(hoursOf({ monday: { isEnabled: true } }), at)).toBe(true);
    expect(isOpen(hoursOf({ monday: { ...office, isEnabled: false } }), at)).toBe(false);
    expect(isOpen(hoursOf({ sunday: { isEnabled: true } }), at)).toBe(false);
  });
});

describe('nextOpening', () => {
  const next = (all: OpeningHours[], now: string): string | undefined => nextOpening(all, new Date(now))?.toISOString();

  it('should be now while everything is open', () => {
    expect(next([], '2026-06-22T03:00:00Z')).toBe('2026-06-22T03:00:00.000Z');
    expect(next([hoursOf({ monday: office })], '2026-06-22T12:34:56.789Z')).toBe('2026-06-22T12:34:56.789Z');
  });

  it.each([
    ['2026-06-22T08:59:59Z', '2026-06-22T09:00:00.000Z'],
    ['2026-06-22T17:01:00Z', '2026-06-29T09:00:00.000Z'],
  ])('should be the next range of the week after %s', (now, expected) => {
    expect(next([hoursOf({ monday: office })], now)).toBe(expected);
  });

  it('should be when ranges of two zones meet', () => {
    const berlin = hoursOf({ monday: office, tuesday: office }, 'Europe/Berlin');
    const newYork = hoursOf({ monday: office, tuesday: office }, 'America/New_York');
    expect(next([berlin, newYork], '2026-06-22T00:00:00Z')).toBe('2026-06-22T13:00:00.000Z');
    expect(next([newYork, berlin], '2026-06-22T15:01:00Z')).toBe('2026-06-23T13:00:00.000Z');
  });

  it('should be never where every day is closed, or where ranges do not meet', () => {
    expect(next([hoursOf({})], '2026-06-22T00:00:00Z')).toBeUndefined();
    expect(next([hoursOf({ monday: office }), hoursOf({ tuesday: office })], '2026-06-22T00:00:00Z')).toBeUndefined();
  });

  // Berlin puts its clocks forward on 29 March 2026, at 02:00, and back on 25 October, at 03:00. Both are Sundays.
  it.each([
    ['as much later as the clock was put forward', '02:30', '2026-03-29T00:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['at the first of two times', '02:30', '2026-10-24T20:00:00Z', '2026-10-25T00:30:00.000Z'],
  ])('should be %s', (_rule, start, now, expected) => {
    const sunday = { isEnabled: true, hours: [{ start, end: '02:40' }] };
    const hours = hoursOf({ sunday }, 'Europe/Berlin');
    expect(next([hours], now)).toBe(expected);
    expect(isOpen(hours, new Date(expected))).toBe(true);
    expect(isOpen(hours, new Date(Date.parse(expected) + 11 * 60_000))).toBe(false);
  });

  it('should open every day for as long as the range says, whatever clocks do', () => {
    const sunday = { isEnabled: true, hours: [{ start: '02:30', end: '03:10' }] };
    const hours = hoursOf({ sunday }, 'Europe/Berlin');
    expect(isOpen(hours, new Date('2026-03-29T02:10:59Z'))).toBe(true);
    expect(isOpen(hours, new Date('2026-03-29T02:11:00Z'))).toBe(false);
  });

  it('should take no longer than a blink for the largest schedules', () => {
    const hours = Array.from({ length: 20 }, (_, place) => ({ start: `${place}:00`, end: `${place}:01` }));
    const day = { isEnabled: true, hours };
    const week = { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day, sunday: day };
    const never = {
      isEnabled: true,
      hours: hours.map(({ start }) => ({ start: start.replace(':00', ':30'), end: start.replace(':00', ':31') })),
    };
    const other = {
      monday: never,
      tuesday: never,
      wednesday: never,
      thursday: never,
      friday: never,
      saturday: never,
      sunday: never,
    };
    const before = process.cpuUsage();
    expect(
      next([hoursOf(week, 'Europe/Berlin'), hoursOf(other, 'America/New_York')], '2026-06-22T00:00:00Z'),
    ).toBeUndefined();
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(200);
  });
});

describe('sendWindow', () => {
  it('should accept days, with or without a time zone', () => {
    const weeklySchedule = { monday: office };
    expect(faultsOf(sendWindow, { weeklySchedule }, 'sendWindow')).toEqual([]);
    expect(faultsOf(sendWindow, { timezone: 'subscriber', weeklySchedule }, 'sendWindow')).toEqual([]);
  });

  it('should refuse one that never opens, and unknown zones', () => {
    expect(faultsOf(sendWindow, { weeklySchedule: {} }, 'w')).toEqual([
      'w.weeklySchedule must enable a day of the week',
    ]);
    expect(faultsOf(sendWindow, { timezone: 'Mars', weeklySchedule: { monday: office } }, 'w')).toEqual([
      "w.timezone must be 'subscriber' or a time zone, such as Europe/Berlin",
    ]);
    expect(faultsOf(sendWindow, 'always', 'w')).toEqual(['w must be an object with weeklySchedule']);
  });
});

describe('weeklySchedule', () => {
  it.each(['09:00 AM', '9:05 pm', '12:00 AM', '23:59', '00:00'])('should accept %s', (start) => {
    const sent = scheduleOf({ friday: { isEnabled: true, hours: [{ start, end: '11:59 PM' }] } });
    expect(faultsOf(weeklySchedule, sent, 'schedule')).toEqual([]);
  });

  it.each(['24:00', '13:00 PM', '00:30 AM', '9', ''])('should refuse %j', (start) => {
    const sent = scheduleOf({ friday: { isEnabled: true, hours: [{ start, end: '11:59 PM' }] } });
    expect(faultsOf(weeklySchedule, sent, 'schedule')).toEqual([
      'schedule.weeklySchedule.friday.hours.0.start must be a time such as 09:00 AM',
    ]);
  });
});
