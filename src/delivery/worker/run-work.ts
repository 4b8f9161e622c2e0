import { Injectable } from '@nestjs/common';
import { isStoreAway } from '#libs/persistence';
import { Background, ClaimedWork } from '#libs/work';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import type { Lane, NotificationRecord } from '../records/notification.js';
import { LostRuns } from '../run/lost-runs.js';
import { RunEngine } from '../run/run-engine.js';
import { RunLoader } from '../run/run-loader.js';

/** Claims due notifications, at most as many as the lanes have slots for, and hands them to the engine. */
@Injectable()
export class RunWork {
  readonly claimed: ClaimedWork<NotificationRecord>;

  constructor(
    private readonly loader: RunLoader,
    private readonly engine: RunEngine,
    private readonly lost: LostRuns,
    private readonly queues: DeliveryQueues,
    background: Background,
  ) {
    this.claimed = new ClaimedWork({
      queue: queues.notifications,
      suspects: queues.suspects,
      inFlight: queues.inFlight,
      background,
      capacity: () => queues.lanes.capacity,
      begin: (records) => this.resume(records),
      setAside: (records) => this.lost.end(records.map((record) => ({ record, reason: 'worker_lost' }))),
      renew: (records) => queues.leases.lengthen(records),
    });
  }

  /** @param listener called when a slot becomes free for runs that may be waiting */
  whenFree(listener: () => void): void {
    this.queues.lanes.whenFree(listener);
  }

  private async resume(records: readonly NotificationRecord[]): Promise<void> {
    for (const record of records) this.queues.lanes.take(...slotOf(record));
    const isHandedOver = new Set<NotificationRecord>();
    try {
      const { runs, lost } = await this.loader.load(records);
      await this.lost.end(lost);
      for (const { record } of runs) isHandedOver.add(record);
      await this.engine.resume(runs);
    } catch (error) {
      // An unavailable store says nothing about these records.
      if (isStoreAway(error)) await this.queues.notifications.forgive(records);
      throw error;
    } finally {
      for (const record of records) if (!isHandedOver.has(record)) this.queues.lanes.release(...slotOf(record));
    }
  }
}

function slotOf({ lane, _environmentId }: NotificationRecord): [lane: Lane, environmentId: string] {
  return [lane ?? 'store', _environmentId.toHexString()];
}
