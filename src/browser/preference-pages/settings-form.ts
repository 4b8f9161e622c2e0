import { type Channel, isChannel } from '#libs/channels';
import { FIELDS, NOT_IMPORTANT } from './settings-page.js';
import {
  type FormSchedule,
  localesFor,
  type RecipientSettings,
  WEEK,
  type WeekDay,
  zonesFor,
} from './settings-view.js';

export interface SwitchChange {
  /** Record id; null: everything. */
  readonly workflowId: string | null;
  readonly channel: Channel;
  readonly enabled: boolean;
}

export interface SettingsChange {
  readonly switches: readonly SwitchChange[];
  readonly schedule?: FormSchedule;
  readonly locale?: string;
  readonly timezone?: string;
}

const TIME = /^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/;
const MAX_RANGES = 20;

/**
 * What the recipient changed since the page was made; what others have changed meanwhile stays.
 * @param members ids of the workflows in each category, by its key
 * @returns undefined for a form that the page cannot have sent
 */
export function readSettings(
  form: URLSearchParams,
  settings: Pick<RecipientSettings, 'locale' | 'timezone'>,
  members: ReadonlyMap<string, readonly string[]>,
): SettingsChange | undefined {
  const schedule = readSchedule(form);
  const locale = changedText(form, FIELDS.locale);
  const timezone = changedText(form, FIELDS.timezone);
  if (schedule === undefined) return undefined;
  if (locale !== undefined && !localesFor(settings.locale).includes(locale)) return undefined;
  if (timezone !== undefined && !zonesFor(settings.timezone).includes(timezone)) return undefined;
  const category = form.get(FIELDS.categoryOff) ?? '';
  const off = category === NOT_IMPORTANT ? [...members.values()].flat() : (members.get(category) ?? []);
  return {
    switches: readSwitches(form, new Set(off)),
    ...(JSON.stringify(schedule) !== form.get(FIELDS.was(FIELDS.schedule)) && { schedule }),
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezone }),
  };
}

function changedText(form: URLSearchParams, name: string): string | undefined {
  const value = form.get(name) ?? '';
  return value === '' || value === form.get(FIELDS.was(name)) ? undefined : value;
}

const WORKFLOW_SHOWN = /^was\.workflow\.([0-9a-f]{24})$/;

/** The first word about each switch counts. A form may repeat them: each is looked up once, and written once. */
function readSwitches(form: URLSearchParams, off: ReadonlySet<string>): SwitchChange[] {
  const changes = new Map<string, SwitchChange>();
  const checked = new Set([...form].map(([name, value]) => `${name}=${value}`));
  for (const [name, shown] of form) {
    const workflowId = name === FIELDS.was(FIELDS.channel) ? null : WORKFLOW_SHOWN.exec(name)?.[1];
    if (workflowId === undefined) continue;
    const field = workflowId === null ? FIELDS.channel : FIELDS.workflow(workflowId);
    const isOff = workflowId !== null && off.has(workflowId);
    for (const state of shown.split(',')) {
      const [channel = '', was] = state.split(':');
      if (!isChannel(channel) || changes.has(`${field}=${channel}`)) continue;
      const enabled = !isOff && checked.has(`${field}=${channel}`);
      if (enabled !== (was === '1')) changes.set(`${field}=${channel}`, { workflowId, channel, enabled });
    }
  }
  return [...changes.values()];
}

function readSchedule(form: URLSearchParams): FormSchedule | undefined {
  const days: Partial<Record<WeekDay, FormSchedule['days'][WeekDay]>> = {};
  for (const day of WEEK) {
    const starts = form.getAll(FIELDS.start(day));
    const ends = form.getAll(FIELDS.end(day));
    if (starts.length !== ends.length || starts.length > MAX_RANGES) return undefined;
    if (![...starts, ...ends].every((time) => TIME.test(time))) return undefined;
    const ranges = starts.map((start, place) => ({ start, end: ends[place] ?? '' }));
    days[day] = { isEnabled: form.has(FIELDS.day(day)), ranges };
  }
  return { isEnabled: form.has(FIELDS.schedule), days: days as FormSchedule['days'] };
}
