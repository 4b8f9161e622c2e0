import type { TenantContext } from '#libs/common';
import { DETAIL, extendTrail, type NewDetail } from '../../execution-details/index.js';
import type { NotificationRecord, StepState } from '../records/notification.js';
import { type ReplayRefusal, replayRun, type ReplayScope } from '../run/replay-transitions.js';

/** The key on whose behalf a notification is replayed. */
export type Replayer = Pick<TenantContext, 'apiKeyId' | 'userId'>;

export interface PreparedReplay {
  /** Why it is not replayed; the record is unchanged then. */
  readonly refusal?: ReplayRefusal;
  /** Details that have no room in the trail of the record: they are stored apart, after the replay. */
  readonly rest: readonly NewDetail[];
}

/** Resets the failed steps of a record, which the caller writes, and says so in its trail. */
export function prepareReplay(record: NotificationRecord, scope: ReplayScope, by: Replayer, now: Date): PreparedReplay {
  const failed = record.steps.filter(({ status }) => status === 'failed');
  const refusal = replayRun(record, now, scope);
  if (refusal !== undefined) return { refusal, rest: [] };
  const replayed = failed.filter(({ status }) => status !== 'failed');
  return { rest: extendTrail(record, entriesOf(by, replayed, now), now) };
}

/** The trail names the key that replayed each step. */
function entriesOf({ apiKeyId, userId }: Replayer, steps: readonly StepState[], at: Date): NewDetail[] {
  return steps.map(({ _id, type, replays }) => ({
    jobId: _id,
    channel: type,
    detail: DETAIL.stepReplayed,
    isRetry: true,
    at,
    raw: { by: { keyId: apiKeyId, userId }, at, replays },
  }));
}
