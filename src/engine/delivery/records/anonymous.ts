import type { TrailEntry } from '../../execution-details/index.js';
import { isOwnDetail } from '../../execution-details/index.js';
import type { NotificationRecord, StepState } from './notification.js';

/** In place of the client's own id in the trail of a deleted subscriber. */
export const ERASED_ID = '(deleted)';

/** Why runs of deleted subscribers were canceled. */
export const SUBSCRIBER_DELETED = 'subscriber_deleted';

/** What stays of a run: which steps had which outcome and when, without texts that name an address or hold content. */
export function anonymous({ steps, trail }: Pick<NotificationRecord, 'steps' | 'trail'>): Partial<NotificationRecord> {
  return {
    subscriberId: ERASED_ID,
    steps: steps.map(anonymousStep),
    ...(trail && { trail: trail.map(anonymousEntry) }),
  };
}

function anonymousStep(step: StepState): StepState {
  const { error: _error, targets: _targets, output: _output, wait: _wait, held, ...rest } = step;
  if (held === undefined) return rest;
  const { message: _message, ...when } = held;
  return { ...rest, held: when };
}

function anonymousEntry(entry: TrailEntry): TrailEntry {
  const { r: _raw, w: _status, ...rest } = entry;
  return isOwnDetail(entry.d) ? rest : { ...rest, d: ERASED_ID };
}
