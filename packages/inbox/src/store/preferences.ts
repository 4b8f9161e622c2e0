import type { InboxApi } from './api.js';
import type { ChannelName, DaySchedule, InboxPreference, TimeRange, WeekDay, WeeklySchedule } from './types.js';

/** The preferences of the subscriber: the global one first, then those of workflows. */
export class InboxPreferences {
  constructor(private readonly api: InboxApi) {}

  list(): Promise<InboxPreference[]> {
    return this.api.call('GET', 'preferences');
  }

  /** @param workflowId absent: for all workflows */
  setChannel(workflowId: string | undefined, channel: ChannelName, isEnabled: boolean): Promise<InboxPreference> {
    const path = workflowId === undefined ? 'preferences' : `preferences/${encodeURIComponent(workflowId)}`;
    return this.api.call('PATCH', path, { body: { [channel]: isEnabled } });
  }

  setSchedule(schedule: WeeklySchedule): Promise<InboxPreference> {
    return this.api.call('PATCH', 'preferences', { body: { schedule } });
  }
}

const OFFICE_HOURS: DaySchedule = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };

/** With one day changed; a day that is switched on for the first time has office hours. */
export function withDay(schedule: WeeklySchedule, name: WeekDay, day: DaySchedule): WeeklySchedule {
  const isNew = day.isEnabled && (day.hours ?? []).length === 0;
  const hours = isNew ? OFFICE_HOURS.hours : day.hours;
  const changed: DaySchedule = { isEnabled: day.isEnabled, ...(hours && { hours }) };
  return { ...schedule, weeklySchedule: { ...schedule.weeklySchedule, [name]: changed } };
}

/** Herald stores no more for a day. */
const MAX_RANGES = 20;
const HOUR = 60;
const LAST_MINUTE = 24 * HOUR - 1;

/** Further hours of a day, after those that it has; undefined if the day has no room for them. */
export function nextRange(hours: readonly TimeRange[]): TimeRange | undefined {
  const start = Math.max(...hours.map(({ end }) => minutesOf(toField(end)))) + HOUR;
  if (hours.length >= MAX_RANGES || !(start <= LAST_MINUTE - HOUR)) return undefined;
  return { start: timeOf(start), end: timeOf(Math.min(start + 3 * HOUR, LAST_MINUTE)) };
}

function minutesOf(field: string): number {
  const [hours, minutes] = field.split(':').map(Number);
  return (hours ?? NaN) * HOUR + (minutes ?? NaN);
}

function timeOf(minutes: number): string {
  return fromField(`${Math.floor(minutes / HOUR)}:${String(minutes % HOUR).padStart(2, '0')}`);
}

/** `09:00 AM`, as published components write it, to `09:00`, as fields for times need it. */
export function toField(text: string): string {
  const [, hours = '', minutes = '', half = ''] = /^(\d+):(\d\d) ?([AP]M)?$/i.exec(text.trim()) ?? [];
  if (hours === '') return '';
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}

/** The opposite of {@link toField}. */
export function fromField(text: string): string {
  const [hours = '', minutes = ''] = text.split(':');
  const hour = Number(hours);
  return `${String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, '0')}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
}
