import mongoose, { type Model, type mongo } from 'mongoose';
import { storeFault } from '#libs/common';
import { Batcher } from '#libs/work';
import { Turns } from '#libs/worker-pool';
import { collect } from './pagination.js';
import { isStoreUnavailable } from './store-errors.js';

const { deserialize } = mongoose.mongo.BSON;

export interface FindCommand {
  readonly filter: mongo.Document;
  readonly sort?: Sort;
  readonly skip?: number;
  /** Absent: all rows. */
  readonly limit?: number;
  readonly projection?: Readonly<Record<string, 0 | 1>>;
}

export type Sort = Readonly<Record<string, 1 | -1>>;

type Source = Pick<Model<unknown>, 'db' | 'collection'>;

interface FindReply {
  readonly cursor: { readonly id: number | mongo.Long; readonly firstBatch: readonly Uint8Array[] };
}

interface CountReply {
  readonly cursor: { readonly firstBatch: readonly { readonly _id: number; readonly n: number }[] };
}

interface WantedCount {
  readonly filter: mongo.Document;
  readonly limit: number | undefined;
}

/** Counts in one command. Servers allow 200 stages at least. */
const MOST_COUNTS = 50;
/** One command reads a list without a limit if it has no more rows. */
const BATCH_ROWS = 1_000;
/** Bytes decoded between two checks of the clock. */
const PORTION_BYTES = 64_000;
/** The rows stay bytes in the reply, so that decoding them can yield. */
const ROWS_AS_BYTES = { fieldsAsRaw: { firstBatch: true } } as const;

/**
 * One `find` command: the driver's cursor parses each row twice, which costs as much as the rest of the read. The
 * cursor takes over for rows that one reply cannot hold, and to retry after a lost connection.
 */
export async function findRows<T>(source: Source, find: FindCommand): Promise<T[]> {
  const rows = await firstBatch(source, find);
  if (rows !== undefined) return decoded<T>(rows);
  const { filter, ...options } = find;
  return collect<T>(source.collection.find(filter, options) as AsyncIterable<T>);
}

/** @param limit stops counting here */
export async function countRows(source: Source, filter: mongo.Document, limit?: number): Promise<number> {
  const [count = 0] = await countEach(source, [{ filter, limit }]);
  return count;
}

const batchers = new WeakMap<Source, Batcher<WantedCount, number>>();

/** Counts of concurrent callers in one command. */
export function countTogether(source: Source, filter: mongo.Document, limit: number): Promise<number> {
  let batcher = batchers.get(source);
  if (batcher === undefined) {
    const limits = { size: MOST_COUNTS, concurrency: 4, beside: 16 };
    batcher = new Batcher(
      (wanted) => countEach(source, wanted),
      limits,
      (error) => !isStoreUnavailable(error),
    );
    batchers.set(source, batcher);
  }
  return batcher.submit({ filter, limit });
}

async function countEach(source: Source, wanted: readonly WantedCount[]): Promise<number[]> {
  const { collectionName: aggregate } = source.collection;
  const [first = [], ...others] = wanted.map(toCountStages);
  const pipeline = [...first, ...others.map((stages) => ({ $unionWith: { coll: aggregate, pipeline: stages } }))];
  // One more than there are counts, because servers keep the cursor of a batch that is exactly full.
  const cursor = { batchSize: wanted.length + 1 };
  const reply = await command<CountReply>(source, { aggregate, pipeline, cursor });
  if (reply === undefined) {
    const again = ({ filter, limit }: WantedCount): Promise<number> =>
      source.collection.countDocuments(filter, limit === undefined ? {} : { limit });
    return Promise.all(wanted.map(again));
  }
  const counts = new Map(reply.cursor.firstBatch.map(({ _id, n }) => [_id, n]));
  return wanted.map((_, place) => counts.get(place) ?? 0);
}

/** What `countDocuments` sends. The id is the place among the counts of the command, and has no row if nothing is found. */
function toCountStages({ filter, limit }: WantedCount, place: number): mongo.Document[] {
  const limited = limit === undefined ? [] : [{ $limit: limit }];
  return [{ $match: filter }, ...limited, { $group: { _id: place, n: { $sum: 1 } } }];
}

async function firstBatch(source: Source, find: FindCommand): Promise<readonly Uint8Array[] | undefined> {
  const { collectionName } = source.collection;
  // One more than the limit, because servers keep the cursor of a batch that is exactly full.
  const batchSize = (find.limit ?? BATCH_ROWS) + 1;
  const reply = await command<FindReply>(source, { find: collectionName, ...find, batchSize }, ROWS_AS_BYTES);
  if (reply === undefined || Number(reply.cursor.id) === 0) return reply?.cursor.firstBatch;
  // May fail: the server ends idle cursors by itself.
  await source.db.db?.command({ killCursors: collectionName, cursors: [reply.cursor.id] }).catch(() => undefined);
  return undefined;
}

/** @returns undefined if the command failed and is worth repeating */
async function command<Reply>(source: Source, document: mongo.Document, options = {}): Promise<Reply | undefined> {
  const { db } = source.db;
  if (db === undefined) throw new mongoose.mongo.MongoNotConnectedError('The store is not connected.');
  const { readConcern, readPreference } = db;
  // Unlike a cursor, a command does not take them from the connection string.
  const read = { ...options, ...(readPreference && { readPreference }) };
  const full = readConcern === undefined ? document : { ...document, readConcern: readConcern.toJSON() };
  try {
    return (await db.command(full, read)) as Reply;
  } catch (error) {
    if (isWorthRepeating(error)) return undefined;
    throw error;
  }
}

/** Waiting for a server in vain takes seconds; a second time would not help. */
function isWorthRepeating(error: unknown): boolean {
  return storeFault(error) === 'unavailable' && !(error instanceof mongoose.mongo.MongoServerSelectionError);
}

/** Yields between portions, because decoding large rows is slow. */
async function decoded<T>(rows: readonly Uint8Array[]): Promise<T[]> {
  const turns = new Turns();
  const documents: T[] = [];
  let bytes = 0;
  for (const row of rows) {
    documents.push(deserialize(row) as T);
    bytes += row.byteLength;
    if (bytes < PORTION_BYTES) continue;
    await turns.offer();
    bytes = 0;
  }
  return documents;
}
