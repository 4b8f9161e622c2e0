import { type NotificationRecord, type StepState, type TargetState, UNCERTAIN } from '../records/notification.js';

export type ReplayRefusal = 'running' | 'nothing_failed' | 'uncertain';

export interface ReplayScope {
  /** Ids of steps; absent: all failed ones. */
  readonly jobIds?: ReadonlySet<string>;
  /** Also what a provider may have accepted, although the recipient may then get it twice. */
  readonly includesUncertain: boolean;
}

/**
 * Resets failed steps so that they are carried out again, with all attempts and integrations; steps that were canceled
 * because of them follow. Delivered messages are not sent again, and messages that may have been delivered only if the
 * scope includes them.
 * @returns the reason for a refusal, or undefined when the record was changed
 */
export function replayRun(
  record: NotificationRecord,
  now: Date,
  { jobIds, includesUncertain }: ReplayScope,
): ReplayRefusal | undefined {
  if (record.status === 'active') return 'running';
  const failed = record.steps.filter(
    (step) => step.status === 'failed' && (jobIds === undefined || jobIds.has(step._id.toHexString())),
  );
  const again = failed.filter((step) => includesUncertain || !mayBeSent(step));
  const [first] = again;
  if (first === undefined) return failed.length > 0 ? 'uncertain' : 'nothing_failed';
  for (const step of again) {
    resetStep(step, includesUncertain);
    step.replays = (step.replays ?? 0) + 1;
  }
  const place = record.steps.indexOf(first);
  for (const step of record.steps.slice(place + 1)) {
    if (step.status === 'canceled' && step.reason === 'earlier_step_failed') resetStep(step, includesUncertain);
  }
  first.status = 'queued';
  record.status = 'active';
  record.current = place;
  record.wakeAt = now;
  record.dueSince = now;
  record.updatedAt = now;
  delete record.setAsideAt;
  delete record.expireAt;
  return undefined;
}

/** Whatever the last failure was: an earlier attempt may have been accepted. */
export function mayBeSent(step: StepState): boolean {
  return step.reason === UNCERTAIN || step.mayBeSent === true || step.calls !== undefined;
}

/** As if the step had never begun, except for targets that were reached or may have been. */
function resetStep(step: StepState, includesUncertain: boolean): void {
  step.status = 'pending';
  step.attempt = 0;
  const reached = step.targets?.flatMap((target): TargetState[] => {
    if (target.status === 'sent') return [target];
    const isUncertain = target.status === 'uncertain' || target.uncertainSince !== undefined;
    return isUncertain && !includesUncertain ? [{ key: target.key, status: 'uncertain' }] : [];
  });
  if (reached !== undefined) step.targets = reached;
  delete step.conditionTries;
  delete step.tried;
  delete step.uncertainSince;
  delete step.uncertainAt;
  delete step.mayBeSent;
  delete step.calls;
  delete step.wait;
  delete step.reason;
  delete step.error;
  delete step.deadLetter;
  delete step.finishedAt;
  delete step.dueAt;
}
