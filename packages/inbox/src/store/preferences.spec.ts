import { fromField, nextRange, toField, withDay } from './preferences.js';

describe('times of day', () => {
  it.each([
    ['09:00 AM', '09:00'],
    ['12:00 AM', '00:00'],
    ['12:30 PM', '12:30'],
    ['11:59 PM', '23:59'],
  ])('should change %s to %s and back', (text, field) => {
    expect(toField(text)).toBe(field);
    expect(fromField(field)).toBe(text);
  });

  it.each([
    ['9:05 pm', '21:05'],
    ['17:30', '17:30'],
    ['soon', ''],
  ])('should read %s as %s', (text, field) => {
    expect(toField(text)).toBe(field);
  });
});

describe('withDay', () => {
  const office = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };

  it('should begin with office hours', () => {
    expect(withDay({ isEnabled: true }, 'monday', { isEnabled: true })).toEqual({
      isEnabled: true,
      weeklySchedule: { monday: office },
    });
  });

  it('should keep other days, and the hours of a day that is switched off', () => {
    const schedule = { isEnabled: true, weeklySchedule: { monday: office, friday: office } };
    expect(withDay(schedule, 'friday', { ...office, isEnabled: false }).weeklySchedule).toEqual({
      monday: office,
      friday: { ...office, isEnabled: false },
    });
  });
});

describe('nextRange', () => {
  const range = (start: string, end: string) => ({ start, end });

  it.each([
    [[range('09:00 AM', '12:00 PM')], range('01:00 PM', '04:00 PM')],
    [[range('09:00 AM', '12:00 PM'), range('01:00 PM', '08:30 PM')], range('09:30 PM', '11:59 PM')],
    [[range('10:00 PM', '06:00 AM')], range('07:00 AM', '10:00 AM')],
  ])('should come after %j', (hours, expected) => {
    expect(nextRange(hours)).toEqual(expected);
  });

  it('should be none where a day has no room, or Herald stores no more', () => {
    expect(nextRange([range('09:00 AM', '10:30 PM')])).toBeUndefined();
    expect(nextRange([range('09:00 AM', 'soon')])).toBeUndefined();
    expect(nextRange(Array.from({ length: 20 }, () => range('09:00 AM', '10:00 AM')))).toBeUndefined();
  });
});
