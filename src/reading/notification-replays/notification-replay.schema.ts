import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type Types } from 'mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';
import { REPLAY_RESULTS, type ReplayResult } from '../../engine/delivery/index.js';
import type { ReplayFilterDto } from './notification-replay.dto.js';

const { Mixed, ObjectId } = MongooseSchema.Types;

/** `stopping`: no more are replayed; the portion in progress is still counted. `failed`: `error` says why it ended. */
export const REPLAY_STATUSES = ['running', 'stopping', 'completed', 'stopped', 'failed'] as const;
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];

/** Notifications by what became of them. */
export type ReplayCounts = Record<ReplayResult, number>;

export const NO_COUNTS = Object.fromEntries(REPLAY_RESULTS.map((result) => [result, 0])) as ReplayCounts;

@Schema({ _id: false })
export class ReplayPosition {
  @Prop({ type: Date, required: true })
  createdAt: Date;

  @Prop({ type: ObjectId, required: true })
  _id: Types.ObjectId;
}

@Schema({ _id: false })
export class ReplayCaller {
  @Prop({ type: String, required: true })
  apiKeyId: string;

  @Prop({ type: String, required: true })
  userId: string;
}

/** A request to replay the failed notifications that match a filter, and its progress. */
@Schema({ collection: 'notificationReplays', timestamps: true, minimize: false })
export class NotificationReplay extends TenantRecord {
  @Prop({ type: Mixed, required: true })
  filter: ReplayFilterDto;

  @Prop({ type: Boolean, required: true })
  includeUncertain: boolean;

  /** How many it replays at most. */
  @Prop({ type: Number, required: true })
  limit: number;

  @Prop({ type: ReplayCaller, required: true })
  by: ReplayCaller;

  @Prop({ type: String, required: true, enum: REPLAY_STATUSES })
  status: ReplayStatus;

  @Prop({ type: String })
  error?: string;

  /** How many matched when it began, counted up to the limit. */
  @Prop({ type: Number })
  total?: number;

  @Prop({ type: Mixed, required: true })
  counts: ReplayCounts;

  /** The notifications that are being replayed: after a crash, they are the first to be looked at. */
  @Prop({ type: [ObjectId], default: undefined })
  portion?: Types.ObjectId[];

  /** The last notification of the portions so far, in the order of the list. */
  @Prop({ type: ReplayPosition })
  position?: ReplayPosition;

  @Prop({ type: Date })
  endedAt?: Date;

  /** Time of the next portion, or end of the lease. Absent when it has ended. */
  @Prop({ type: Date })
  wakeAt?: Date;

  /** The worker that holds it until `wakeAt`; its writes are conditional on it. */
  @Prop({ type: String })
  lease?: string;

  /** Number of workers that were lost over it since the last portion. */
  @Prop({ type: Number })
  takenUp?: number;

  /** While it is a suspect, see `Claimable`. */
  @Prop({ type: Number })
  suspectGroup?: number;

  @Prop({ type: Date })
  expireAt?: Date;
}

export const NotificationReplaySchema = defineSchema(NotificationReplay);
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
// list, newest first
NotificationReplaySchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
// claim, oldest first; next due time
NotificationReplaySchema.index({ wakeAt: 1 }, waiting);
// claim of each environment's share; those that have not ended
NotificationReplaySchema.index({ _environmentId: 1, wakeAt: 1 }, waiting);
// suspects, those with the largest groups first
NotificationReplaySchema.index(
  { suspectGroup: -1, wakeAt: 1 },
  { partialFilterExpression: { suspectGroup: { $exists: true } } },
);
// retention
NotificationReplaySchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
