import type { mongo } from 'mongoose';
import { findHostileJson, operatorKeyFaults } from '#libs/http-kit';
import { MAX_KEY_LENGTH } from '#libs/templates';
import { isObject, isForbiddenSegment } from '#libs/validation';
import { SEVERITIES, type Severity } from '../../../content/workflows/index.js';

const MAX_TAGS = 100;
const MAX_TAG_LENGTH = 255;
const MAX_CONDITIONS = 20;
const MAX_FEEDS = 100;
const MAX_TEXT_LENGTH = 10_000;

/** Absent fields match everything, but snoozed messages must be asked for. */
export interface InboxFilter {
  /** A message needs a tag of each group. */
  readonly tags?: readonly (readonly string[])[];
  readonly severity?: readonly Severity[];
  /** Identifiers of feeds. */
  readonly feeds?: readonly string[];
  readonly groupKey?: string;
  readonly read?: boolean;
  readonly seen?: boolean;
  readonly archived?: boolean;
  readonly snoozed?: boolean;
  /** By path; any one of the values. */
  readonly data?: readonly (readonly [path: string, values: readonly unknown[]])[];
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
}

const FLAGS = ['read', 'seen', 'archived', 'snoozed'] as const;
const FORMS: Readonly<Record<string, (value: unknown, path: string) => string[]>> = {
  tags: tagFaults,
  severity: severityFaults,
  feedIdentifier: feedFaults,
  groupKey: groupFaults,
  data: dataFaults,
  createdGte: dateFaults,
  createdLte: dateFaults,
  ...Object.fromEntries(FLAGS.map((flag) => [flag, flagFaults])),
};

/** Ignores unknown keys and keys without a value. */
export function filterFaults(filter: unknown, path: string): string[] {
  if (!isObject(filter)) return [`${path} must be an object`];
  return Object.entries(FORMS).flatMap(([key, faultsOf]) => {
    const value = filter[key];
    return value === undefined || value === null ? [] : faultsOf(value, `${path}.${key}`);
  });
}

/** @param sent a filter without faults */
export function toFilter(sent: Readonly<Record<string, unknown>>): InboxFilter {
  const { tags, severity, feedIdentifier, groupKey, data, createdGte, createdLte } = sent;
  const groups = tagGroups(tags) ?? [];
  const conditions = isGiven(data) ? flatten(parsed(data) as Record<string, unknown>, '') : [];
  const feeds = isGiven(feedIdentifier) ? ([feedIdentifier].flat() as string[]) : [];
  const severities = isGiven(severity) ? ([severity].flat() as Severity[]) : [];
  return {
    ...Object.fromEntries(FLAGS.filter((flag) => isGiven(sent[flag])).map((flag) => [flag, sent[flag]])),
    ...(groups.length > 0 && { tags: groups }),
    ...(severities.length > 0 && { severity: severities }),
    ...(feeds.length > 0 && { feeds }),
    ...(isGiven(groupKey) && { groupKey: groupKey as string }),
    ...(conditions.length > 0 && { data: conditions }),
    ...(isGiven(createdGte) && { createdFrom: toDate(createdGte) }),
    ...(isGiven(createdLte) && { createdTo: toDate(createdLte) }),
  };
}

/**
 * To be combined with the subscriber, which has the index.
 * @param feedIds of the feeds of the filter
 */
export function whereOf(filter: InboxFilter, feedIds: readonly mongo.ObjectId[] = []): mongo.Document {
  const { tags = [], severity, read, seen, archived, groupKey, data = [], createdFrom, createdTo } = filter;
  return {
    snoozedUntil: { $exists: filter.snoozed === true },
    ...(read !== undefined && { read }),
    ...(seen !== undefined && { seen }),
    ...(archived !== undefined && { archived }),
    ...(filter.feeds && { _feedId: { $in: feedIds } }),
    ...(groupKey !== undefined && { groupKey }),
    ...(severity && {
      $or: severity.map((level) => ({ severity: level === 'none' ? { $in: [null, level] } : level })),
    }),
    ...((createdFrom ?? createdTo) !== undefined && {
      createdAt: { ...(createdFrom && { $gte: createdFrom }), ...(createdTo && { $lte: createdTo }) },
    }),
    ...(tags.length > 0 && { $and: tags.map((group) => ({ tags: { $in: group } })) }),
    // `$in` prevents values of a caller from being read as operators.
    ...Object.fromEntries(data.map(([path, values]) => [`data.${path}`, { $in: values }])),
  };
}

/**
 * One group as a text or list; several as a list of lists, `{ or }`, or `{ and: [{ or }] }`. Undefined: none of these.
 */
function tagGroups(tags: unknown): readonly (readonly string[])[] | undefined {
  if (!isGiven(tags)) return [];
  const groups = isObject(tags) ? (Array.isArray(tags['and']) ? (tags['and'] as unknown[]) : [tags]) : nested(tags);
  const lists = groups.map((group) => (isObject(group) ? group['or'] : group));
  if (!lists.every(isTextList)) return undefined;
  return lists.filter((list) => list.length > 0);
}

function nested(tags: unknown): unknown[] {
  const list = Array.isArray(tags) ? (tags as unknown[]) : [tags];
  return list.some((entry) => typeof entry === 'string') ? [list] : list;
}

function isTextList(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((tag) => typeof tag === 'string' && tag.length <= MAX_TAG_LENGTH);
}

export function tagFaults(tags: unknown, path: string): string[] {
  const groups = tagGroups(tags);
  if (groups === undefined) return [`${path} must be texts of at most ${MAX_TAG_LENGTH} characters, or groups of them`];
  return groups.flat().length > MAX_TAGS ? [`${path} must have at most ${MAX_TAGS} texts`] : [];
}

export function groupFaults(groupKey: unknown, path: string): string[] {
  const isKey = typeof groupKey === 'string' && groupKey !== '' && groupKey.length <= MAX_KEY_LENGTH;
  return isKey ? [] : [`${path} must be a text of 1 to ${MAX_KEY_LENGTH} characters`];
}

export function severityFaults(severity: unknown, path: string): string[] {
  const levels: unknown[] = Array.isArray(severity) ? severity : [severity];
  const isKnown = levels.every((level) => (SEVERITIES as readonly unknown[]).includes(level));
  return isKnown && levels.length <= SEVERITIES.length ? [] : [`${path} must be of ${SEVERITIES.join(', ')}`];
}

export function feedFaults(feeds: unknown, path: string): string[] {
  const identifiers: unknown[] = Array.isArray(feeds) ? feeds : [feeds];
  if (!isTextList(identifiers)) return [`${path} must be texts of at most ${MAX_TAG_LENGTH} characters`];
  return identifiers.length > MAX_FEEDS ? [`${path} must have at most ${MAX_FEEDS} texts`] : [];
}

/** An object, or its JSON, with texts, numbers, booleans and lists of them. */
export function dataFaults(data: unknown, path: string): string[] {
  const object = parsed(data);
  if (!isObject(object)) return [`${path} must be a JSON object`];
  const fault = findHostileJson(object, { path, offset: 0, depth: 0 });
  if (fault !== undefined) return [fault];
  const operators = operatorKeyFaults(object, path);
  if (operators.length > 0) return operators;
  const conditions = flatten(object, '');
  if (conditions.flatMap(([, values]) => values).length > MAX_CONDITIONS) {
    return [`${path} must have at most ${MAX_CONDITIONS} values`];
  }
  const isFaulty = ([key, values]: Condition): boolean =>
    key.split('.').some((segment) => segment === '' || isForbiddenSegment(segment)) || !values.every(isPlain);
  return conditions.some(isFaulty) ? [`${path} must have names with texts, numbers or booleans, or lists of them`] : [];
}

type Condition = readonly [path: string, values: readonly unknown[]];

function flatten(value: Readonly<Record<string, unknown>>, path: string): Condition[] {
  return Object.entries(value).flatMap(([key, child]): Condition[] => {
    const childPath = path === '' ? key : `${path}.${key}`;
    return isObject(child) ? flatten(child, childPath) : [[childPath, [child].flat()]];
  });
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function parsed(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  if (data.length > MAX_TEXT_LENGTH) return undefined;
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}

export function dateFaults(value: unknown, path: string): string[] {
  return Number.isNaN(toDate(value).getTime()) ? [`${path} must be a date, or milliseconds since 1970`] : [];
}

function toDate(value: unknown): Date {
  if (typeof value === 'number') return new Date(value);
  if (typeof value !== 'string' || value.trim() === '') return new Date(Number.NaN);
  return new Date(/^\d+$/.test(value) ? Number(value) : value);
}

function flagFaults(value: unknown, path: string): string[] {
  return typeof value === 'boolean' ? [] : [`${path} must be a boolean`];
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
