import { Schema, type Types } from 'mongoose';
import type { Claimable } from '#libs/work';

/** Everything that a step can be. `custom` and `trigger` are only stored: nothing carries them out, and the trail says so. */
export const STEP_TYPES = ['in_app', 'email', 'sms', 'chat', 'push', 'digest', 'delay', 'custom', 'trigger'] as const;
export type StepType = (typeof STEP_TYPES)[number];

/**
 * States of a step, each meaning one thing:
 * `pending` not reached; `queued` reached, waits for a worker or for its next attempt; `running` at work; `delayed` waits
 * for a moment (delay, digest); `merged` its event went into another notification's digest; `completed` did what it was
 * for; `skipped` conditions, preferences or a digest rule said no; `failed` could not; `canceled` was called off.
 */
export const STEP_STATUSES = [
  'pending',
  'queued',
  'running',
  'delayed',
  'merged',
  'completed',
  'skipped',
  'failed',
  'canceled',
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const NOTIFICATION_STATUSES = ['active', 'completed', 'failed', 'merged', 'canceled'] as const;
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

/** Where work waits: each lane has its own bound, so that slow providers of one channel hold up nothing else. */
export const LANES = ['store', 'webhook', 'email', 'sms', 'chat', 'push'] as const;
export type Lane = (typeof LANES)[number];

/** The `reason` of steps that failed, although a provider may have taken their message. */
export const UNCERTAIN = 'uncertain';

/** What a step did at one of several addresses (chat webhooks, push tokens). */
export interface TargetState {
  /** Which address, without secrets: a digest of it. */
  key: string;
  providerId?: string;
  /** `uncertain`: the provider may have the message, so only an explicit request sends it again. */
  status: 'sent' | 'failed' | 'retry' | 'uncertain';
  error?: string;
  /** Attempts that have ended, while it is to be tried again. */
  attempt?: number;
  /** As in the step, while it is to be tried again. */
  uncertainSince?: Date;
  /** When it may be tried again: each provider says how long it wants to be left alone. */
  dueAt?: Date;
}

/** One step of one notification's run. */
export interface StepState {
  /** The `_jobId` of messages and details. */
  _id: Types.ObjectId;
  /** The workflow's step. */
  stepId: Types.ObjectId;
  type: StepType;
  status: StepStatus;
  /** Attempts at sending that have begun, at the integration that is being tried. */
  attempt: number;
  /** How often a webhook of its conditions could not be asked. */
  conditionTries?: number;
  startedAt?: Date;
  finishedAt?: Date;
  /** When it goes on, while it is delayed or waits for its next attempt. */
  dueAt?: Date;
  /** A stable word for why it was skipped, failed or was canceled. */
  reason?: string;
  /** For people: what went wrong last. */
  error?: string;
  /** Of what was sent; of push steps, before that, of the integration that is meant. */
  providerId?: string;
  /** Integrations that were given up for this step, in order. */
  tried?: string[];
  /** When the integration that is being tried may first have taken the message. */
  uncertainSince?: Date;
  /** Which one that is. */
  uncertainAt?: string;
  /** An attempt, at whichever integration, may have been taken. */
  mayBeSent?: boolean;
  targets?: TargetState[];
  /** Every attempt and integration is used up; it can be replayed. */
  deadLetter?: boolean;
  /** How often somebody had it carried out again after it had failed. */
  replays?: number;
}

/**
 * One recipient's run of one event, and the state machine of it: finishing a step and scheduling the next is one update
 * of this one document. Its `_id` is made from event and subscriber, so that an expansion can be
 * repeated.
 */
export interface NotificationRecord extends Claimable {
  _environmentId: Types.ObjectId;
  _organizationId: Types.ObjectId;
  _eventId: Types.ObjectId;
  transactionId: string;
  /** The workflow. */
  _templateId: Types.ObjectId;
  _subscriberId: Types.ObjectId;
  /** The client's own id of the subscriber. */
  subscriberId: string;
  channels: StepType[];
  tags?: string[];
  status: NotificationStatus;
  /** Place of the current step in `steps`; their number when the run is over. */
  current: number;
  steps: StepState[];
  lane?: Lane;
  /** Somebody canceled the transaction while a worker had the lease; that worker ends the run. */
  cancelRequested?: true;
  /** While it collects a digest: who else would collect the same one meets the unique index on this. */
  digestSlot?: string;
  /** The slot that it held before it closed, for the promotion of another master. */
  digestLastSlot?: string;
  /** The notification whose digest takes this one's event. */
  digestInto?: Types.ObjectId;
  /** The last pass of its master that counted this one in. `true`: counted in by a version that numbered no passes. */
  digestCollected?: number | true;
  /** As a master: how many passes have begun to close its digest. Each holder has a pass of its own. */
  digestEpoch?: number;
  /** As a master: the pass that closed its digest. Those whom it counted in are in the digest, and nobody else. */
  digestClosed?: number;
  /** As a master: the place of the step whose digest is closed. */
  digestClosedStep?: number;
  /** As a master: how many others were counted in. */
  digestSize?: number;
  /** As a master that is called off: who takes its place. Written once, so that every pass names the same. */
  digestHeir?: Types.ObjectId;
  /** It is to take the place of this master, so it cannot leave the digest meanwhile. */
  digestHeirOf?: Types.ObjectId;
  /** Its own event was called off when its digest had been closed: it goes on for the others that were counted in. */
  digestForOthers?: true;
  createdAt: Date;
  updatedAt: Date;
  /** Set when the run is over: retention counts from the end of the work. */
  expireAt?: Date;
}

export const NOTIFICATION_MODEL = 'Notification';

/** Declares the indexes; rows are written and read without Mongoose because thousands pass each second. */
export const NotificationSchema = new Schema(
  {},
  { collection: 'notifications', strict: false, versionKey: false, timestamps: false },
);
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
// claim, oldest first; next due time
NotificationSchema.index({ wakeAt: 1 }, waiting);
// claim of a lane's share of each environment under a backlog
NotificationSchema.index({ lane: 1, _environmentId: 1, wakeAt: 1 }, waiting);
// list, newest first; statistics
NotificationSchema.index({ _environmentId: 1, createdAt: -1, _id: -1 });
// list by transaction; cancel
NotificationSchema.index({ _environmentId: 1, transactionId: 1 });
// list by subscriber, newest first
NotificationSchema.index({ _environmentId: 1, _subscriberId: 1, createdAt: -1, _id: -1 });
// list by workflow, newest first
NotificationSchema.index({ _environmentId: 1, _templateId: 1, createdAt: -1, _id: -1 });
// list by channel, newest first
NotificationSchema.index({ _environmentId: 1, channels: 1, createdAt: -1, _id: -1 });
// list by state, newest first
NotificationSchema.index({ _environmentId: 1, status: 1, createdAt: -1, _id: -1 });
// list of what can be replayed, newest first
NotificationSchema.index(
  { _environmentId: 1, 'steps.deadLetter': 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { 'steps.deadLetter': true } },
);
// election of a digest's master
NotificationSchema.index(
  { digestSlot: 1 },
  { unique: true, partialFilterExpression: { digestSlot: { $exists: true } } },
);
// what a digest collected
NotificationSchema.index({ digestInto: 1 }, { partialFilterExpression: { digestInto: { $exists: true } } });
// retention
NotificationSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
