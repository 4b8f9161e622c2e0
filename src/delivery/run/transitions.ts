import type { Lane, NotificationRecord, StepState } from '../records/notification.record.js';

/** What became of a step when its handler was done with it. */
export type StepResult =
  | { readonly kind: 'completed' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly error?: string;
      /** All attempts and integrations are used up. */
      readonly deadLetter?: boolean;
      /** Ends the run whatever the step's `shouldStopOnFail` says: later steps would come at the wrong time. */
      readonly stopsRun?: boolean;
    }
  | { readonly kind: 'wait'; readonly until: Date }
  /** It takes part in a digest that ends then; whether it leads it or joins another, the ledger decides. */
  | { readonly kind: 'digest'; readonly slot: string; readonly until: Date }
  | { readonly kind: 'retry'; readonly at: Date; readonly reason: string; readonly error: string }
  /** It has to come again for its turn. */
  | { readonly kind: 'busy'; readonly at: Date; readonly hasBegun: boolean };

/** The step that a run is at, or undefined when it is over. */
export function currentStep(record: NotificationRecord): StepState | undefined {
  return record.status === 'active' ? record.steps[record.current] : undefined;
}

/** Marks the current step as being worked on. */
export function startStep(step: StepState, now: Date): void {
  step.status = 'running';
  step.startedAt ??= now;
  delete step.dueAt;
}

/** Moves a run on by what became of its current step. Changes the record in memory; the caller writes it. */
export function applyResult(
  record: NotificationRecord,
  result: StepResult,
  { now, shouldStopOnFail, retentionDays }: { now: Date; shouldStopOnFail: boolean; retentionDays: number },
): void {
  const step = currentStep(record);
  if (step === undefined) return;
  record.updatedAt = now;
  if (result.kind === 'digest') return;
  if (result.kind === 'wait' || result.kind === 'retry' || result.kind === 'busy') {
    postpone(record, step, result);
    return;
  }
  step.status = result.kind;
  step.finishedAt = now;
  delete step.dueAt;
  delete step.error;
  delete step.reason;
  if (result.kind !== 'completed') step.reason = result.reason;
  if (result.kind === 'failed') {
    if (result.error !== undefined) step.error = result.error;
    if (result.deadLetter === true) step.deadLetter = true;
    if (shouldStopOnFail || result.stopsRun === true) cancelPending(record, 'earlier_step_failed', now);
  }
  toNextStep(record, now, retentionDays);
}

function postpone(
  record: NotificationRecord,
  step: StepState,
  result: Extract<StepResult, { kind: 'wait' | 'retry' | 'busy' }>,
): void {
  const at = result.kind === 'wait' ? result.until : result.at;
  step.status = result.kind === 'wait' ? 'delayed' : 'queued';
  step.dueAt = at;
  if (result.kind === 'retry') {
    step.reason = result.reason;
    step.error = result.error;
  }
  record.wakeAt = at;
  delete record.lease;
}

/** To the next step that is pending, or to the end. */
export function toNextStep(record: NotificationRecord, now: Date, retentionDays: number): void {
  const next = record.steps.findIndex((step, place) => place > record.current && step.status === 'pending');
  if (next >= 0) {
    record.current = next;
    return;
  }
  finishRun(
    record,
    record.steps.some(({ status }) => status === 'failed') ? 'failed' : 'completed',
    now,
    retentionDays,
  );
}

/** Ends a run: nothing of it is claimable any more, and retention begins. */
export function finishRun(
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
  delete record.lease;
  delete record.digestSlot;
}

/** Gives every step that was not reached its final status, so that none stays pending for ever. */
export function cancelPending(record: NotificationRecord, reason: string, now: Date): StepState[] {
  const rest = record.steps.filter(({ status }) => status === 'pending');
  for (const step of rest) {
    step.status = 'canceled';
    step.reason = reason;
    step.finishedAt = now;
  }
  return rest;
}

/** Calls a run off: the step that it is at and all later ones. @returns the canceled steps */
export function cancelRun(record: NotificationRecord, now: Date, retentionDays: number): StepState[] {
  const step = currentStep(record);
  const canceled = cancelPending(record, 'transaction_canceled', now);
  if (step !== undefined && !canceled.includes(step)) {
    step.status = 'canceled';
    step.reason = 'transaction_canceled';
    step.finishedAt = now;
    delete step.dueAt;
    canceled.unshift(step);
  }
  finishRun(record, 'canceled', now, retentionDays);
  delete record.cancelRequested;
  return canceled;
}

/**
 * Ends a run whose event went into another notification's digest.
 * @param keptFrom when that digest ends: until then its events must be there, so retention counts from then
 */
export function mergeRun(record: NotificationRecord, now: Date, keptFrom: Date, retentionDays: number): void {
  for (const step of record.steps.slice(record.current)) {
    step.status = 'merged';
    step.finishedAt = now;
    delete step.dueAt;
  }
  finishRun(record, 'merged', keptFrom, retentionDays);
  record.updatedAt = now;
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
  record.wakeAt = until;
  record.updatedAt = now;
  delete record.lease;
  delete record.digestInto;
  delete record.digestClosedStep;
}

/** A copy of what a step may change, for when it must not have happened. */
export function stateOf(record: NotificationRecord): Partial<NotificationRecord> {
  const { status, current, steps, lane, wakeAt, lease, updatedAt, expireAt } = record;
  const { digestSlot, digestLastSlot, digestClosedStep } = record;
  return {
    status,
    current,
    digestSlot,
    digestLastSlot,
    digestClosedStep,
    lane,
    wakeAt,
    lease,
    updatedAt,
    expireAt,
    steps: steps.map((step) => ({ ...step })),
  };
}

/** Puts a run into a lane where any worker can claim it. */
export function queueIn(record: NotificationRecord, lane: Lane, at: Date): void {
  record.lane = lane;
  record.wakeAt = at;
  delete record.lease;
  const step = currentStep(record);
  if (step !== undefined && step.status !== 'delayed') step.status = 'queued';
}

const DAY_MS = 86_400_000;
