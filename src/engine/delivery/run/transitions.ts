import type { Types } from 'mongoose';
import { isChannel } from '#libs/channels';
import { openCalls } from '../records/step-state.js';
import { type Lane, type NotificationRecord, type StepState, UNCERTAIN } from '../records/notification.js';

/**
 * The state machine of a run, and with the two files below the only code that changes the state of one. Everything here is free of input and output:
 * functions change the record that a worker holds, which the caller then writes under its lease. Changes that are made in
 * the store, without holding the record, are update documents in `store-transitions.ts`; `replay-transitions.ts` begins ended
 * runs again.
 */

const DAY_MS = 86_400_000;

/** What follows from carrying out a step, and the fields of its state that change with it. */
export type StepOutcome = StepEnd & { readonly progress?: StepProgress };

type StepEnd =
  /** `endsRun`: the later steps are skipped for this reason. */
  | { readonly kind: 'completed'; readonly endsRun?: string }
  | {
      readonly kind: 'skipped';
      readonly reason: string;
      /** Ends the run: the later steps are skipped for the same reason. */
      readonly stopsRun?: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly error?: string;
      readonly deadLetter?: boolean;
      /** Ends the run regardless of `shouldStopOnFail`: later steps would run at the wrong time. */
      readonly stopsRun?: boolean;
    }
  /** `isHeld`: until a schedule opens; a change of the schedule wakes it. `awaiting`: what wakes it before. */
  | { readonly kind: 'wait'; readonly until: Date; readonly isHeld?: true; readonly awaiting?: readonly string[] }
  /** Waits together with other runs of the same slot until then. Which run leads is decided by the step's gathering. */
  | { readonly kind: 'gather'; readonly slot: string; readonly until: Date }
  | { readonly kind: 'retry'; readonly at: Date; readonly reason: string; readonly error: string }
  /** It was not tried. `heldBy`: what holds it back, other than that many others wait. */
  | {
      readonly kind: 'busy';
      readonly at: Date;
      readonly hasBegun: boolean;
      readonly heldBy?: { readonly reason: string; readonly error: string };
    };

/** The fields of a step's state that carrying it out changes, other than its status. A value of undefined removes one. */
export type StepProgress = Partial<
  Pick<StepState, 'attempt' | 'conditionTries' | 'providerId' | 'targets' | 'tried' | 'output' | 'calls' | 'held'> &
    Pick<StepState, 'wait' | 'uncertainSince' | 'uncertainAt' | 'mayBeSent'>
>;

export interface TransitionContext {
  readonly now: Date;
  /** 0 keeps them for ever. */
  readonly retentionDays: number;
}

export function currentStep(record: NotificationRecord): StepState | undefined {
  return record.status === 'active' ? record.steps[record.current] : undefined;
}

export function startStep(step: StepState, now: Date): void {
  step.status = 'running';
  step.startedAt ??= now;
  delete step.dueAt;
}

/** Moves a run on by the outcome of its current step. @returns later steps that ended with it, canceled or skipped */
export function applyOutcome(
  record: NotificationRecord,
  outcome: StepOutcome,
  { now, shouldStopOnFail, retentionDays }: TransitionContext & { readonly shouldStopOnFail: boolean },
): StepState[] {
  const step = currentStep(record);
  if (step === undefined) return [];
  applyProgress(step, outcome.progress ?? {});
  delete record.held;
  delete record.awaiting;
  record.updatedAt = now;
  if (outcome.kind === 'gather') return [];
  if (outcome.kind === 'wait' || outcome.kind === 'retry' || outcome.kind === 'busy') {
    postpone(record, step, outcome);
    return [];
  }
  step.status = outcome.kind;
  step.finishedAt = now;
  delete step.dueAt;
  delete step.error;
  delete step.reason;
  if (outcome.kind !== 'completed') step.reason = outcome.reason;
  let ended: StepState[] = [];
  if (outcome.kind === 'failed') {
    if (outcome.error !== undefined) step.error = outcome.error;
    if (outcome.deadLetter === true) step.deadLetter = true;
    if (outcome.reason === UNCERTAIN) step.mayBeSent = true;
    const isLast = shouldStopOnFail || outcome.stopsRun === true;
    if (isLast) ended = cancelPending(record, 'earlier_step_failed', now);
  }
  if (outcome.kind === 'skipped' && outcome.stopsRun === true) ended = skipPending(record, outcome.reason, now);
  if (outcome.kind === 'completed' && outcome.endsRun !== undefined) ended = skipPending(record, outcome.endsRun, now);
  toNextStep(record, now, retentionDays);
  return ended;
}

function applyProgress(step: StepState, progress: StepProgress): void {
  Object.assign(step, progress);
  for (const key of Object.keys(progress) as (keyof StepProgress)[]) if (progress[key] === undefined) delete step[key];
}

function postpone(
  record: NotificationRecord,
  step: StepState,
  outcome: Extract<StepOutcome, { kind: 'wait' | 'retry' | 'busy' }>,
): void {
  const at = outcome.kind === 'wait' ? outcome.until : outcome.at;
  step.status = outcome.kind === 'wait' ? 'delayed' : 'queued';
  step.dueAt = at;
  const cause = outcome.kind === 'retry' ? outcome : outcome.kind === 'busy' ? outcome.heldBy : undefined;
  if (cause !== undefined) {
    step.reason = cause.reason;
    step.error = cause.error;
  }
  if (outcome.kind === 'wait' && outcome.isHeld === true) record.held = true;
  if (outcome.kind === 'wait' && outcome.awaiting) record.awaiting = outcome.awaiting;
  record.wakeAt = at;
  if (outcome.kind !== 'busy') record.dueSince = at;
  delete record.lease;
}

function toNextStep(record: NotificationRecord, now: Date, retentionDays: number): void {
  const next = record.steps.findIndex((step, place) => place > record.current && step.status === 'pending');
  if (next >= 0) {
    record.current = next;
    return;
  }
  const hasFailed = record.steps.some(({ status }) => status === 'failed');
  finishRun(record, hasFailed ? 'failed' : 'completed', now, retentionDays);
}

function finishRun(
  record: NotificationRecord,
  status: 'completed' | 'failed' | 'canceled' | 'merged',
  now: Date,
  retentionDays: number,
): void {
  record.status = status;
  record.current = record.steps.length;
  record.updatedAt = now;
  if (retentionDays > 0) record.expireAt = new Date(now.getTime() + retentionDays * DAY_MS);
  delete record.lane;
  delete record.wakeAt;
  delete record.dueSince;
  delete record.lease;
  delete record.digestSlot;
  delete record.held;
  delete record.awaiting;
}

/** Gives every step that was not reached its final status, so that none stays pending for ever. */
function cancelPending(record: NotificationRecord, reason: string, now: Date): StepState[] {
  const rest = record.steps.filter(({ status }) => status === 'pending');
  for (const step of rest) cancelStep(step, reason, now);
  return rest;
}

function skipPending(record: NotificationRecord, reason: string, now: Date): StepState[] {
  const rest = record.steps.filter(({ status }) => status === 'pending');
  for (const step of rest) Object.assign(step, { status: 'skipped', reason, finishedAt: now });
  return rest;
}

function cancelStep(step: StepState, reason: string, now: Date): void {
  step.status = 'canceled';
  step.reason = reason;
  step.finishedAt = now;
}

/** Marks a run as canceled while a worker holds it: the worker ends it before it begins another step. */
export function requestCancellation(record: NotificationRecord): void {
  record.cancelRequested = true;
}

/**
 * Completes the steps whose messages were sent by a worker that died before it wrote the state of the run. A step before
 * them that has no message is canceled if it sends messages, else it is complete.
 * @param sent ids of steps
 * @returns the steps with messages
 */
export function completeSent(
  record: NotificationRecord,
  sent: ReadonlySet<string>,
  { now, retentionDays }: TransitionContext,
): StepState[] {
  const isSent = ({ _id }: StepState): boolean => sent.has(_id.toHexString());
  const completed: StepState[] = [];
  for (;;) {
    const step = currentStep(record);
    if (step === undefined || !record.steps.slice(record.current).some(isSent)) return completed;
    if (isSent(step)) completed.push(step);
    if (isSent(step) || !isChannel(step.type)) {
      applyOutcome(record, { kind: 'completed' }, { now, retentionDays, shouldStopOnFail: false });
    } else {
      cancelStep(step, 'transaction_canceled', now);
      toNextStep(record, now, retentionDays);
    }
  }
}

/** Ends a run. A step whose call was interrupted may have sent its message, and is not canceled. */
export function cancelRun(
  record: NotificationRecord,
  { now, retentionDays }: TransitionContext,
  reason = 'transaction_canceled',
): StepState[] {
  delete record.cancelRequested;
  if (record.status !== 'active') return [];
  const step = currentStep(record);
  const canceled = cancelPending(record, reason, now);
  if (step !== undefined && !canceled.includes(step)) {
    delete step.dueAt;
    if (openCalls(step).length > 0) {
      Object.assign(step, { status: 'failed', reason: UNCERTAIN, deadLetter: true, mayBeSent: true, finishedAt: now });
    } else {
      cancelStep(step, reason, now);
      canceled.unshift(step);
    }
  }
  finishRun(record, canceled.length > 0 ? 'canceled' : 'failed', now, retentionDays);
  return canceled;
}

/**
 * Ends a run that cannot be carried on.
 * @param isReplayable keeps the later steps pending, so that a replay carries them out
 */
export function failRun(
  record: NotificationRecord,
  { reason, error, isReplayable }: { readonly reason: string; readonly error: string; readonly isReplayable: boolean },
  context: TransitionContext,
): void {
  if (!isReplayable) cancelPending(record, reason, context.now);
  const outcome = { kind: 'failed', reason, error, ...(isReplayable && { deadLetter: true }) } as const;
  applyOutcome(record, outcome, { ...context, shouldStopOnFail: true });
  if (record.status === 'active') finishRun(record, 'failed', context.now, context.retentionDays);
}

/**
 * Ends a run whose event is in another notification's digest.
 * @param keptFrom when that digest ends: its events are needed until then, so retention counts from then
 */
export function mergeRun(record: NotificationRecord, keptFrom: Date, { now, retentionDays }: TransitionContext): void {
  for (const step of record.steps.slice(record.current)) {
    step.status = 'merged';
    step.finishedAt = now;
    delete step.dueAt;
  }
  finishRun(record, 'merged', keptFrom, retentionDays);
  record.updatedAt = now;
  delete record.cancelRequested;
}

/** Makes a run the master of a digest: it waits until the digest ends, and others find it by its slot. */
export function leadDigest(record: NotificationRecord, slot: string, until: Date, now: Date): void {
  const step = currentStep(record);
  if (step === undefined) return;
  step.status = 'delayed';
  step.dueAt = until;
  record.digestSlot = slot;
  record.digestLastSlot = slot;
  record.lane = 'store';
  Object.assign(record, { wakeAt: until, dueSince: until, updatedAt: now });
  delete record.lease;
  delete record.digestInto;
  delete record.digestClosedStep;
}

export function joinedDigest(record: NotificationRecord, master: Types.ObjectId): void {
  record.digestInto = master;
}

export function leftDigest(record: NotificationRecord): void {
  delete record.digestInto;
}

export function noteClosing(record: NotificationRecord): void {
  delete record.digestSlot;
}

/** The digest of the run's current step is closed in the store. @param size how many others were counted in */
export function noteClosed(record: NotificationRecord, epoch: number, size: number): void {
  record.digestClosed = epoch;
  record.digestClosedStep = record.current;
  record.digestSize = size;
}

/**
 * Withdraws the run's own event from its closed digest. The run continues for the events of others.
 * @param lane of the current step
 */
export function continueForOthers(record: NotificationRecord, lane: Lane, now: Date): void {
  record.digestForOthers = true;
  record.updatedAt = now;
  delete record.cancelRequested;
  const step = currentStep(record);
  if (step !== undefined) queueIn(record, step.status === 'delayed' ? 'store' : lane, step.dueAt ?? now);
}

export function queueIn(record: NotificationRecord, lane: Lane, at: Date): void {
  record.lane = lane;
  record.wakeAt = at;
  record.dueSince = at;
  delete record.lease;
  const step = currentStep(record);
  if (step !== undefined && step.status !== 'delayed') step.status = 'queued';
}

export function waitIn(record: NotificationRecord, lane: Lane): void {
  record.lane = lane;
}

export function holdIn(
  record: NotificationRecord,
  lane: Lane,
  { lease, now, until }: { readonly lease: string; readonly now: Date; readonly until: Date },
): void {
  record.lane = lane;
  record.lease = lease;
  record.wakeAt = until;
  record.dueSince = now;
  const step = currentStep(record);
  if (step !== undefined) step.status = 'running';
}

const STATE_FIELDS = [
  'status',
  'current',
  'digestSlot',
  'digestLastSlot',
  'digestClosedStep',
  'held',
  'awaiting',
  'lane',
  'wakeAt',
  'dueSince',
  'lease',
  'updatedAt',
  'expireAt',
] as const satisfies readonly (keyof NotificationRecord)[];

export type SavedState = Pick<NotificationRecord, (typeof STATE_FIELDS)[number] | 'steps'>;

export function saveState(record: NotificationRecord): SavedState {
  const saved: Partial<Record<keyof NotificationRecord, unknown>> = {};
  for (const field of STATE_FIELDS) saved[field] = record[field];
  return { ...saved, steps: record.steps.map((step) => ({ ...step })) } as SavedState;
}

export function restoreState(record: NotificationRecord, saved: SavedState): void {
  Object.assign(record, saved);
}
