import { isChannel } from '#libs/channels';
import { MessageFailed } from '../records/delivery.events.js';
import type { NotificationRecord, StepState } from '../records/notification.js';
import type { Run } from './run.js';
import type { Attempt, StepEffects } from './step-report.js';
import type { StepOutcome } from './transitions.js';

export interface OwnAttempts {
  readonly record: Pick<NotificationRecord, '_environmentId' | '_organizationId'>;
  readonly attempts: readonly Attempt[];
}

/** Attempts to deliver have ended and are stored with the runs that made them. */
export class AttemptsEnded {
  constructor(readonly runs: readonly OwnAttempts[]) {}
}

/**
 * The attempts of a step, of which messages and events tell.
 * @param step the current one, before its outcome is applied
 * @param outcome absent: the step was interrupted
 */
export function attemptsOf(
  run: Run,
  step: StepState,
  { outcome, messages, events }: Pick<StepEffects, 'messages' | 'events'> & { readonly outcome?: StepOutcome },
  now: Date,
): Attempt[] {
  const { type: channel } = step;
  if (!isChannel(channel)) return [];
  const isDead = outcome?.kind === 'failed' && outcome.deadLetter === true;
  const failed = new Set(events.flatMap((event) => (event instanceof MessageFailed ? event.messageId : [])));
  const ms = timeToSend(run, step, now);
  const attempts = messages.map(({ _id, providerId, status }, place): Attempt => {
    const own = { channel, ...(providerId !== undefined && { providerId }) };
    if (status === 'sent') return { ...own, result: 'sent', ...(ms !== undefined && { ms }) };
    // A message that several integrations tried stands here once for each.
    const isLast = !messages.slice(place + 1).some((later) => later._id.equals(_id));
    if (!isLast || !failed.has(_id.toHexString())) return { ...own, result: 'retried' };
    return { ...own, result: 'failed', ...(isDead && { isDead }) };
  });
  if (outcome?.kind === 'failed' && !attempts.some(({ result }) => result === 'failed')) {
    attempts.push(...failureOf(step, isDead));
  }
  return attempts;
}

/** The failure of a step that has no message. */
export function failureOf({ type: channel, providerId }: StepState, isDead: boolean): Attempt[] {
  if (!isChannel(channel)) return [];
  return [{ channel, ...(providerId !== undefined && { providerId }), result: 'failed', ...(isDead && { isDead }) }];
}

/** Since the trigger, or the end of the step before. */
function timeToSend({ event, record }: Run, step: StepState, now: Date): number | undefined {
  if (step.replays !== undefined) return undefined;
  const ready = record.steps[record.current - 1]?.finishedAt ?? event.createdAt;
  return Math.max(0, now.getTime() - ready.getTime());
}
