import { Injectable } from '@nestjs/common';
import { Batcher, keysOf } from '#libs/work';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import {
  NOTIFICATION_SHARD_KEY,
  type NotificationKey,
  type NotificationRecord,
  NotificationStore,
} from '../records/notification.js';
import { RunCanceler } from '../run/cancellation.js';
import { LostRuns } from '../run/lost-runs.js';
import { RunLoader } from '../run/run-loader.js';

const BATCH = 1_000;

const FIELDS = {
  _environmentId: 1,
  _subscriberId: 1,
  status: 1,
  lease: 1,
  wakeAt: 1,
  digestHeirOf: 1,
} as const satisfies Partial<Record<keyof NotificationRecord, 1>>;

/** A run that is marked as canceled and has no outcome yet. */
type MarkedRun = NotificationKey & Pick<NotificationRecord, 'status' | 'lease' | 'wakeAt' | 'digestHeirOf'>;

/** Runs that are marked as canceled: ends those that nobody holds, and knows which somebody still holds. */
@Injectable()
export class MarkedRuns {
  private readonly looks = new Batcher<NotificationKey, MarkedRun | undefined>((keys) => this.look(keys), {
    size: BATCH,
    concurrency: 2,
  });

  constructor(
    private readonly notifications: NotificationStore,
    private readonly queues: DeliveryQueues,
    private readonly loader: RunLoader,
    private readonly canceler: RunCanceler,
    private readonly lost: LostRuns,
  ) {}

  /** Takes runs up that nobody holds, and ends them. What another worker takes up first ends there. */
  async end(runs: readonly NotificationKey[]): Promise<void> {
    if (runs.length === 0) return;
    const taken = await this.queues.notifications.take(runs, { cancelRequested: true });
    const loaded = await this.loader.load(taken);
    await this.lost.end(loaded.lost);
    await this.canceler.cancelClaimed(loaded.runs);
  }

  /** Those that have no outcome yet. The questions of all who ask at the same time are one query. */
  async open(runs: readonly NotificationKey[]): Promise<{ readonly free: MarkedRun[]; readonly held: MarkedRun[] }> {
    const rows = await Promise.all(runs.map((run) => this.looks.submit(run)));
    const now = this.queues.now();
    const open = rows.filter((row) => row !== undefined);
    const free = open.filter((row) => isFree(row, now));
    return { free, held: open.filter((row) => !free.includes(row)) };
  }

  private async look(keys: readonly NotificationKey[]): Promise<(MarkedRun | undefined)[]> {
    const rows = await this.notifications.collection
      .find({ ...keysOf(keys, NOTIFICATION_SHARD_KEY), cancelRequested: true })
      .project<MarkedRun>(FIELDS)
      .toArray();
    const open = new Map(rows.filter(isOpen).map((row) => [row._id.toHexString(), row]));
    return keys.map(({ _id }) => open.get(_id.toHexString()));
  }
}

/** A run that is merged has its outcome, unless it is about to lead its digest. */
function isOpen({ status, digestHeirOf }: MarkedRun): boolean {
  return status === 'active' || (status === 'merged' && digestHeirOf !== undefined);
}

function isFree({ status, lease, wakeAt }: MarkedRun, now: Date): boolean {
  return status === 'active' && (lease === undefined || (wakeAt !== undefined && wakeAt <= now));
}
