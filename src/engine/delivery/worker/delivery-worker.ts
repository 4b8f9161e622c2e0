import { Injectable } from '@nestjs/common';
import { Clock, storeFault } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppWorker, Background, ClaimedWork, WakeUps, Worker } from '#libs/work';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import type { Lane, NotificationRecord } from '../records/notification.js';
import { InterruptedRuns } from '../run/interrupted-runs.js';
import { LostRuns } from '../run/lost-runs.js';
import { RunEngine } from '../run/run-engine.js';
import { RunLoader } from '../run/run-loader.js';
import { EventWork } from './event-work.js';

@Injectable()
export class RunWork {
  readonly claimed: ClaimedWork<NotificationRecord>;

  constructor(
    private readonly loader: RunLoader,
    private readonly engine: RunEngine,
    private readonly lost: LostRuns,
    private readonly interrupted: InterruptedRuns,
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
      setAside: (records) => this.setAside(records),
      renew: (records) => queues.leases.lengthen(records),
    });
  }

  open(): void {
    this.queues.lanes.open();
  }

  /** Begins no more calls. Runs that wait for their turn are released. */
  close(): void {
    this.queues.lanes.close();
  }

  whenFree(listener: () => void): void {
    this.queues.lanes.whenFree(listener);
  }

  private async setAside(records: readonly NotificationRecord[]): Promise<void> {
    await this.interrupted.announceCalls(records);
    await this.lost.end(records.map((record) => ({ record, reason: 'worker_lost' })));
  }

  private async resume(records: readonly NotificationRecord[]): Promise<void> {
    for (const record of records) this.queues.lanes.take(...slotOf(record));
    const claims = records.map(({ _id, _environmentId, _subscriberId, lease }) => ({
      _id,
      _environmentId,
      _subscriberId,
      ...(lease !== undefined && { lease }),
    }));
    const isHandedOver = new Set<NotificationRecord>();
    try {
      const { runs, lost } = await this.loader.load(records);
      await this.lost.end(lost);
      for (const { record } of runs) isHandedOver.add(record);
      await this.engine.resume(runs);
    } catch (error) {
      // A fault of the store says nothing about these records.
      if (storeFault(error) !== undefined) this.queues.notifications.forgive(claims);
      throw error;
    } finally {
      for (const record of records) if (!isHandedOver.has(record)) this.queues.lanes.release(...slotOf(record));
    }
  }
}

function slotOf({ lane, _environmentId }: NotificationRecord): [lane: Lane, environmentId: string] {
  return [lane ?? 'store', _environmentId.toHexString()];
}

@Injectable()
export class DeliveryWorker extends AppWorker {
  protected readonly worker: Worker;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly events: EventWork,
    private readonly runs: RunWork,
    background: Background,
    clock: Clock,
    private readonly wakeUps: WakeUps,
    config: AppConfig,
  ) {
    super(config);
    this.worker = new Worker({
      sources: [events.claimed, runs.claimed],
      background,
      clock,
      leaseMs: config.get('DELIVERY_LEASE_MS'),
      pollMs: config.get('DELIVERY_POLL_MS'),
      workMs: config.get('DELIVERY_TIMEOUT_MS'),
    });
  }

  override start(): void {
    if (this.worker.isRunning) return;
    const wake = (): void => this.worker.wake();
    this.stopListening = this.wakeUps.listen(wake);
    this.events.open(wake);
    this.runs.open();
    this.runs.whenFree(wake);
    super.start();
  }

  /** No call begins any more, whatever the other workers wait for. */
  override onModuleDestroy(): void {
    this.stopListening();
    this.events.close();
    this.runs.close();
    super.onModuleDestroy();
  }
}
