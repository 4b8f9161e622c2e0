import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, type Types } from 'mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';
import { REPLAY_RESULTS, type ReplayResult } from '../../engine/delivery/index.js';
import type { ReplayFilterDto } from './notification-replay.dto.js';

const { Mixed, ObjectId } = MongooseSchema.Types;

/** `stopping`: the batch in progress is still counted. `failed`: `error` has the reason. */
export const REPLAY_STATUSES = ['running', 'stopping', 'completed', 'stopped', 'failed'] as const;
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];

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

@Schema({ collection: 'notificationReplays', timestamps: true, minimize: false })
export class NotificationReplay extends TenantRecord {
  @Prop({ type: Mixed, required: true })
  filter: ReplayFilterDto;

  @Prop({ type: Boolean, required: true })
  includeUncertain: boolean;

  /** Maximum number of notifications to replay. */
  @Prop({ type: Number, required: true })
  limit: number;

  @Prop({ type: ReplayCaller, required: true })
  by: ReplayCaller;

  @Prop({ type: String, required: true, enum: REPLAY_STATUSES })
  status: ReplayStatus;

  @Prop({ type: String })
  error?: string;

  /** Matches at the start, counted up to the limit. */
  @Prop({ type: Number })
  total?: number;

  @Prop({ type: Mixed, required: true })
  counts: ReplayCounts;

  /** Being replayed: after a crash, they come first. */
  @Prop({ type: [ObjectId], default: undefined })
  portion?: Types.ObjectId[];

  /** Last notification of the finished batches, in the order of the list. */
  @Prop({ type: ReplayPosition })
  position?: ReplayPosition;

  @Prop({ type: Date })
  endedAt?: Date;

  /** Next batch, or end of the lease. Absent when the replay has ended. */
  @Prop({ type: Date })
  wakeAt?: Date;

  /** Id of the worker that holds it until `wakeAt`; writes are conditional on it. */
  @Prop({ type: String })
  lease?: string;

  /** Workers lost over it since the last batch. */
  @Prop({ type: Number })
  takenUp?: number;

  /** Only for suspects, see `Claimable`. */
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
// claim of each environment's share; open replays
NotificationReplaySchema.index({ _environmentId: 1, wakeAt: 1 }, waiting);
// suspects, those with the largest groups first
NotificationReplaySchema.index(
  { suspectGroup: -1, wakeAt: 1 },
  { partialFilterExpression: { suspectGroup: { $exists: true } } },
);
// retention
NotificationReplaySchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
