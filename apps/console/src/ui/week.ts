import type { Schemas } from '../api/client.js';

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Day = (typeof DAYS)[number];
export type Week = Schemas['SendWindowDto']['weeklySchedule'];
type DayHours = NonNullable<Week[Day]>;

export interface Range {
  readonly start: string;
  readonly end: string;
}

const WHOLE_DAY: Range = { start: '', end: '' };

/** Hours of work: what a new week begins with. */
export function workWeek(): Week {
  const hours = [{ start: '09:00', end: '17:00' }];
  const days = DAYS.slice(0, 5).map((day): [Day, DayHours] => [day, { isEnabled: true, hours }]);
  return Object.fromEntries(days);
}

/** @param hours undefined: closed */
export function withDay(week: Week, day: Day, hours: DayHours | undefined): Week {
  const { [day]: _former, ...others } = week;
  return { ...others, ...(hours && { [day]: hours }) };
}

/** For fields of time. A day that is open as a whole has one, without times. */
export function rangesOf({ hours = [] }: DayHours): Range[] {
  const ranges = hours.map(({ start, end }) => ({ start: clockTime(start), end: clockTime(end) }));
  return ranges.length === 0 ? [WHOLE_DAY] : ranges;
}

/** Without both times, the range is gone; without ranges, the day is open as a whole. */
export function withRange(day: DayHours, place: number, change: Partial<Range>): DayHours {
  const ranges = rangesOf(day);
  ranges[place] = { ...(ranges[place] ?? WHOLE_DAY), ...change };
  const hours = ranges
    .filter(({ start, end }) => start !== '' || end !== '')
    .map(({ start, end }) => ({ start: start || '00:00', end: end || '23:59' }));
  return { isEnabled: true, ...(hours.length > 0 && { hours }) };
}

/** `09:30 PM` and `9:30` as fields of time have them: `21:30`, `09:30`. */
export function clockTime(text: string): string {
  const [, hour, minute, half] = /^(\d{1,2}):(\d{2})(?::\d{2})? ?([AP]M)?$/i.exec(text.trim()) ?? [];
  if (hour === undefined || minute === undefined) return '';
  const of24 = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  return `${String(of24).padStart(2, '0')}:${minute}`;
}
