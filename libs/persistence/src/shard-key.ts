import type { Schema } from 'mongoose';

/**
 * Declares by which fields a sharded store spreads the records of a collection. Every unique index begins with them, and
 * queries name them. A collection without a shard key stays on one shard.
 * @returns the fields
 */
export function shardBy<F extends string>(schema: Pick<Schema, 'set'>, ...fields: F[]): readonly F[] {
  schema.set('shardKey', Object.fromEntries(fields.map((field) => [field, 1])));
  return fields;
}
