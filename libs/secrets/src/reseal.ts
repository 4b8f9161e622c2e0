import type { Connection } from 'mongoose';
import type { SealedField } from './sealed-field.js';
import { SecretBox } from './secret-box.js';

export interface FieldCount {
  readonly field: string;
  total: number;
  /** Texts resealed by this run. */
  resealed: number;
  /** Ids of records that no configured key can open. */
  readonly unreadable: string[];
}

export interface ResealCount {
  readonly fields: readonly FieldCount[];
  /** Texts that a running Herald kept changing to an old form. */
  readonly unsettled: number;
}

/** The next pass covers texts written during this one. */
const MAX_PASSES = 5;

/**
 * Reseals texts that lack the current key or the binding to their place. Can be repeated, interrupted, and run beside
 * Herald: a text is replaced only if it has not changed since it was read.
 */
export async function reseal(
  connection: Connection,
  box: SecretBox,
  fields: readonly SealedField[],
): Promise<ResealCount> {
  const counts = fields.map((field): FieldCount => ({
    field: `${field.collection}.${field.path}`,
    total: 0,
    resealed: 0,
    unreadable: [],
  }));
  let unsettled = 0;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    unsettled = 0;
    let changed = 0;
    for (const [at, field] of fields.entries()) {
      const count = counts[at] as FieldCount;
      const before = count.resealed;
      unsettled += await resealField(connection, box, field, count);
      changed += count.resealed - before;
    }
    if (changed === 0 && unsettled === 0) break;
  }
  return { fields: counts, unsettled };
}

/** @returns the number of texts changed after they were read */
async function resealField(
  connection: Connection,
  box: SecretBox,
  field: SealedField,
  count: FieldCount,
): Promise<number> {
  const collection = connection.collection(field.collection);
  const rows = collection
    .find({ [field.path]: { $type: 'string' } }, { projection: { [field.path]: 1, _environmentId: 1 } })
    .sort({ _id: 1 });
  let missed = 0;
  count.total = 0;
  count.unreadable.length = 0;
  for await (const row of rows) {
    const read = field.textIn(row);
    if (read === undefined) continue;
    count.total += 1;
    const place = field.of(row._id, String(row['_environmentId']));
    const plain = box.tryOpen(read, place);
    if (plain === undefined) {
      count.unreadable.push(row._id.toHexString());
      continue;
    }
    const info = SecretBox.infoOf(read);
    if (info?.bound === true && info.keyId === box.currentKeyId) continue;
    const { matchedCount } = await collection.updateOne(
      { _id: row._id, [field.path]: read },
      { $set: { [field.path]: box.seal(plain, place) } },
    );
    if (matchedCount === 1) count.resealed += 1;
    else missed += 1;
  }
  return missed;
}
