/** Fields of a shard key, or any others by which records lie apart in the store. */
export type KeyFields<T> = readonly (keyof T & string)[];

/** Batches with more values reach every shard anyway, and a longer list would cost more than it saves. */
const MAX_VALUES = 16;

/** Conditions that name one record and its shard, if the fields of the shard key are known. */
export function keyOf<R extends { readonly _id: unknown }>(record: R, fields: KeyFields<R>): Pick<R, '_id'> {
  const named: Partial<R> = {};
  for (const field of fields) if (record[field] !== undefined) named[field] = record[field];
  return { ...named, _id: record._id };
}

/** Conditions that name records and their shards. */
export function keysOf<R extends { readonly _id: unknown }>(
  records: readonly R[],
  fields: KeyFields<R>,
): { _id: { $in: R['_id'][] } } {
  return { _id: { $in: records.map(({ _id }): R['_id'] => _id) }, ...shardsOf(records, fields) };
}

/** Conditions that name the shards of records. A field with many values among them is left out. */
export function shardsOf<R extends object>(records: readonly R[], fields: KeyFields<R>): object {
  return Object.fromEntries(
    fields.flatMap((field) =>
      conditionOn(
        field,
        records.map((record) => record[field]),
      ),
    ),
  );
}

/** @returns nothing where a record lacks the field, or there are too many values */
function conditionOn(field: string, values: readonly unknown[]): [string, unknown][] {
  const distinct = new Map(values.map((value) => [String(value), value]));
  if (distinct.size === 0 || distinct.size > MAX_VALUES || values.includes(undefined)) return [];
  const [first, ...others] = distinct.values();
  return [[field, others.length === 0 ? first : { $in: [first, ...others] }]];
}
