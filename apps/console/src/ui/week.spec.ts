import { clockTime, DAYS, rangesOf, withDay, withRange, workWeek } from './week.js';

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
  const week = workWeek();
  expect(Object.keys(week)).toEqual(DAYS.slice(0, 5));
  expect(week.friday).toEqual({ isEnabled: true, hours: [{ start: '09:00', end: '17:00' }] });
});

it('should open and close days, and keep the others', () => {
  const closed = withDay(workWeek(), 'monday', undefined);
  expect(Object.keys(closed)).toEqual(['tuesday', 'wednesday', 'thursday', 'friday']);
  expect(withDay(closed, 'sunday', { isEnabled: true }).sunday).toEqual({ isEnabled: true });
});

it('should change one range of a day, add one and take one away', () => {
  const day = {
    isEnabled: true,
    hours: [
      { start: '09:00 AM', end: '12:00 PM' },
      { start: '02:00 PM', end: '05:00 PM' },
    ],
  };
  const [morning, afternoon] = [
    { start: '09:00', end: '12:00' },
    { start: '14:00', end: '17:00' },
  ];
  expect(rangesOf(day)).toEqual([morning, afternoon]);
  expect(withRange(day, 0, { end: '11:30' }).hours).toEqual([{ start: '09:00', end: '11:30' }, afternoon]);
  expect(withRange(day, 2, { start: '20:00', end: '21:00' }).hours).toEqual([
    morning,
    afternoon,
    { start: '20:00', end: '21:00' },
  ]);
  expect(withRange(day, 1, { start: '', end: '' }).hours).toEqual([morning]);
});

it('should open a day as a whole without times, and end it where one is missing', () => {
  expect(rangesOf({ isEnabled: true })).toEqual([{ start: '', end: '' }]);
  expect(withRange({ isEnabled: true }, 0, { start: '10:00' }).hours).toEqual([{ start: '10:00', end: '23:59' }]);
  const until = { isEnabled: true, hours: [{ start: '10:00', end: '12:00' }] };
  expect(withRange(until, 0, { start: '', end: '' })).toEqual({ isEnabled: true });
});
