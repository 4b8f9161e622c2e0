import { clockTime, DAYS, hoursOf, newWindow, withDay, withHours } from './send-window.js';

it.each([
  ['09:00 AM', '09:00'],
  ['12:15 am', '00:15'],
  ['12:15 PM', '12:15'],
  ['9:30 pm', '21:30'],
  ['7:05', '07:05'],
  ['17:00:00', '17:00'],
  ['noon', ''],
])('should read %s', (text, expected) => {
  expect(clockTime(text)).toBe(expected);
});

it('should begin with the hours of work', () => {
  const { weeklySchedule, timezone } = newWindow();
  expect(Object.keys(weeklySchedule)).toEqual(DAYS.slice(0, 5));
  expect([weeklySchedule.friday, timezone]).toEqual([
    { isEnabled: true, hours: [{ start: '09:00', end: '17:00' }] },
    undefined,
  ]);
});

it('should open and close days, and keep the others', () => {
  const closed = withDay({ ...newWindow(), timezone: 'Europe/Berlin' }, 'monday', undefined);
  expect(closed.timezone).toBe('Europe/Berlin');
  expect(Object.keys(closed.weeklySchedule)).toEqual(['tuesday', 'wednesday', 'thursday', 'friday']);
  expect(withDay(closed, 'sunday', { isEnabled: true }).weeklySchedule.sunday).toEqual({ isEnabled: true });
});

it('should change the first hours of a day, and keep those after it', () => {
  const day = {
    isEnabled: true,
    hours: [
      { start: '09:00 AM', end: '12:00 PM' },
      { start: '02:00 PM', end: '05:00 PM' },
    ],
  };
  expect(hoursOf(day)).toEqual({ start: '09:00', end: '12:00' });
  expect(withHours(day, { end: '11:30' }).hours).toEqual([{ start: '09:00', end: '11:30' }, day.hours[1]]);
  expect(withHours({ isEnabled: true }, { start: '10:00' })).toEqual({
    isEnabled: true,
    hours: [{ start: '10:00', end: '23:59' }],
  });
  expect(withHours({ isEnabled: true, hours: [{ start: '10:00', end: '' }] }, { start: '' })).toEqual({
    isEnabled: true,
  });
});
