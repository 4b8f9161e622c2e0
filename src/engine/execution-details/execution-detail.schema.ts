import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { defineSchema, TenantRecord, shardBy } from '#libs/persistence';
import type { DetailSource, DetailStatus } from './detail.enums.js';

const { ObjectId, Mixed } = MongooseSchema.Types;

export interface StoredDetail {
  _id: Types.ObjectId;
  _jobId: Types.ObjectId;
  _messageId?: Types.ObjectId;
  providerId?: string;
  channel?: string;
  detail: string;
  source: DetailSource;
  status: DetailStatus;
  isTest?: true;
  isRetry?: true;
  /** JSON text. */
  raw?: string;
  webhookStatus?: string;
  createdAt: Date;
}

/**
 * All details between two writes of the engine: separate documents would be the largest part of all writes. Readers see
 * single details.
 */
@Schema({ collection: 'executionDetails', timestamps: true })
export class ExecutionDetailBatch extends TenantRecord {
  @Prop({ type: ObjectId, required: true })
  _notificationId: Types.ObjectId;

  @Prop({ type: ObjectId, required: true })
  _notificationTemplateId: Types.ObjectId;

  @Prop({ type: ObjectId, required: true })
  _subscriberId: Types.ObjectId;

  @Prop({ type: String, required: true })
  transactionId: string;

  @Prop({ type: [Mixed], required: true })
  entries: StoredDetail[];

  @Prop({ type: Date })
  expireAt?: Date;
}

export const ExecutionDetailSchema = defineSchema(ExecutionDetailBatch);
shardBy(ExecutionDetailSchema, '_environmentId', '_notificationId');
// the trace of notifications
ExecutionDetailSchema.index({ _environmentId: 1, _notificationId: 1 });
// retention
ExecutionDetailSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
