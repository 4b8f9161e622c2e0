import type { Schemas } from '../api/client.js';
import { prettyJson } from '../ui/pretty-json.js';
import { objectOf } from '../ui/json-fault.js';
import { OF_SUBSCRIBER, type Rule, type Schedule } from './schedule-words.js';

export type SentSchedule = Schemas['CreateScheduleDto'];
type Day = NonNullable<Rule['days']>[number];

export const DAYS: readonly Day[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
export const KINDS = ['once', 'hourly', 'daily', 'weekly', 'monthly', 'cron'] as const;
export type Kind = (typeof KINDS)[number];

/** A schedule as the form shows it: texts, and lists with commas in between. */
export interface ScheduleDraft {
  readonly name: string;
  readonly workflow: string;
  readonly subscribers: string;
  readonly topics: string;
  readonly kind: Kind;
  readonly interval: string;
  readonly days: readonly Day[];
  readonly dayOfMonth: string;
  readonly time: string;
  readonly minute: string;
  readonly cron: string;
  readonly timezone: string;
  /** In the time zone of the schedule. */
  readonly startAt: string;
  readonly endAt: string;
  readonly missed: 'run_once' | 'skip';
  readonly tenant: string;
  readonly actor: string;
  readonly payload: string;
}

/** The zone in which dates are counted where each subscriber has one: the one whose day begins first. */
const EARLIEST_ZONE = 'Etc/GMT-14';

export function draftOf(schedule: Schedule | undefined, workflow = ''): ScheduleDraft {
  const rule = schedule?.rule;
  const zone = schedule?.timezone;
  return {
    name: schedule?.name ?? '',
    workflow: schedule?.workflow ?? workflow,
    subscribers: (schedule?.subscribers ?? []).join(', '),
    topics: (schedule?.topics ?? []).join(', '),
    kind: schedule === undefined ? 'daily' : kindOf(rule),
    interval: String(rule?.interval ?? 1),
    days: rule?.days ?? [],
    dayOfMonth: String(rule?.dayOfMonth ?? ''),
    time: `${twoDigits(rule?.hour ?? (schedule === undefined ? 9 : 0))}:${twoDigits(rule?.minute ?? 0)}`,
    minute: String(rule?.minute ?? 0),
    cron: rule?.cron ?? '',
    timezone: zone ?? '',
    startAt: schedule === undefined ? '' : localOf(schedule.startAt, zone),
    endAt: schedule?.endAt === undefined ? '' : localOf(schedule.endAt, zone),
    missed: schedule?.missed ?? 'run_once',
    tenant: schedule?.tenant ?? '',
    actor: schedule?.actor ?? '',
    payload: prettyJson(schedule?.payload ?? {}),
  };
}

/** When it occurs, as the API takes it. What the form does not know to the second is sent only if it was changed. */
export function timingOf(draft: ScheduleDraft, stored?: Schedule): Schemas['PreviewScheduleDto'] {
  const before = stored && draftOf(stored);
  const isSame = (field: 'startAt' | 'endAt'): boolean =>
    before !== undefined && before[field] === draft[field] && before.timezone === draft.timezone;
  return {
    rule: ruleOf(draft),
    timezone: orNull(draft.timezone),
    startAt: isSame('startAt') ? stored?.startAt : orNull(draft.startAt),
    endAt: isSame('endAt') ? (stored?.endAt ?? null) : orNull(draft.endAt),
  };
}

/** What the API takes: null for what is empty. */
export function sentOf(draft: ScheduleDraft, stored?: Schedule): SentSchedule {
  return {
    name: orNull(draft.name),
    workflow: draft.workflow,
    subscribers: listOf(draft.subscribers),
    topics: listOf(draft.topics),
    payload: objectOf(draft.payload).value ?? {},
    tenant: orNull(draft.tenant),
    actor: orNull(draft.actor),
    missed: draft.missed,
    ...withoutLocalOnce(timingOf(draft, stored), draft, stored),
  };
}

/** A stored single time of each subscriber is a time of day, and stays where it is not sent. */
function withoutLocalOnce(
  timing: Schemas['PreviewScheduleDto'],
  { kind, timezone }: ScheduleDraft,
  stored: Schedule | undefined,
): Schemas['PreviewScheduleDto'] {
  const isStored = timing.startAt === stored?.startAt;
  if (kind !== 'once' || timezone !== OF_SUBSCRIBER || !isStored) return timing;
  const { startAt: _startAt, ...others } = timing;
  return others;
}

function ruleOf(draft: ScheduleDraft): Rule | null {
  const { kind } = draft;
  if (kind === 'once') return null;
  if (kind === 'cron') return { cron: draft.cron.trim() };
  const interval = numberOf(draft.interval);
  if (kind === 'hourly') return { frequency: kind, interval, minute: numberOf(draft.minute) };
  const [hour = '', minute = ''] = draft.time.split(':');
  return {
    frequency: kind,
    interval,
    hour: numberOf(hour),
    minute: numberOf(minute),
    ...(kind === 'weekly' && draft.days.length > 0 && { days: [...draft.days] }),
    ...(kind === 'monthly' && draft.dayOfMonth !== '' && { dayOfMonth: numberOf(draft.dayOfMonth) }),
  };
}

function kindOf(rule: Rule | undefined): Kind {
  if (rule?.cron) return 'cron';
  return rule?.frequency ?? 'once';
}

/** `2099-01-05T09:30`, as a field for dates shows it. */
export function localOf(at: string, timezone: string | undefined): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone === OF_SUBSCRIBER ? EARLIEST_ZONE : (timezone ?? 'UTC'),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  return `${parts['year']}-${parts['month']}-${parts['day']}T${parts['hour']}:${parts['minute']}`;
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

/** What is no number is sent as it is not one, and the API says what it expects. */
function numberOf(text: string): number {
  return text.trim() === '' ? 0 : Number(text);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
