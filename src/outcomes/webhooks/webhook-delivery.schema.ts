import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type Types } from 'mongoose';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';
import { DELIVERED_TYPES, type DeliveredType } from './webhook-events.js';

const { Mixed, ObjectId } = MongooseSchema.Types;

/** `pending`: due or in flight; `failed`: given up, can be replayed. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The `_id` is derived from message, event and endpoint, so that an event recorded twice is delivered once. */
@Schema({ collection: 'webhookDeliveries', timestamps: true, minimize: false })
export class WebhookDelivery extends TenantRecord {
  @Prop({ type: ObjectId, required: true })
  _endpointId: Types.ObjectId;

  /** Of `event.completed`, the event; of a test, the webhook. */
  @Prop({ type: ObjectId, required: true })
  _messageId: Types.ObjectId;

  @Prop({ type: String, required: true, enum: DELIVERED_TYPES })
  type: DeliveredType;

  @Prop({ type: Date, required: true })
  occurredAt: Date;

  /** Stored so that every attempt sends the same bytes. */
  @Prop({ type: Mixed, required: true })
  data: Record<string, unknown>;

  @Prop({ type: String, required: true, enum: DELIVERY_STATUSES })
  status: DeliveryStatus;

  @Prop({ type: Number, required: true })
  attempt: number;

  /** Due time, or end of the lease. Absent when nothing is left to do. */
  @Prop({ type: Date })
  wakeAt?: Date;

  /** See `Claimable`. */
  @Prop({ type: Date })
  dueSince?: Date;

  /** When it was set aside, because workers were lost over it. */
  @Prop({ type: Date })
  setAsideAt?: Date;

  /** Id of the worker that holds it until `wakeAt`; writes are conditional on it. */
  @Prop({ type: String })
  lease?: string;

  /** Workers lost over it since the last outcome. */
  @Prop({ type: Number })
  takenUp?: number;

  /** Only for suspects, see `Claimable`. */
  @Prop({ type: Number })
  suspectGroup?: number;

  @Prop({ type: Date })
  lastAttemptAt?: Date;

  @Prop({ type: Number })
  lastStatusCode?: number;

  @Prop({ type: String })
  lastError?: string;

  @Prop({ type: Date })
  deliveredAt?: Date;

  @Prop({ type: Date })
  expireAt?: Date;
}

export const WebhookDeliverySchema = defineSchema(WebhookDelivery);
export const DELIVERY_SHARD_KEY = shardBy(WebhookDeliverySchema, '_environmentId', '_messageId');
// deliveries of a message in a sharded store
WebhookDeliverySchema.index({ _environmentId: 1, _messageId: 1 });
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
// list of an endpoint, newest first
WebhookDeliverySchema.index({ _environmentId: 1, _endpointId: 1, createdAt: -1, _id: -1 });
// the same by status; pending deliveries of a deleted endpoint
WebhookDeliverySchema.index({ _environmentId: 1, _endpointId: 1, status: 1, createdAt: -1, _id: -1 });
// claim, oldest first; next due time
WebhookDeliverySchema.index({ wakeAt: 1 }, waiting);
// claim of each endpoint's share under a backlog
WebhookDeliverySchema.index({ _endpointId: 1, wakeAt: 1 }, waiting);
// suspects, those with the largest groups first
WebhookDeliverySchema.index(
  { suspectGroup: -1, wakeAt: 1 },
  { partialFilterExpression: { suspectGroup: { $exists: true } } },
);
// size and age of the backlog
WebhookDeliverySchema.index({ dueSince: 1 }, waiting);
WebhookDeliverySchema.index({ setAsideAt: 1 }, { partialFilterExpression: { setAsideAt: { $exists: true } } });
// retention
WebhookDeliverySchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
