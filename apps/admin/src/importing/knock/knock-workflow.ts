import { isObject, type RawObject } from '#libs/validation';
import { LeftOut, textOf } from '../novu-records.js';

/** A workflow as a file of Herald, and what it lacks. */
interface ReadKnock {
  readonly definition: RawObject;
  readonly changes: readonly string[];
}

/** Reads a file that a template names. @throws {LeftOut} */
type ReadText = (path: string) => string;

const CHANNELS = ['email', 'in_app_feed', 'sms', 'push', 'chat'] as const;
type Channel = (typeof CHANNELS)[number];
const HERALD_TYPES = { email: 'email', in_app_feed: 'in_app', sms: 'sms', push: 'push', chat: 'chat' } as const;

/** @param key name of the folder, which is the trigger identifier @throws {LeftOut} */
export function readKnockWorkflow(key: string, workflow: RawObject, readText: ReadText): ReadKnock {
  const changes: string[] = [];
  const reading = { readText, note: (text: string): void => void changes.push(text) };
  const steps = listOf(workflow['steps']).map((step, place) => stepOf(step, `steps.${place}`, reading));
  const { name, description, categories, settings } = workflow;
  const isActive = isObject(workflow['__readonly']) && workflow['__readonly']['active'] === true;
  const isCritical = isObject(settings) && settings['override_preferences'] === true;
  return {
    definition: {
      identifier: key,
      name: textOf(name) ?? key,
      ...(textOf(description) !== undefined && { description }),
      notificationGroup: 'General',
      active: isActive && changes.length === 0,
      ...(isCritical && { critical: true }),
      templateLanguage: 'liquid',
      ...(Array.isArray(categories) && categories.length > 0 && { tags: categories.map(String) }),
      steps,
    },
    changes: isActive && changes.length > 0 ? [...changes, 'it is inactive until you have looked at it'] : changes,
  };
}

interface Reading {
  readonly readText: ReadText;
  readonly note: (text: string) => void;
}

function stepOf(step: RawObject, place: string, reading: Reading): RawObject {
  const { ref, name, type, conditions, send_windows: windows } = step;
  if (listOf(windows).length > 0) reading.note(`${place} has a send window, which was left out`);
  return {
    stepId: textOf(ref) ?? place,
    ...(textOf(name) !== undefined && { name }),
    ...contentOf(String(type), step, place, reading),
    ...conditionsIn(conditions, place, reading),
  };
}

function contentOf(type: string, step: RawObject, place: string, reading: Reading): RawObject {
  const settings = isObject(step['settings']) ? step['settings'] : {};
  if (type === 'delay') return { template: { type }, metadata: duration(settings['delay_for'], place) };
  if (type === 'batch') {
    const batchKey = textOf(settings['batch_key']);
    const window = duration(settings['batch_window'], place);
    return { template: { type: 'digest' }, metadata: { ...window, ...(batchKey && { digestKey: pathIn(batchKey) }) } };
  }
  if (type === 'throttle') {
    const { amount, unit } = duration(settings['throttle_window'], place);
    const throttleKey = textOf(settings['throttle_key']);
    const metadata = { type: 'fixed', amount, unit, threshold: Number(settings['throttle_limit'] ?? 1) };
    return { template: { type }, metadata: { ...metadata, ...(throttleKey && { throttleKey: pathIn(throttleKey) }) } };
  }
  const channel = channelOf(type, step);
  if (channel === undefined) throw new LeftOut(`${place} is of the type '${type}', which is not taken over`);
  const template = isObject(step['template']) ? step['template'] : {};
  return { template: { type: HERALD_TYPES[channel], ...messageOf(channel, template, place, reading) } };
}

/** Older files say `channel`, and the reference or the channel says which. */
function channelOf(type: string, { ref, channel_key: key, channel_type: kind }: RawObject): Channel | undefined {
  const words = [type, kind, ref, key].map((word) => String(word).replaceAll('-', '_'));
  if (type !== 'channel') return CHANNELS.find((channel) => channel === words[0]);
  return CHANNELS.find((channel) => words.slice(1).some((word) => word.startsWith(channel)));
}

function messageOf(channel: Channel, template: RawObject, place: string, reading: Reading): RawObject {
  const text = (field: string): string | undefined => {
    const path = textOf(template[`${field}@`]);
    const found = path === undefined ? textOf(template[field]) : reading.readText(path);
    return found === undefined ? undefined : templateOf(found, `${place}.${field}`, reading);
  };
  if (channel === 'email') {
    const { settings } = template;
    const layout = isObject(settings) ? textOf(settings['layout_key']) : undefined;
    const content = text('html_body') ?? text('text_body');
    if (content === undefined) throw new LeftOut(`${place} is a mail of blocks; write it again in HTML`);
    return { subject: text('subject') ?? '', contentType: 'customHtml', content, ...(layout && { layout }) };
  }
  const content = text('text_body') ?? text('markdown_body');
  if (content === undefined) throw new LeftOut(`${place} has no text_body or markdown_body`);
  if (template['text_body'] === undefined && template['text_body@'] === undefined)
    reading.note(`${place} is Markdown, which is shown as it is written`);
  if (channel === 'push') return { title: text('title') ?? '', content };
  const url = text('action_url');
  if (channel !== 'in_app_feed' || url === undefined) return { content };
  return { content, cta: { type: 'redirect', data: { url } } };
}

/** What a recipient has by itself; the rest is data of the subscriber. */
const PROFILE: Readonly<Record<string, string>> = {
  id: 'subscriberId',
  email: 'email',
  phone_number: 'phone',
  avatar: 'avatar',
  locale: 'locale',
  timezone: 'timezone',
  name: 'name',
};
const RECIPIENT = /(?<![\w.'"])recipient\.(\w+)/g;

function profileField(name: string): string {
  return PROFILE[name] ?? `data.${name}`;
}

const TAGS = /\{\{[^{}]*\}\}|\{%[^{}%]*%\}/g;
const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/(?<![\w.'"])data\./g, 'payload.'],
  [/(?<![\w.'"])total_activities(?!\w)/g, 'step.total_count'],
  [/(?<![\w.'"])activities(?!\w)/g, 'step.events'],
];
/** What Knock's templates can read and Herald's cannot. */
const UNKNOWN =
  /(?<![\w.'"])(?:vars|workflow|current_message|timestamp|partial|render)(?=[.\s'"]|$)|subscriber\.name(?!\w)|\|\s*(?:timezone|currency|intent|asset)\w*/g;

/** Liquid, in the names of Herald. */
function templateOf(text: string, place: string, { note }: Reading): string {
  const unknown = new Set<string>();
  const renamed = text.replace(TAGS, (tag) => {
    const others = RENAMED.reduce((before, [from, to]) => before.replace(from, to), tag);
    const own = others.replace(RECIPIENT, (_all, name: string) => `subscriber.${profileField(name)}`);
    for (const [name] of own.matchAll(UNKNOWN)) unknown.add(name.trim());
    return own;
  });
  for (const name of unknown) note(`${place} reads '${name}', which Herald does not have`);
  return renamed;
}

function pathIn(path: string): string {
  return path.replace(/^data\./, '');
}

function duration(value: unknown, place: string): { type: 'regular'; amount: number; unit: string } {
  const { unit, value: amount } = isObject(value) ? value : {};
  if (typeof unit === 'string' && typeof amount === 'number') return { type: 'regular', amount, unit };
  throw new LeftOut(`${place} waits in a form that is not taken over; set an amount and a unit`);
}

const OPERATORS: Readonly<Record<string, string>> = {
  equal_to: 'EQUAL',
  not_equal_to: 'NOT_EQUAL',
  greater_than: 'LARGER',
  greater_than_or_equal_to: 'LARGER_EQUAL',
  less_than: 'SMALLER',
  less_than_or_equal_to: 'SMALLER_EQUAL',
  contains: 'IN',
  not_contains: 'NOT_IN',
  exists: 'IS_DEFINED',
};
const ROOTS: Readonly<Record<string, string>> = { data: 'payload', recipient: 'subscriber', tenant: 'tenant' };

function conditionsIn(conditions: unknown, place: string, { note }: Reading): RawObject {
  const own = isObject(conditions) ? conditions : {};
  const value = Array.isArray(own['any']) ? 'OR' : 'AND';
  const list = listOf(own['any'] ?? own['all'] ?? (Array.isArray(conditions) ? conditions : undefined));
  if (list.length === 0) return {};
  const children = list.map(({ variable, operator, argument }) => {
    const [root = '', ...path] = String(variable).split('.');
    const [on, known] = [ROOTS[root], OPERATORS[String(operator)]];
    if (on === undefined || known === undefined || path.length === 0) return undefined;
    const [first = '', ...rest] = path;
    const field = [root === 'recipient' ? profileField(first) : first, ...rest].join('.');
    return { on, field, operator: known, ...(known !== 'IS_DEFINED' && { value: argument }) };
  });
  if (!children.includes(undefined)) return { filters: [{ value, children }] };
  note(`${place} has a condition that conditions of Herald cannot say, which was left out`);
  return {};
}

function listOf(value: unknown): RawObject[] {
  return (Array.isArray(value) ? (value as unknown[]) : []).filter(isObject);
}
