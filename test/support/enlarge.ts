import { mongo } from 'mongoose';
import type { Json } from './answers.js';

const BATCH = 500;

/**
 * Fills collections with copies of their records, so that a store chooses plans as it does for many. Copies have ids of their own
 * and other values in the last field of unique indexes.
 */
export async function enlarge(db: mongo.Db, collections: readonly string[], size: number): Promise<void> {
  for (const name of collections) {
    const collection = db.collection<Json>(name);
    const rows = await collection.find({}).limit(200).toArray();
    if (rows.length === 0) continue;
    const unique = (await collection.indexes()).filter((index) => index.unique === true);
    const last = unique.map(({ key }) => Object.keys(key).at(-1) ?? '_id');
    const copies = Array.from({ length: size }, (_, n) => copyOf(rows[n % rows.length] ?? {}, last, n));
    for (let from = 0; from < copies.length; from += BATCH) {
      await collection.insertMany(copies.slice(from, from + BATCH) as never[], { ordered: false }).catch(ignoreClashes);
    }
  }
}

function copyOf(row: Json, unique: readonly string[], n: number): Json {
  const createdAt = row['createdAt'] instanceof Date ? new Date(row['createdAt'].getTime() + n) : undefined;
  const copy: Json = { ...row, ...(createdAt && { createdAt }) };
  for (const field of ['_id', ...unique]) if (copy[field] !== undefined) copy[field] = another(copy[field], n);
  return copy;
}

function another(value: unknown, n: number): unknown {
  if (typeof value === 'string') return `${value}-${n}`;
  if (value instanceof mongo.ObjectId) return new mongo.ObjectId();
  return typeof value === 'number' ? value + n + 1 : value;
}

/** What is unique by other fields as well cannot be copied. */
function ignoreClashes(error: unknown): void {
  if (!(error instanceof mongo.MongoBulkWriteError) || error.code !== 11_000) throw error;
}
