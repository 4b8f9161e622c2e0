import type { SendWindow } from '../drafts/draft.js';

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Day = (typeof DAYS)[number];
type DaySchedule = NonNullable<SendWindow['weeklySchedule'][Day]>;

/** Hours of work: what a new window begins with. */
export function newWindow(): SendWindow {
  const hours = [{ start: '09:00', end: '17:00' }];
  const days = DAYS.slice(0, 5).map((day): [Day, DaySchedule] => [day, { isEnabled: true, hours }]);
  return { weeklySchedule: Object.fromEntries(days) };
}

export function withDay(window: SendWindow, day: Day, schedule: DaySchedule | undefined): SendWindow {
  const { [day]: _former, ...others } = window.weeklySchedule;
  return { ...window, weeklySchedule: { ...others, ...(schedule && { [day]: schedule }) } };
}

/** The first hours of a day, for fields of time; whole days have none. */
export function hoursOf(schedule: DaySchedule): { start: string; end: string } {
  const [first] = schedule.hours ?? [];
  return { start: clockTime(first?.start ?? ''), end: clockTime(first?.end ?? '') };
}

/** Changes the first hours of a day; those after it stay. Without both times, the day is open as a whole. */
export function withHours(schedule: DaySchedule, change: { start?: string; end?: string }): DaySchedule {
  const [, ...others] = schedule.hours ?? [];
  const { start, end } = { ...hoursOf(schedule), ...change };
  if (start === '' && end === '') return { isEnabled: true, ...(others.length > 0 && { hours: others }) };
  return { isEnabled: true, hours: [{ start: start || '00:00', end: end || '23:59' }, ...others] };
}

/** `09:30 PM` and `9:30` as fields of time have them: `21:30`, `09:30`. */
export function clockTime(text: string): string {
  const [, hour, minute, half] = /^(\d{1,2}):(\d{2})(?::\d{2})? ?([AP]M)?$/i.exec(text.trim()) ?? [];
  if (hour === undefined || minute === undefined) return '';
  const of24 = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  return `${String(of24).padStart(2, '0')}:${minute}`;
}
