import type { NotificationRecord, StepState } from '../../notifications/index.js';

/** Why a step cannot be replayed. */
export type ReplayRefusal = 'running' | 'nothing_failed';

/**
 * Puts failed steps back so that they are carried out again, with all attempts and integrations anew; steps that were
 * called off because of them get their turn afterwards. What was delivered stays delivered.
 * @param jobIds the steps, by id; absent: all failed ones
 * @returns why not, or undefined when the record is changed
 */
export function replayRun(
  record: NotificationRecord,
  now: Date,
  jobIds?: ReadonlySet<string>,
): ReplayRefusal | undefined {
  if (record.status === 'active') return 'running';
  const failed = record.steps.filter(
    (step) => step.status === 'failed' && (jobIds === undefined || jobIds.has(step._id.toHexString())),
  );
  const [first] = failed;
  if (first === undefined) return 'nothing_failed';
  for (const step of failed) renew(step);
  const place = record.steps.indexOf(first);
  for (const step of record.steps.slice(place + 1)) {
    if (step.status === 'canceled' && step.reason === 'earlier_step_failed') renew(step);
  }
  first.status = 'queued';
  record.status = 'active';
  record.current = place;
  record.wakeAt = now;
  record.updatedAt = now;
  delete record.expireAt;
  return undefined;
}

/** As if the step had never begun; targets that were reached are not sent to again. */
function renew(step: StepState): void {
  step.status = 'pending';
  step.attempt = 0;
  const reached = step.targets?.filter(({ status }) => status === 'sent');
  if (reached !== undefined) step.targets = reached;
  delete step.conditionTries;
  delete step.tried;
  delete step.reason;
  delete step.error;
  delete step.deadLetter;
  delete step.finishedAt;
  delete step.dueAt;
}
