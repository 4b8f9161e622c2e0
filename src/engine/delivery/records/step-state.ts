import type { Types } from 'mongoose';
import { STEP_TYPES as TYPES } from '#libs/plugins';

/** All types of steps: those that are carried out, and those that are only stored, of which the trail says so. */
export const STEP_TYPES = TYPES.names;
export type StepType = string;

/**
 * States of a step, each meaning one thing:
 * `pending` not reached; `queued` reached, waits for a worker or for its next attempt; `running` in progress; `delayed`
 * waits for its due time or an event; `merged` its event went into another notification's digest; `completed` did what it was
 * for; `skipped` conditions, preferences or a digest rule refused it; `failed` could not; `canceled` was canceled.
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

/**
 * Where work waits: each lane has its own concurrency limit, so that slow providers of one channel block no other channel. The
 * steps of plugins share one.
 */
export const LANES = ['store', 'webhook', 'email', 'sms', 'chat', 'push', 'plugin', 'http'] as const;
export type Lane = (typeof LANES)[number];

/** The steps of these lanes call nobody, or do not mark their calls. */
const WITHOUT_MARKS: readonly Lane[] = ['store', 'webhook'];

export function marksCalls(lane: Lane): boolean {
  return !WITHOUT_MARKS.includes(lane);
}

/** The `reason` of steps that failed although a provider may have accepted their message. */
export const UNCERTAIN = 'uncertain';

export interface TargetState {
  /** The address, without secrets: a hash of it. */
  key: string;
  providerId?: string;
  /** `uncertain`: the provider may have accepted the message, so only an explicit request sends it again. */
  status: 'sent' | 'failed' | 'retry' | 'uncertain';
  error?: string;
  /** Finished attempts, while another one is due. */
  attempt?: number;
  uncertainSince?: Date;
  dueAt?: Date;
}

export interface StepState {
  /** The `_jobId` of messages and details. */
  _id: Types.ObjectId;
  stepId: Types.ObjectId;
  type: StepType;
  status: StepStatus;
  /** Attempts at the current integration that have begun. */
  attempt: number;
  conditionTries?: number;
  startedAt?: Date;
  finishedAt?: Date;
  /** When it continues, while it is delayed or waits for its next attempt. */
  dueAt?: Date;
  reason?: string;
  error?: string;
  /** The provider of the message; of push steps, before that, the provider that will be used. */
  providerId?: string;
  tried?: string[];
  /** When the current integration may first have accepted the message. */
  uncertainSince?: Date;
  uncertainAt?: string;
  /** What a step of a plugin hands to the steps after it. */
  output?: Readonly<Record<string, unknown>>;
  /** Any integration may have accepted an attempt. */
  mayBeSent?: boolean;
  targets?: TargetState[];
  /** Calls of providers that have begun since the state was last written; see `openCalls`. */
  calls?: BegunCall[];
  /** While it waits for a schedule or a send window to open, and afterwards. */
  held?: HeldState;
  /** While it waits for an event, and afterwards. */
  wait?: WaitState;
  /** All attempts and integrations are used up; it can be replayed. */
  deadLetter?: boolean;
  replays?: number;
}

/** What a step waits for to open: the schedule of the subscriber, the send window of the team, or a budget. */
export const HELD_BY = ['schedule', 'send_window', 'budget'] as const;
export type HeldBy = (typeof HELD_BY)[number];

export interface HeldState {
  readonly since: Date;
  readonly by: readonly HeldBy[];
  /** Absent until the run is known to be held: changes of schedules find it from then on. */
  readonly until?: Date;
  /** The openings that it has waited for. */
  readonly times: number;
  /** What a budget holds, for its digest. */
  readonly message?: HeldMessage;
}

export interface HeldMessage {
  readonly workflow: { readonly identifier: string; readonly name: string };
  readonly subject?: string;
  readonly title?: string;
  /** Identifier of the tenant to which it belongs. */
  readonly tenant?: string;
  /** The beginning of it. */
  readonly content: string;
}

export const WAIT_OUTCOMES = ['matched', 'timed_out'] as const;
export type WaitOutcome = (typeof WAIT_OUTCOMES)[number];

export interface WaitState {
  readonly since: Date;
  /** The time limit. */
  readonly until: Date;
  /** What finds the signals that answer it; absent where it waits for a message. */
  readonly keys?: readonly string[];
  /** Absent while it waits. It is stored before anything follows from it. */
  readonly outcome?: WaitOutcome;
  /** When the event came. */
  readonly at?: Date;
  /** Of the signal. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

/**
 * A call of a provider that a worker has begun. It is stored with the state of the step before anything leaves, so whoever takes
 * the run up and finds it without an outcome knows that the provider may have the message.
 */
export interface BegunCall {
  /** The key of the target. */
  readonly target: string;
  readonly integrationId: string;
  readonly providerId: string;
  /** Integrations that had refused the message before. */
  readonly tried?: string[];
  readonly at: Date;
  /** `attempt` of the step. Processes of former versions leave calls of earlier attempts behind. */
  readonly attempt: number;
}

interface CallingStep {
  readonly attempt: number;
  readonly calls?: readonly BegunCall[];
}

/** Calls of a step that have no recorded outcome. */
export function openCalls({ calls = [], attempt }: CallingStep): readonly BegunCall[] {
  return calls.filter((call) => call.attempt === attempt);
}
