import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { defineSchema, TenantRecord, uniqueWhileAlive, shardBy } from '#libs/persistence';

@Schema({ collection: 'topics', timestamps: true, minimize: false })
export class Topic extends TenantRecord {
  @Prop({ type: String, required: true })
  key: string;

  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: MongooseSchema.Types.Mixed })
  data?: Record<string, unknown>;
}

export const TopicSchema = defineSchema(Topic);
shardBy(TopicSchema, '_environmentId');
// clash check of create, every look-up by key
TopicSchema.index({ _environmentId: 1, key: 1 }, uniqueWhileAlive);
// list, oldest first, and its count
TopicSchema.index({ _environmentId: 1, deleted: 1, createdAt: 1, _id: 1 });

/** A link, not a resource: removal deletes it physically. */
@Schema({ collection: 'topicSubscribers', timestamps: true })
export class TopicSubscriber extends TenantRecord {
  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _topicId: Types.ObjectId;

  @Prop({ type: MongooseSchema.Types.ObjectId, required: true })
  _subscriberId: Types.ObjectId;

  @Prop({ type: String, required: true })
  externalSubscriberId: string;
}

export const TopicSubscriberSchema = defineSchema(TopicSubscriber);
shardBy(TopicSubscriberSchema, '_environmentId');
// unique membership; pages of a topic; look-up of one member
TopicSubscriberSchema.index({ _environmentId: 1, _topicId: 1, externalSubscriberId: 1 }, uniqueWhileAlive);
// the topics of a subscriber, newest first; removal with a subscriber
TopicSubscriberSchema.index({ _environmentId: 1, _subscriberId: 1, createdAt: -1, _id: -1 });
