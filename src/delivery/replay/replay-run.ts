import {
  type NotificationRecord,
  type StepState,
  type TargetState,
  UNCERTAIN,
} from '../records/notification.record.js';

/** Why a step cannot be replayed. */
export type ReplayRefusal = 'running' | 'nothing_failed' | 'uncertain';

/** What is to be replayed. */
export interface ReplayScope {
  /** Ids of steps; absent: all failed ones. */
  readonly jobIds?: ReadonlySet<string>;
  /** Also what a provider may have taken, although the recipient may then get it twice. */
  readonly includesUncertain: boolean;
}

/**
 * Puts failed steps back so that they are carried out again, with all attempts and integrations anew; steps that were
 * called off because of them get their turn afterwards. What was delivered stays delivered, and what may have been is not
 * sent again unless the scope says so.
 * @returns why not, or undefined when the record is changed
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
    renew(step, includesUncertain);
    step.replays = (step.replays ?? 0) + 1;
  }
  const place = record.steps.indexOf(first);
  for (const step of record.steps.slice(place + 1)) {
    if (step.status === 'canceled' && step.reason === 'earlier_step_failed') renew(step, includesUncertain);
  }
  first.status = 'queued';
  record.status = 'active';
  record.current = place;
  record.wakeAt = now;
  record.updatedAt = now;
  delete record.expireAt;
  return undefined;
}

/** Whatever the step failed of in the end: an attempt of it may have been taken. */
function mayBeSent(step: StepState): boolean {
  return step.reason === UNCERTAIN || step.mayBeSent === true;
}

/** As if the step had never begun; targets that were reached, or may have been, are not sent to again. */
function renew(step: StepState, includesUncertain: boolean): void {
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
  delete step.reason;
  delete step.error;
  delete step.deadLetter;
  delete step.finishedAt;
  delete step.dueAt;
}
