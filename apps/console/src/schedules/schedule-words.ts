import type { Schemas } from '../api/client.js';
import type { Tone } from '../ui/status.js';

export type Schedule = Schemas['ScheduleResponse'];
export type Rule = Schemas['RecurrenceDto'];
export type Occurrence = Schemas['OccurrenceResponse'];

export const OF_SUBSCRIBER = 'subscriber';

const UNITS = { hourly: 'hour', daily: 'day', weekly: 'week', monthly: 'month' } as const;

/** When it occurs: `Every 2 weeks on Monday, at 09:30`. */
export function ruleWords(rule: Rule | undefined): string {
  if (rule === undefined) return 'Once';
  if (rule.cron) return `Cron ${rule.cron}`;
  const { frequency } = rule;
  if (!frequency) return 'Once';
  const unit = UNITS[frequency];
  const every = (rule.interval ?? 1) === 1 ? `Every ${unit}` : `Every ${rule.interval} ${unit}s`;
  const minute = twoDigits(rule.minute ?? 0);
  if (frequency === 'hourly') return `${every}, at minute ${minute}`;
  const days = frequency === 'weekly' && rule.days ? ` on ${rule.days.map(capitalized).join(', ')}` : '';
  const day = frequency === 'monthly' && rule.dayOfMonth ? ` on day ${rule.dayOfMonth}` : '';
  return `${every}${days}${day}, at ${twoDigits(rule.hour ?? 0)}:${minute}`;
}

export function zoneWords(timezone: string | undefined): string {
  return timezone === OF_SUBSCRIBER ? 'in the zone of each subscriber' : (timezone ?? 'UTC');
}

export function statusWord({ status }: Pick<Schedule, 'status'>): { tone: Tone; label: string } {
  if (status === 'active') return { tone: 'good', label: 'Active' };
  return status === 'paused' ? { tone: 'warn', label: 'Paused' } : { tone: 'idle', label: 'Ended' };
}

/** What became of the last occurrence. */
export function outcomeWord({ status }: NonNullable<Schedule['last']>): { tone: Tone; label: string } {
  if (status === 'processed') return { tone: 'good', label: 'Triggered' };
  if (status === 'skipped') return { tone: 'warn', label: 'Missed, and skipped' };
  return { tone: 'bad', label: 'Not triggered' };
}

/** An occurrence as the clocks of its zone show it: `Mon, 5 Jan 2099, 09:30`. */
export function timeIn(at: string, timezone: string | undefined): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone ?? 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return format.format(new Date(at));
}

export function occurrenceWords({ at, localTime }: Occurrence, timezone: string | undefined): string {
  return localTime === undefined ? timeIn(at, timezone) : timeIn(`${localTime}Z`, 'UTC');
}

export function titleOf({ name, workflow }: Pick<Schedule, 'name' | 'workflow'>): string {
  return name ?? workflow;
}

export function recipientWords({ subscribers, topics }: Pick<Schedule, 'subscribers' | 'topics'>): string {
  return [...subscribers, ...topics.map((key) => `topic ${key}`)].join(', ');
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function capitalized(day: string): string {
  return day.charAt(0).toUpperCase() + day.slice(1);
}
