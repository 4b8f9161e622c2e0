import { Injectable } from '@nestjs/common';
import type { NotificationRecord } from '../records/notification.record.js';
import type { Run } from '../run/run.js';
import { Batcher } from './batcher.js';
import { WorkQueues } from './work-queues.js';

/** The lease of a run has passed on: whatever is still to be done for it is another worker's work. */
export class LeaseLost extends Error {
  constructor(run: Run) {
    super(`Another worker has notification ${run.record._id.toHexString()} by now.`);
    this.name = 'LeaseLost';
  }
}

const BATCH = 1_000;
/** A lease that the store has confirmed within this part of its time is not asked for again. */
const FRESH_PART = 1 / 3;

/**
 * Knows which leases this process surely has. A process that stands still (stopped, swapped out, busy for long) does not
 * notice that its leases end; so whoever is about to do something that cannot be taken back asks here. The answer costs
 * nothing while the lease is fresh, and one write for all who ask at the same time where it is not.
 */
@Injectable()
export class Leases {
  private readonly confirmed = new WeakMap<NotificationRecord, number>();
  private readonly batcher = new Batcher<Run, boolean>((runs) => this.renew(runs), { size: BATCH, concurrency: 2 });

  constructor(private readonly queues: WorkQueues) {}

  /** Takes note of leases that were just got from the store: each record says when its lease ends. */
  began(records: readonly NotificationRecord[]): void {
    for (const record of records) {
      if (record.wakeAt !== undefined)
        this.confirmed.set(record, record.wakeAt.getTime() - this.queues.notifications.leaseMs);
    }
  }

  /** Lengthens the leases of runs that take long. */
  async lengthen(records: readonly NotificationRecord[]): Promise<void> {
    const at = this.queues.now().getTime();
    const held = await this.queues.notifications.renew(records);
    for (const record of records) if (held.has(record._id.toHexString())) this.confirmed.set(record, at);
  }

  async holds(run: Run): Promise<boolean> {
    return this.isFresh(run) || this.batcher.submit(run);
  }

  /** @throws {LeaseLost} */
  async assertHeld(run: Run): Promise<void> {
    if (!(await this.holds(run))) throw new LeaseLost(run);
  }

  /** Those among stored runs that another worker has by now. */
  async lostAmong(runs: readonly Run[]): Promise<Set<Run>> {
    const stale = runs.filter((run) => !this.isFresh(run));
    if (stale.length === 0) return new Set();
    const held = await this.renew(stale);
    return new Set(stale.filter((_run, place) => held[place] !== true));
  }

  private isFresh({ record }: Run): boolean {
    const at = this.confirmed.get(record);
    if (at === undefined) return false;
    const age = this.queues.now().getTime() - at;
    // A clock that was set back says nothing.
    return age >= 0 && age < this.queues.notifications.leaseMs * FRESH_PART;
  }

  private async renew(runs: readonly Run[]): Promise<boolean[]> {
    const at = this.queues.now().getTime();
    const held = await this.queues.notifications.renew(runs.map(({ record: { _id }, lease }) => ({ _id, lease })));
    return runs.map(({ record }) => {
      const isHeld = held.has(record._id.toHexString());
      if (isHeld) this.confirmed.set(record, at);
      return isHeld;
    });
  }
}
