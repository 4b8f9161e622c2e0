import type { Types } from 'mongoose';
import { REPLAY_RESULTS, type ReplayResult } from '../../engine/delivery/index.js';
import type { ReplayPosition, ReplayStatus } from './notification-replay.schema.js';

const DAY_MS = 86_400_000;

/** Written under the lease, which it releases. */
interface ReplayUpdate {
  readonly $set: Record<string, unknown>;
  readonly $unset: Record<string, 1>;
  readonly $inc?: Record<string, number>;
}

/** Recorded before the replay: after a crash, the next worker continues with the same batch. */
export function beginning(
  portion: readonly Types.ObjectId[],
  { createdAt, _id }: ReplayPosition,
  total: number | undefined,
): { readonly $set: Record<string, unknown> } {
  return { $set: { portion: [...portion], position: { createdAt, _id }, ...(total !== undefined && { total }) } };
}

/** @param next due time of the next batch */
export function counting(results: readonly ReplayResult[], now: Date, next: Date): ReplayUpdate {
  const counts = REPLAY_RESULTS.map(
    (result) => [`counts.${result}`, results.filter((one) => one === result).length] as const,
  );
  const $inc = Object.fromEntries(counts.filter(([, count]) => count > 0));
  return {
    $set: { updatedAt: now, wakeAt: next },
    $unset: { portion: 1, lease: 1, takenUp: 1, suspectGroup: 1 },
    ...(Object.keys($inc).length > 0 && { $inc }),
  };
}

/** @param retentionDays 0: keep the record forever */
export function ending(
  status: Extract<ReplayStatus, 'completed' | 'stopped' | 'failed'>,
  now: Date,
  retentionDays: number,
  error?: string,
): ReplayUpdate {
  return {
    $set: {
      status,
      updatedAt: now,
      endedAt: now,
      ...(error !== undefined && { error }),
      ...(retentionDays > 0 && { expireAt: new Date(now.getTime() + retentionDays * DAY_MS) }),
    },
    $unset: { wakeAt: 1, lease: 1, takenUp: 1, suspectGroup: 1, portion: 1, position: 1 },
  };
}
