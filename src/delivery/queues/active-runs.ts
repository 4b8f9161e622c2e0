import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { FairSlots, InFlight, type LaneCapacity, Leases } from '#libs/work';
import { LANES, type Lane, type NotificationRecord } from '../records/notification.js';
import { DeliveryQueues } from './delivery-queues.js';

/** Runs of the store lane are written in large batches, so this limits memory rather than calls that wait. */
const STORE_SLOTS = 2_000;

/** Slots of a lane that one environment may take: half, so that the other half is left for other environments. */
export function slotsOfOneEnvironment(config: AppConfig): number {
  return Math.max(1, Math.ceil(config.get('DELIVERY_CONCURRENCY') / 2));
}

/** A run of this process. */
interface HeldRun {
  readonly record: NotificationRecord;
}

/** The runs that this process works on: their concurrency slots by lane, their leases, and which are in flight. */
@Injectable()
export class ActiveRuns {
  readonly inFlight = new InFlight<NotificationRecord>();
  private readonly lanes: ReadonlyMap<Lane, FairSlots>;
  private onFree: () => void = () => undefined;

  constructor(
    private readonly queues: DeliveryQueues,
    readonly leases: Leases,
    config: AppConfig,
  ) {
    const slots = config.get('DELIVERY_CONCURRENCY');
    const share = slotsOfOneEnvironment(config);
    this.lanes = new Map(
      LANES.map((lane) => [
        lane,
        lane === 'store' ? new FairSlots(STORE_SLOTS, STORE_SLOTS / 2) : new FairSlots(slots, share),
      ]),
    );
  }

  /** What may be claimed now. */
  get capacity(): LaneCapacity {
    return this.lanes;
  }

  /** @param listener called whenever a slot becomes free for an environment that had none left */
  whenFree(listener: () => void): void {
    this.onFree = listener;
  }

  now(): Date {
    return this.queues.now();
  }

  begin(runs: readonly HeldRun[]): void {
    for (const { record } of runs) this.inFlight.add(record);
  }

  end(runs: readonly HeldRun[]): void {
    for (const { record } of runs) this.inFlight.delete(record);
  }

  tryTake(lane: Lane, environmentId: string): boolean {
    return this.slots(lane).tryTake(environmentId);
  }

  /** Takes a slot that a claim has counted on. */
  take(lane: Lane, environmentId: string): void {
    this.slots(lane).take(environmentId);
  }

  release(lane: Lane, environmentId: string): void {
    if (this.slots(lane).release(environmentId)) this.onFree();
  }

  /** When a lease ends that is given out or extended now. */
  leaseEnd(): Date {
    return this.queues.notifications.leaseEnd();
  }

  private slots(lane: Lane): FairSlots {
    const slots = this.lanes.get(lane);
    if (slots === undefined) throw new Error(`There is no lane '${lane}'.`);
    return slots;
  }
}
