import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type Types } from 'mongoose';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';
import type { UntoldEngagement } from '../records/message.schema.js';

const { Mixed, ObjectId } = MongooseSchema.Types;

/** What a recipient did with a mail before Herald had stored that it was sent. Its `_id` is that of the message. */
@Schema({ collection: 'earlyEngagements' })
export class EarlyEngagement extends TenantRecord {
  @Prop({ type: ObjectId, required: true })
  _subscriberId: Types.ObjectId;

  @Prop({ type: [Mixed] })
  engagements: UntoldEngagement[];

  /** When the message is looked for next. */
  @Prop({ type: Date, required: true })
  lookAt: Date;

  @Prop({ type: Date, required: true })
  expireAt: Date;
}

export const EarlyEngagementSchema = defineSchema(EarlyEngagement);
shardBy(EarlyEngagementSchema, '_environmentId');
// those whose time has come, of all environments
EarlyEngagementSchema.index({ lookAt: 1 });
// deletion of a person
EarlyEngagementSchema.index({ _environmentId: 1, _subscriberId: 1 });
// the message may never be stored
EarlyEngagementSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
