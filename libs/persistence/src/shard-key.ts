import type { Schema } from 'mongoose';

/**
 * Every unique index must begin with these fields, and queries must name them. A collection without a shard key stays
 * on one shard.
 * @returns the fields
 */
export function shardBy<F extends string>(schema: Pick<Schema, 'set'>, ...fields: F[]): readonly F[] {
  schema.set('shardKey', Object.fromEntries(fields.map((field) => [field, 1])));
  return fields;
}
