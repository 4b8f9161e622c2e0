import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { softDelete, SoftDeleteFields } from './plugins/soft-delete.plugin.js';
import { tenantScope } from './plugins/tenant-scope.plugin.js';
import { tenantReads } from './tenant-reads.js';
import { declare, shared } from './walls.js';

export abstract class BaseRecord implements SoftDeleteFields {
  _id: Types.ObjectId;
  __v: number;
  createdAt: Date;
  updatedAt: Date;
  deleted: boolean;
  deletedAt?: Date;
  /** Id of the API key. */
  deletedBy?: string;
}

@Schema()
export abstract class TenantRecord extends BaseRecord {
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _organizationId: Types.ObjectId;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _environmentId: Types.ObjectId;
}

/**
 * Creates the Mongoose schema of a resource with timestamps, soft delete and the refusal of queries without an environment.
 *
 * @example
 * export const FeedSchema = defineSchema(Feed);
 * FeedSchema.index({ _environmentId: 1, identifier: 1 }, uniqueWhileAlive); // clash check of create
 */
export function defineSchema<T extends TenantRecord>(resource: new () => T): MongooseSchema<T> {
  const schema = SchemaFactory.createForClass(resource);
  schema.plugin(softDelete);
  schema.plugin(tenantScope);
  schema.plugin(tenantReads);
  declare(schema);
  return schema;
}

/** Like {@link defineSchema} for the few records above environments: organizations, environments, API keys. */
export function defineGlobalSchema<T extends BaseRecord>(resource: new () => T): MongooseSchema<T> {
  const schema = SchemaFactory.createForClass(resource);
  schema.plugin(softDelete);
  return shared(schema);
}

/** Options of a unique index that ignores deleted records, so that identifiers can be used again. */
export const uniqueWhileAlive = { unique: true, partialFilterExpression: { deleted: false } };
