import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import type { KeyScope } from '#libs/common';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';
import type { Recurrence } from '#libs/schedule';

/** `ended`: it has no occurrence any more. */
export const SCHEDULE_STATUSES = ['active', 'paused', 'ended'] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

export const MISSED_RULES = ['run_once', 'skip'] as const;
export type MissedRule = (typeof MISSED_RULES)[number];

const { Mixed } = MongooseSchema.Types;

/** Whose rights its events have. */
export interface ScheduleOwner {
  readonly apiKeyId: string;
  readonly userId: string;
  readonly scopes: readonly KeyScope[];
}

/** What became of an occurrence. */
export interface LastOccurrence {
  readonly at: Date;
  /** The status of the trigger, or `skipped`. */
  readonly status: string;
  readonly transactionId: string;
  readonly error?: string;
}

@Schema({ collection: 'schedules', timestamps: true, minimize: false })
export class Schedule extends TenantRecord {
  @Prop({ type: String })
  name?: string;

  /** Trigger identifier. */
  @Prop({ type: String, required: true })
  workflow: string;

  /** External ids. */
  @Prop({ type: [String], required: true })
  subscribers: string[];

  @Prop({ type: [String], required: true })
  topics: string[];

  /** Absent in older records. */
  @Prop({ type: [String], default: undefined })
  segments?: string[];

  @Prop({ type: Mixed, required: true })
  payload: Record<string, unknown>;

  @Prop({ type: String })
  tenant?: string;

  @Prop({ type: String })
  actor?: string;

  /** Absent: once. */
  @Prop({ type: Mixed })
  rule?: Recurrence;

  @Prop({ type: String })
  timezone?: string;

  @Prop({ type: Date, required: true })
  startAt: Date;

  @Prop({ type: Date })
  endAt?: Date;

  @Prop({ type: String, enum: MISSED_RULES, required: true })
  missed: MissedRule;

  @Prop({ type: String, enum: SCHEDULE_STATUSES, required: true })
  status: ScheduleStatus;

  /** The occurrence that comes next, or is being triggered. Its transaction id follows from it. */
  @Prop({ type: Date })
  nextAt?: Date;

  @Prop({ type: Mixed })
  last?: LastOccurrence;

  @Prop({ type: Mixed, required: true })
  by: ScheduleOwner;

  /** `nextAt`, as a queue calls it. */
  @Prop({ type: Date })
  dueSince?: Date;

  /** `nextAt`, or the end of a lease. Absent unless active. */
  @Prop({ type: Date })
  wakeAt?: Date;

  /** The worker that holds it until `wakeAt`. */
  @Prop({ type: String })
  lease?: string;
}

export const ScheduleSchema = defineSchema(Schedule);
export const SCHEDULE_SHARD_KEY = shardBy(ScheduleSchema, '_environmentId');

/** What to set so that a schedule occurs at a time. */
export function dueAt(at: Date): Pick<Schedule, 'nextAt' | 'dueSince' | 'wakeAt'> {
  return { nextAt: at, dueSince: at, wakeAt: at };
}

/** What to unset so that it does not occur. */
export const NO_WORK = { nextAt: 1, dueSince: 1, wakeAt: 1, lease: 1 } as const;

const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
// claim, oldest first; next due time
ScheduleSchema.index({ wakeAt: 1 }, waiting);
// claim of each environment's share under a backlog
ScheduleSchema.index({ _environmentId: 1, wakeAt: 1 }, waiting);
// size and age of the backlog
ScheduleSchema.index({ dueSince: 1 }, waiting);
for (const field of ['suspectGroup', 'setAsideAt']) {
  // There are none: nothing that workers die of is specific to a schedule.
  ScheduleSchema.index({ [field]: 1 }, { partialFilterExpression: { [field]: { $exists: true } } });
}
// lists, newest first
ScheduleSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
ScheduleSchema.index({ _environmentId: 1, subscribers: 1, createdAt: -1, _id: -1 });
ScheduleSchema.index({ _environmentId: 1, topics: 1, createdAt: -1, _id: -1 });
ScheduleSchema.index({ _environmentId: 1, workflow: 1, createdAt: -1, _id: -1 });
// erasure of a person
ScheduleSchema.index({ _environmentId: 1, actor: 1 }, { partialFilterExpression: { actor: { $exists: true } } });
ScheduleSchema.index({ _environmentId: 1, status: 1, createdAt: -1, _id: -1 });
