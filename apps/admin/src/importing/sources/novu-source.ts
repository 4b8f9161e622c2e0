import { mongo } from 'mongoose';
import { isObject, type RawObject } from '#libs/validation';
import type { Row } from '../novu-records.js';

/** Some records, in the form in which Novu's database has them. */
export interface SourcePage {
  readonly rows: readonly Row[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
}

/** What a person has, to be compared. */
export interface OwnedCounts {
  readonly topics: number;
  readonly messages: number;
  readonly unread: number;
}

/** Where data of Novu is read from. */
export interface NovuSource {
  /** Without credentials; the same at each run. */
  readonly description: string;
  /** Whether credentials of integrations are read. */
  readonly hasSecrets: boolean;
  /** Kinds of records that it does not show, and why. */
  readonly notShown: Readonly<Record<string, string>>;
  /** Records of a collection of Novu's database, from the page that begins there. */
  pages(collection: string, where?: RawObject, at?: string): AsyncIterable<SourcePage>;
  /** Some people, chosen by chance. */
  people(count: number, stored: mongo.Db): Promise<Row[]>;
  /** @param since of in-app messages */
  ownedBy(person: Row, since: Date): Promise<OwnedCounts>;
}

/** All records of a collection: for those of which there are few. */
export async function allRows(source: NovuSource, collection: string, where?: RawObject): Promise<Row[]> {
  const all: Row[] = [];
  for await (const { rows } of source.pages(collection, where)) all.push(...rows);
  return all;
}

const ID = /^[0-9a-f]{24}$/i;
const DATES = new Set([
  'createdAt',
  'updatedAt',
  'lastOnlineAt',
  'lastSeenDate',
  'lastReadDate',
  'archivedAt',
  'snoozedUntil',
]);
/** What is in them belongs to the user. */
const FREE = new Set(['data', 'payload', 'overrides', 'credentials', 'controls', 'controlValues', 'content']);

/** JSON of Novu's API as its database has it: with ids and dates. */
export function asStored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asStored);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      if (FREE.has(key)) return [key, entry];
      if (typeof entry !== 'string') return [key, asStored(entry)];
      if (key.startsWith('_') && ID.test(entry)) return [key, new mongo.ObjectId(entry)];
      return [key, DATES.has(key) && !Number.isNaN(Date.parse(entry)) ? new Date(entry) : entry];
    }),
  );
}
