import { isEmail, isLocale } from 'class-validator';
import { findOperatorKeys, NAME_LENGTH } from '#libs/http-kit';
import type { RecipientEntry, RecipientSources } from '../notifications/index.js';

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

type Raw = Record<string, unknown>;

/**
 * Reads the recipients of a trigger: ids, described subscribers, topics, or a list of them (delivery-behaviour 1.2).
 * What is named twice is one recipient, and its last description wins. A null in a list is left out.
 */
export function parseRecipients(to: unknown, path = 'to'): ParsedRecipients {
  const list = new Map<string, RecipientEntry>();
  const topics = new Map<string, string>();
  const faults: string[] = [];
  const entries = Array.isArray(to)
    ? to.map((entry, place) => [entry, `${path}.${place}`] as const)
    : [[to, path] as const];
  for (const [entry, at] of entries) {
    if (entry === null && Array.isArray(to)) continue;
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

function freeFormFaults(value: unknown, path: string): string[] {
  if (!isObject(value)) return [`${path} must be an object`];
  return findOperatorKeys(value, path).map((at) => `${at} is not allowed: keys must not begin with $`);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
