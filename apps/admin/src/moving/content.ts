import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';
import { STORE_STATE } from '#libs/persistence';

/** Records that expire within this time may be removed by either store during the comparison. */
const EXPIRING_MS = 60 * 60 * 1000;
const BATCH = 1_000;

/** What a collection holds; equal for equal records in any order. */
export interface ContentDigest {
  readonly records: number;
  readonly checksum: string;
}

/** The collections of a database that are copied, by name: everything except the state of the store itself. */
export async function collectionNames(db: mongo.Db): Promise<string[]> {
  const all = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  const names = all.map(({ name }) => name);
  return names.filter((name) => !name.startsWith('system.') && name !== STORE_STATE).sort();
}

/** The indexes of a collection except the one on `_id`, by name. */
export async function indexesOf(collection: mongo.Collection): Promise<mongo.IndexDescription[]> {
  const all = await collection.listIndexes().toArray();
  const declared = all.map(
    ({ v: _version, ns: _namespace, ...index }: mongo.Document) => index as mongo.IndexDescription,
  );
  return declared.filter(({ name }) => name !== '_id_').sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
}

/** When records of a collection expire. Without an expiring index: never. */
export class Expiry {
  private constructor(private readonly rules: readonly { readonly field: string; readonly seconds: number }[]) {}

  static of(indexes: readonly mongo.IndexDescription[]): Expiry {
    return new Expiry(
      indexes.flatMap(({ key, expireAfterSeconds: seconds }) => {
        const [field] = Object.keys(key);
        return seconds === undefined || field === undefined ? [] : [{ field, seconds }];
      }),
    );
  }

  /** Whether a record expires before a time in milliseconds since the epoch. */
  isBefore(bytes: Uint8Array, timeMs: number): boolean {
    if (this.rules.length === 0) return false;
    const record = mongo.BSON.deserialize(bytes) as Readonly<Record<string, unknown>>;
    return this.rules.some(({ field, seconds }) => {
      const at = record[field];
      return at instanceof Date && at.getTime() + seconds * 1000 < timeMs;
    });
  }
}

/**
 * Counts and checksums the records of a collection, except those that expire within an hour of `now`.
 * @param expiry of the source: a copy has no expiring indexes yet
 */
export async function digestOf(collection: mongo.Collection, expiry: Expiry, now: number): Promise<ContentDigest> {
  let records = 0;
  // The sum of the records' hashes: the order in which a store returns them does not matter.
  let [high, low] = [0n, 0n];
  for await (const row of collection.find({}, { raw: true, batchSize: BATCH })) {
    const bytes = row as unknown as Buffer;
    if (expiry.isBefore(bytes, now + EXPIRING_MS)) continue;
    const hash = createHash('sha256').update(bytes).digest();
    records += 1;
    high = BigInt.asUintN(64, high + hash.readBigUInt64LE(0));
    low = BigInt.asUintN(64, low + hash.readBigUInt64LE(8));
  }
  const checksum = [high, low].map((half) => half.toString(16).padStart(16, '0')).join('');
  return { records, checksum };
}

/** The digests of all collections, by name. */
export async function contentOf(
  db: mongo.Db,
  now: number,
  onCollection: (name: string) => void,
): Promise<Record<string, ContentDigest>> {
  const content: Record<string, ContentDigest> = {};
  const names = await collectionNames(db);
  for (const [index, name] of names.entries()) {
    onCollection(`${name} (${index + 1} of ${names.length})`);
    const collection = db.collection(name);
    content[name] = await digestOf(collection, Expiry.of(await indexesOf(collection)), now);
  }
  return content;
}

/** Names of the collections that differ. */
export function differences(
  expected: Readonly<Record<string, ContentDigest>>,
  found: Readonly<Record<string, ContentDigest>>,
): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  return names.filter((name) => {
    const [a, b] = [expected[name], found[name]];
    return a?.records !== b?.records || a?.checksum !== b?.checksum;
  });
}
