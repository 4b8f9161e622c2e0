import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { type CaughtContent, CHANNELS, type Channel } from '#libs/channels';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';
import { SEVERITIES, type Severity } from '../../../content/workflows/index.js';
import {
  type ActionStatus,
  type ActionType,
  type ActorType,
  MESSAGE_STATUSES,
  type MessageStatus,
} from './message.enums.js';

const { Mixed, ObjectId } = MongooseSchema.Types;

export interface MessageContentBlock {
  type: string;
  content?: string;
  url?: string;
  styles?: { textAlign?: string };
}

export type MessageContent = string | MessageContentBlock | MessageContentBlock[];

export interface MessageButton {
  type: ActionType;
  content: string;
  resultContent?: string;
  url?: string;
  target?: string;
}

export interface MessageCta {
  type?: 'redirect';
  data?: { url?: string; target?: string };
  action?: {
    status?: ActionStatus;
    buttons?: MessageButton[];
    result?: { type?: ActionType; payload?: Record<string, unknown> };
  };
}

export interface MessageActor {
  type: ActorType;
  data?: string | null;
}

/** That a recipient, or a program on the way to it, showed a mail or followed one of its links. */
export interface Engagement {
  readonly at: Date;
  /** A program did it, as far as one can tell. */
  readonly machine: boolean;
  /** Of a click: where it led. */
  readonly url?: string;
  /** Of one that came before its message was stored: it is recorded once. */
  readonly key?: string;
}

export type EngagementKind = 'opened' | 'clicked';

/** An engagement that is recorded, and of which not everybody is told yet. */
export interface UntoldEngagement extends Engagement {
  readonly kind: EngagementKind;
  readonly key: string;
}

/** What would have gone out, had no catcher been there. Empty for in-app messages, which are not sent. */
export interface Caught extends Partial<CaughtContent> {
  /** Provider that would have sent the message; absent: none. */
  readonly insteadOf?: string;
}

/**
 * One attempt of a step to deliver to one address. `messageIdFor` derives the `_id`, so that repeating a step produces
 * the same message.
 */
@Schema({ collection: 'messages', timestamps: true, minimize: false })
export class Message extends TenantRecord {
  @Prop({ type: ObjectId, required: true })
  _templateId: Types.ObjectId;

  @Prop({ type: ObjectId })
  _messageTemplateId?: Types.ObjectId;

  @Prop({ type: ObjectId, required: true })
  _notificationId: Types.ObjectId;

  @Prop({ type: ObjectId, required: true })
  _jobId: Types.ObjectId;

  @Prop({ type: ObjectId, required: true })
  _subscriberId: Types.ObjectId;

  @Prop({ type: ObjectId })
  _feedId?: Types.ObjectId;

  @Prop({ type: ObjectId })
  _actorId?: Types.ObjectId;

  @Prop({ type: String })
  templateIdentifier?: string;

  @Prop({ type: String, required: true })
  transactionId: string;

  @Prop({ type: String, required: true, enum: CHANNELS })
  channel: Channel;

  @Prop({ type: Mixed })
  content?: MessageContent;

  @Prop({ type: String })
  subject?: string;

  @Prop({ type: String })
  title?: string;

  @Prop({ type: String })
  email?: string;

  @Prop({ type: String })
  phone?: string;

  @Prop({ type: String })
  directWebhookUrl?: string;

  @Prop({ type: String })
  providerId?: string;

  @Prop({ type: [String], default: undefined })
  deviceTokens?: string[];

  @Prop({ type: Mixed })
  cta?: MessageCta;

  @Prop({ type: Boolean, default: false })
  seen: boolean;

  @Prop({ type: Boolean, default: false })
  read: boolean;

  @Prop({ type: Boolean, default: false })
  archived: boolean;

  /** Kept when it is marked unseen. */
  @Prop({ type: Date })
  lastSeenDate?: Date;

  /** Kept when it is marked unread. */
  @Prop({ type: Date })
  lastReadDate?: Date;

  @Prop({ type: Date })
  archivedAt?: Date;

  @Prop({ type: Date })
  lastActionDate?: Date;

  /** A later step of its notification waits for what becomes of it. */
  @Prop({ type: Boolean })
  awaited?: boolean;

  /** Asks a question: its buttons answer, and its end is shown. */
  @Prop({ type: ObjectId })
  question?: Types.ObjectId;

  /** The end of its question is shown. */
  @Prop({ type: Boolean })
  isClosed?: boolean;

  /** Hidden from the Inbox until then. Absent unless snoozed. */
  @Prop({ type: Date })
  snoozedUntil?: Date;

  /** At creation and after each snooze. Absent unless it was ever snoozed. */
  @Prop({ type: [Date], default: undefined })
  deliveredAt?: Date[];

  /** Next check of a snoozed message by a worker. Absent unless snoozed. */
  @Prop({ type: Date })
  wakeAt?: Date;

  /** The worker that wakes the message up, until `wakeAt`. */
  @Prop({ type: String })
  lease?: string;

  /** Claims of the snoozed message by workers. */
  @Prop({ type: Number })
  takenUp?: number;

  @Prop({ type: String, enum: MESSAGE_STATUSES, default: 'sent' })
  status: MessageStatus;

  /** Absent unless opens are followed, and there were some. */
  @Prop({ type: [Mixed], default: undefined })
  opens?: Engagement[];

  /** Absent unless clicks are followed, and there were some. */
  @Prop({ type: [Mixed], default: undefined })
  clicks?: Engagement[];

  /** Absent, or empty, unless a process is telling others of it, or died then. */
  @Prop({ type: [Mixed], default: undefined })
  untold?: UntoldEngagement[];

  @Prop({ type: String })
  errorId?: string;

  @Prop({ type: String })
  errorText?: string;

  @Prop({ type: String })
  identifier?: string;

  @Prop({ type: Mixed })
  payload?: Record<string, unknown>;

  @Prop({ type: Mixed })
  data?: Record<string, unknown>;

  @Prop({ type: Mixed })
  overrides?: Record<string, unknown>;

  @Prop({ type: Mixed })
  actor?: MessageActor;

  @Prop({ type: [String], default: undefined })
  tags?: string[];

  @Prop({ type: String, enum: SEVERITIES })
  severity?: Severity;

  @Prop({ type: String })
  avatar?: string;

  /** In-app: messages of a subscriber with the same one are a group. */
  @Prop({ type: String })
  groupKey?: string;

  /** In-app: of a subscriber's messages with the same one, only the newest is not deleted. */
  @Prop({ type: String })
  replaces?: string;

  /** Absent unless the environment catches its messages. */
  @Prop({ type: Mixed })
  caught?: Caught;

  @Prop({ type: Date })
  expireAt?: Date;
}

export const MessageSchema = defineSchema(Message);
export const MESSAGE_SHARD_KEY = shardBy(MessageSchema, '_environmentId', '_subscriberId');
// feed of a subscriber; list by subscriber, newest first
MessageSchema.index({ _environmentId: 1, _subscriberId: 1, channel: 1, deleted: 1, createdAt: -1, _id: -1 });
// unseen and unread counts, with and without feed; mark-all
MessageSchema.index(
  { _environmentId: 1, _subscriberId: 1, channel: 1, deleted: 1, seen: 1, read: 1, _feedId: 1 },
  { name: 'inbox_counts', partialFilterExpression: { channel: 'in_app' } },
);
// members of groups, newest first
MessageSchema.index(
  { _environmentId: 1, _subscriberId: 1, groupKey: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { groupKey: { $exists: true } } },
);
// what a new message replaces
MessageSchema.index(
  { _environmentId: 1, _subscriberId: 1, replaces: 1 },
  { partialFilterExpression: { replaces: { $exists: true } } },
);
// list, newest first; without a channel all are named, and the store merges their orders
MessageSchema.index({ _environmentId: 1, channel: 1, deleted: 1, createdAt: -1, _id: -1 });
// what was caught, newest first; other messages are not in it
MessageSchema.index(
  { _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { caught: { $exists: true } } },
);
// list by transaction, newest first; delete by transaction
MessageSchema.index({ _environmentId: 1, transactionId: 1, deleted: 1, createdAt: -1, _id: -1 });
// callbacks of providers
MessageSchema.index(
  { _environmentId: 1, identifier: 1 },
  { partialFilterExpression: { identifier: { $exists: true } } },
);
const snoozed = { partialFilterExpression: { wakeAt: { $exists: true } } };
// due snoozed messages, and the next due time
MessageSchema.index({ wakeAt: 1 }, snoozed);
// the same per environment
MessageSchema.index({ _environmentId: 1, wakeAt: 1 }, snoozed);
// recent actions of subscribers; messages without any are not in these indexes
for (const field of ['lastSeenDate', 'lastReadDate', 'lastActionDate']) {
  MessageSchema.index({ _environmentId: 1, [field]: 1 }, { partialFilterExpression: { [field]: { $exists: true } } });
}
// opens and clicks of which others are not told yet; other messages are not in it
MessageSchema.index({ 'untold.at': 1 }, { partialFilterExpression: { untold: { $exists: true } } });
// retention; the last, behind whose entries the embedded store can keep a boundary (ADR 40)
MessageSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
