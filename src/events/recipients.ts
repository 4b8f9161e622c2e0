import { isEmail, isLocale } from 'class-validator';
import { type Fields, freeFormFaults, NAME_LENGTH } from '#libs/http-kit';
import type { RecipientEntry, RecipientSources } from '../delivery/index.js';

/** What `to` says, or what is wrong with it. */
export interface ParsedRecipients {
  readonly recipients: RecipientSources;
  /** Each begins with the path of what it is about. */
  readonly faults: readonly string[];
  /** Where each topic was named, for faults that only the store knows. */
  readonly topicPaths: ReadonlyMap<string, string>;
}

const TEXTS = ['firstName', 'lastName', 'phone', 'avatar'] as const;
const TEXT_LENGTH = 2_048;

/** What a described subscriber may have. */
export const SUBSCRIBER_FIELDS: Fields = {
  subscriberId: true,
  firstName: true,
  lastName: true,
  phone: true,
  avatar: true,
  email: true,
  locale: true,
  data: true,
  channels: { providerId: true, integrationIdentifier: true, credentials: true },
};
/** What an entry of `to` may have. */
export const RECIPIENT_FIELDS: Fields = { ...SUBSCRIBER_FIELDS, type: true, topicKey: true };

type Raw = Record<string, unknown>;

/**
 * Reads the recipients of a trigger: ids, described subscribers, topics, or a list of them.
 * What is named twice is one recipient, and its last description wins. A null in a list is left out.
 */
export function parseRecipients(to: unknown, path = 'to'): ParsedRecipients {
  // Asked for when a trigger is checked and again when it is accepted: a hundred thousand recipients are read once.
  const known = Array.isArray(to) ? parsedLists.get(to) : undefined;
  if (known?.path === path) return known.parsed;
  const parsed = readRecipients(to, path);
  if (Array.isArray(to)) parsedLists.set(to, { path, parsed });
  return parsed;
}

const parsedLists = new WeakMap<object, { path: string; parsed: ParsedRecipients }>();

function readRecipients(to: unknown, path: string): ParsedRecipients {
  const list = new Map<string, RecipientEntry>();
  const topics = new Map<string, string>();
  const faults: string[] = [];
  const entries: readonly unknown[] = Array.isArray(to) ? to : [to];
  for (let place = 0; place < entries.length; place += 1) {
    const entry = entries[place];
    if (entry === null && Array.isArray(to)) continue;
    if (isPlainId(entry)) {
      list.set(entry, { subscriberId: entry });
      continue;
    }
    const at = Array.isArray(to) ? `${path}.${place}` : path;
    if (isObject(entry) && 'topicKey' in entry) {
      const key = parseTopic(entry, at, faults);
      if (key !== undefined && !topics.has(key)) topics.set(key, `${at}.topicKey`);
      continue;
    }
    const subscriber = parseSubscriber(entry, at, faults);
    if (subscriber !== undefined) list.set(subscriber.subscriberId, subscriber);
  }
  if (faults.length === 0 && list.size === 0 && topics.size === 0) {
    faults.push(`${path} must name at least one subscriber or topic`);
  }
  return { recipients: { list: [...list.values()], topics: [...topics.keys()] }, faults, topicPaths: topics };
}

/** What most of a hundred thousand recipients are: an id in which nothing can be wrong. */
function isPlainId(entry: unknown): entry is string {
  return typeof entry === 'string' && entry.length <= NAME_LENGTH && entry !== '' && entry.trim() === entry;
}

/** Reads one subscriber: an id or a description. Faults go to `faults`, and the answer is undefined then. */
export function parseSubscriber(entry: unknown, path: string, faults: string[]): RecipientEntry | undefined {
  const before = faults.length;
  if (typeof entry === 'string') {
    checkId(entry, path, faults);
    return faults.length > before ? undefined : { subscriberId: entry.trim() };
  }
  if (!isObject(entry)) {
    faults.push(`${path} must be a subscriberId, a subscriber with a subscriberId, or a topic with a topicKey`);
    return undefined;
  }
  const { subscriberId } = entry;
  if (typeof subscriberId !== 'string') {
    faults.push(`${path}.subscriberId must be a string`);
    return undefined;
  }
  checkId(subscriberId, `${path}.subscriberId`, faults);
  const profile = parseProfile(entry, path, faults);
  return faults.length > before ? undefined : { subscriberId: subscriberId.trim(), ...profile };
}

function parseTopic({ type, topicKey }: Raw, path: string, faults: string[]): string | undefined {
  if (type !== 'Topic') faults.push(`${path}.type must be Topic`);
  if (typeof topicKey !== 'string' || topicKey === '' || topicKey.length > NAME_LENGTH) {
    faults.push(`${path}.topicKey must be a string of 1 to ${NAME_LENGTH} characters`);
    return undefined;
  }
  return topicKey;
}

function checkId(id: string, path: string, faults: string[]): void {
  if (id.trim() === '') faults.push(`${path} must not be empty`);
  else if (id.length > NAME_LENGTH) faults.push(`${path} must not be longer than ${NAME_LENGTH} characters`);
}

function parseProfile(entry: Raw, path: string, faults: string[]): Omit<RecipientEntry, 'subscriberId'> {
  const profile: Raw = {};
  for (const key of TEXTS) {
    if (!isGiven(entry[key])) continue;
    profile[key] = entry[key];
    if (typeof entry[key] !== 'string' || entry[key].length > TEXT_LENGTH)
      faults.push(`${path}.${key} must be a string`);
  }
  if (isGiven(entry['email'])) {
    profile['email'] = entry['email'];
    if (!isEmail(entry['email'])) faults.push(`${path}.email must be an email`);
  }
  if (isGiven(entry['locale'])) {
    profile['locale'] = entry['locale'];
    if (!isLocale(entry['locale'])) faults.push(`${path}.locale must be a locale such as en or en-US`);
  }
  if (isGiven(entry['data'])) {
    profile['data'] = entry['data'];
    faults.push(...freeFormFaults(entry['data'], `${path}.data`));
  }
  if (isGiven(entry['channels'])) profile['channels'] = parseChannels(entry['channels'], `${path}.channels`, faults);
  return profile;
}

function parseChannels(value: unknown, path: string, faults: string[]): unknown {
  if (!Array.isArray(value)) {
    faults.push(`${path} must be an array`);
    return undefined;
  }
  return value.map((channel: unknown, place) => parseChannel(channel, `${path}.${place}`, faults));
}

function parseChannel(channel: unknown, path: string, faults: string[]): unknown {
  if (!isObject(channel)) {
    faults.push(`${path} must be an object with providerId and credentials`);
    return undefined;
  }
  const { providerId, integrationIdentifier, credentials } = channel;
  if (typeof providerId !== 'string') faults.push(`${path}.providerId must be a string`);
  if (isGiven(integrationIdentifier) && typeof integrationIdentifier !== 'string') {
    faults.push(`${path}.integrationIdentifier must be a string`);
  }
  faults.push(...freeFormFaults(credentials, `${path}.credentials`));
  return { providerId, credentials, ...(isGiven(integrationIdentifier) && { integrationIdentifier }) };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
