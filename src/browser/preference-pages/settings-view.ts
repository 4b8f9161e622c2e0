import { type Channel, CHANNELS } from '#libs/channels';
import { minuteOf, type WeeklySchedule } from '#libs/schedule';
import type { WorkflowPreferenceResponse } from '../../content/preferences/index.js';
import { PAGE_LANGUAGES, type PageLanguage } from './page-texts.js';

/** What a recipient has chosen, as the page shows it. */
export interface RecipientSettings {
  readonly locale: string | undefined;
  readonly timezone: string | undefined;
  /** Of everything. */
  readonly channels: Readonly<Record<Channel, boolean>>;
  readonly workflows: readonly WorkflowPreferenceResponse[];
  readonly schedule: WeeklySchedule | undefined;
}

/** More would make a page that nobody reads. */
export const MAX_SHOWN = 500;

export const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type WeekDay = (typeof WEEK)[number];

/** `start` and `end` as `HH:MM`; both empty: the whole day. */
interface FormRange {
  readonly start: string;
  readonly end: string;
}
interface FormDay {
  readonly isEnabled: boolean;
  readonly ranges: readonly FormRange[];
}
export interface FormSchedule {
  readonly isEnabled: boolean;
  readonly days: Readonly<Record<WeekDay, FormDay>>;
}

/** A channel is on if the workflow is: the page has no switch for a whole workflow. */
export function isOn({ preference }: WorkflowPreferenceResponse, channel: Channel): boolean {
  return preference.enabled && preference.channels[channel] === true;
}

export function channelsOf({ preference }: WorkflowPreferenceResponse): Channel[] {
  return CHANNELS.filter((channel) => preference.channels[channel] !== undefined);
}

interface Category {
  /** The same while the page is open, whatever is changed meanwhile. */
  readonly key: string;
  /** Undefined: workflows without a group that recipients see, and without a tag. */
  readonly title: string | undefined;
  readonly description?: string | undefined;
  readonly workflows: WorkflowPreferenceResponse[];
}

/** The groups that recipients see, then the first tag of other workflows; those without one come last. */
export function categoriesOf(workflows: readonly WorkflowPreferenceResponse[]): Category[] {
  const found = new Map<string, Category>();
  for (const one of workflows) {
    const heading = headingOf(one);
    const category = found.get(heading.key) ?? { ...heading, workflows: [] };
    category.workflows.push(one);
    found.set(heading.key, category);
  }
  const categories = [...found.values()];
  const tags = categories.filter(({ key, title }) => key.startsWith(TAG) && title !== undefined);
  return [
    ...categories.filter(({ key }) => !key.startsWith(TAG)),
    ...tags.sort((a, b) => (a.title ?? '').localeCompare(b.title ?? '')),
    ...categories.filter(({ title }) => title === undefined),
  ];
}

const TAG = 'tag ';

function headingOf({ notificationGroup: group, template }: WorkflowPreferenceResponse): Omit<Category, 'workflows'> {
  if (group !== undefined) return { key: group._id, title: group.name, description: group.description };
  const [tag] = template.tags;
  return { key: `${TAG}${tag ?? ''}`, title: tag };
}

export function usedChannels(workflows: readonly WorkflowPreferenceResponse[]): Channel[] {
  const used = new Set(workflows.flatMap(channelsOf));
  return CHANNELS.filter((channel) => used.has(channel));
}

/** As the inputs of the page show it. */
export function toFormSchedule(schedule: WeeklySchedule | undefined): FormSchedule {
  const days = WEEK.map((day): [WeekDay, FormDay] => {
    // Before the first schedule, working days are proposed.
    const stored = schedule?.weeklySchedule?.[day];
    const proposed = schedule === undefined && day !== 'saturday' && day !== 'sunday';
    const ranges = (stored?.hours ?? []).map(({ start, end }) => ({ start: clock(start), end: clock(end) }));
    return [day, { isEnabled: stored?.isEnabled ?? proposed, ranges: ranges.length > 0 ? ranges : [EMPTY] }];
  });
  return {
    isEnabled: schedule?.isEnabled === true,
    days: Object.fromEntries(days) as FormSchedule['days'],
  };
}

const EMPTY: FormRange = { start: '', end: '' };

export function toSchedule({ isEnabled, days }: FormSchedule): WeeklySchedule {
  const weeklySchedule = Object.fromEntries(
    WEEK.map((day) => {
      const { isEnabled: isDayOn, ranges } = days[day];
      const hours = ranges
        .filter(({ start, end }) => start !== '' || end !== '')
        .map(({ start, end }) => ({ start: halfDay(start || '00:00'), end: halfDay(end || '23:59') }));
      return [day, { isEnabled: isDayOn, ...(hours.length > 0 && { hours }) }];
    }),
  );
  return { isEnabled, weeklySchedule };
}

function clock(text: string): string {
  const minute = minuteOf(text) ?? 0;
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}

/** As the Inbox of the compatible system writes it. */
function halfDay(text: string): string {
  const minute = minuteOf(text) ?? 0;
  const hour = Math.floor(minute / 60);
  return `${pad(hour % 12 === 0 ? 12 : hour % 12)}:${pad(minute % 60)} ${hour < 12 ? 'AM' : 'PM'}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** Languages to choose from: those of the pages, and the subscriber's own. */
export function localesFor(own: string | undefined): string[] {
  return own === undefined || PAGE_LANGUAGES.includes(own) ? [...PAGE_LANGUAGES] : [own, ...PAGE_LANGUAGES];
}

export function zonesFor(own: string | undefined): string[] {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return own === undefined || known.includes(own) ? known : [own, ...known];
}

/** The name of a language in itself. */
export function languageName(locale: string): string {
  const tag = locale.replaceAll('_', '-');
  try {
    return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? locale;
  } catch {
    return locale;
  }
}

/** Of any week: the first of January 2024 is a Monday. */
export function dayName(day: WeekDay, { tag }: PageLanguage): string {
  const date = new Date(Date.UTC(2024, 0, 1 + WEEK.indexOf(day)));
  return new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' }).format(date);
}
