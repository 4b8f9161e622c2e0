import type { Connection } from 'mongoose';
import type { SealedField } from './sealed-field.js';
import { SecretBox } from './secret-box.js';

/** What became of the texts of one field. */
export interface FieldCount {
  readonly field: string;
  total: number;
  /** Sealed anew in this run. */
  resealed: number;
  /** Ids of records whose text no key at hand opens. */
  readonly unreadable: string[];
}

export interface ResealCount {
  readonly fields: readonly FieldCount[];
  /** Texts that a running Herald has changed in the meantime to an old form again and again. */
  readonly unsettled: number;
}

/** What a running Herald writes during one pass is looked at in the next one. */
const PASSES = 5;

/**
 * Seals every text anew that is not sealed with the current key or is bound to no place. It can be repeated and broken
 * off at any time, and run beside a Herald: a text is replaced only where it is still the one that was read.
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
  for (let pass = 0; pass < PASSES; pass++) {
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

/** @returns how many texts were changed by somebody else in this moment */
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
