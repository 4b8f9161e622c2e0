import { Schema, type Types } from 'mongoose';
import { shared } from '#libs/persistence';
import type { Channel } from '#libs/channels';
import type { Claimable } from '#libs/work';
import type { StepType } from '../../engine/delivery/index.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const TALLY_COUNTS = ['sent', 'delivered', 'read', 'bounced', 'failed', 'skipped'] as const;
export type TallyCounts = Record<(typeof TALLY_COUNTS)[number], number>;

/** Messages and steps of one channel of one workflow. */
export interface ChannelTally extends TallyCounts {
  _templateId: Types.ObjectId;
  channel: Channel;
}

/** Runs of one workflow. */
export interface RunTally {
  _templateId: Types.ObjectId;
  runs: number;
  failed: number;
  /** Send times by class, without the empty classes at the end. */
  times: number[];
  /** Runs with each kind of step. Absent in tallies of earlier versions. */
  kinds?: Partial<Record<StepType, number>>;
}

export interface Tally {
  channels: ChannelTally[];
  workflows: RunTally[];
}

/**
 * What the records of one hour of an environment say, or the sum of the hours of a day, in UTC. It is counted as a whole and
 * replaced as a whole, so counting it again counts nothing twice.
 */
export interface ActivityTally extends Tally {
  /** Derived from the environment and the interval. */
  _id: Types.ObjectId;
  _organizationId: Types.ObjectId;
  _environmentId: Types.ObjectId;
  unit: 'hour' | 'day';
  at: Date;
  /** When counting began: an earlier count never replaces a later one. */
  countedAt: Date;
  /** When the hour is counted again; absent when it is final, and for days. */
  recountAt?: Date;
  expireAt: Date;
}

export const TALLY_MODEL = 'ActivityTally';
export const TallySchema = shared(
  new Schema({}, { collection: 'activityTallies', strict: false, versionKey: false, timestamps: false }),
);
// those of a period
TallySchema.index({ _environmentId: 1, unit: 1, at: 1 });
// hours that are due to be counted again
TallySchema.index({ _environmentId: 1, recountAt: 1 }, { partialFilterExpression: { recountAt: { $exists: true } } });
TallySchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** How far the tallies of an environment have come; its `_id` is that of the environment. */
export interface TallyWork extends Claimable {
  _organizationId: Types.ObjectId;
  _environmentId: Types.ObjectId;
  /** Hours before this one are counted, as far as they had records. */
  countedTo?: Date;
  /** Messages that were read before this time are taken into account. */
  readTo?: Date;
  /** When a process last said that something has happened. */
  activeAt?: Date;
  /** Counting rests until then, so that it takes a small share of the time. */
  restUntil?: Date;
}

export const TALLY_WORK_MODEL = 'ActivityTallyWork';
export const TallyWorkSchema = shared(
  new Schema({}, { collection: 'activityTallyWork', strict: false, versionKey: false, timestamps: false }),
);
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
// due environments and the next due time; the same per environment, as all queues have it
TallyWorkSchema.index({ wakeAt: 1 }, waiting);
TallyWorkSchema.index({ _environmentId: 1, wakeAt: 1 }, waiting);
