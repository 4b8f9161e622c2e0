import { faultsOf } from '#libs/validation';
import { isWithinSchedule, type WeeklySchedule, weeklySchedule } from './weekly-schedule.js';

const office = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };
const scheduleOf = (week: WeeklySchedule['weeklySchedule']): WeeklySchedule => ({
  isEnabled: true,
  weeklySchedule: week,
});

// 22 June 2026 is a Monday.
describe('isWithinSchedule', () => {
  it.each([
    ['2026-06-22T08:59:59Z', false],
    ['2026-06-22T09:00:00Z', true],
    ['2026-06-22T17:00:59Z', true],
    ['2026-06-22T17:01:00Z', false],
    ['2026-06-23T12:00:00Z', false],
  ])('should be within the hours of the day at %s: %s', (at, expected) => {
    expect(isWithinSchedule(scheduleOf({ monday: office }), new Date(at))).toBe(expected);
  });

  it.each([
    ['Asia/Tokyo', '2026-06-22T00:30:00Z', true],
    ['America/New_York', '2026-06-22T00:30:00Z', false],
    ['not a zone', '2026-06-22T09:30:00Z', true],
    [undefined, '2026-06-22T09:30:00Z', true],
  ])('should use the time zone %s', (zone, at, expected) => {
    expect(isWithinSchedule(scheduleOf({ monday: office }), new Date(at), zone)).toBe(expected);
  });

  it.each([
    ['2026-06-22T21:59:00Z', false],
    ['2026-06-22T22:00:00Z', true],
    ['2026-06-23T05:59:00Z', true],
    ['2026-06-23T06:01:00Z', false],
    ['2026-06-24T03:00:00Z', false],
  ])('should let a range end on the next day: %s is %s', (at, expected) => {
    const monday = { isEnabled: true, hours: [{ start: '22:00', end: '06:00' }] };
    expect(isWithinSchedule(scheduleOf({ monday }), new Date(at))).toBe(expected);
  });

  it('should take the whole of a day without hours, and nothing of a disabled one', () => {
    const at = new Date('2026-06-22T23:59:00Z');
    expect(isWithinSchedule(scheduleOf({ monday: { isEnabled: true } }), at)).toBe(true);
    expect(isWithinSchedule(scheduleOf({ monday: { ...office, isEnabled: false } }), at)).toBe(false);
    expect(isWithinSchedule(scheduleOf({ sunday: { isEnabled: true } }), at)).toBe(false);
  });

  it('should be always without a schedule or while it is disabled', () => {
    expect(isWithinSchedule({ isEnabled: true }, new Date())).toBe(true);
    expect(isWithinSchedule({ isEnabled: false, weeklySchedule: {} }, new Date())).toBe(true);
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
