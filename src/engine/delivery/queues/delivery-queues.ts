import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { InFlight, type LaneCapacity, Leases, Suspects, type Turn, WorkLane, WorkQueue } from '#libs/work';
import {
  LANES,
  type Lane,
  NOTIFICATION_SHARD_KEY,
  type NotificationRecord,
  NotificationStore,
} from '../records/notification.js';
import { EVENT_SHARD_KEY, type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';

/** How long a suspect that does not end may block the others, in leases. */
const BLOCKED_LEASES = 6;
/** Runs of the store lane are written in large batches, so this limits memory rather than calls that wait. */
const STORE_SLOTS = 2_000;
/** Runs that call providers wait in memory for their turn, up to this many for each that runs. */
const HELD_PER_SLOT = 20;

/** Slots of a lane that one environment may take: half, so that the other half is left for other environments. */
export function slotsOfOneEnvironment(config: AppConfig): number {
  return Math.max(1, Math.ceil(config.get('DELIVERY_CONCURRENCY') / 2));
}

class LaneSlots {
  readonly capacity: LaneCapacity;
  private readonly lanes: ReadonlyMap<Lane, WorkLane>;
  private hasClosed = false;
  private onFree: () => void = () => undefined;

  constructor(config: AppConfig) {
    const slots = config.get('DELIVERY_CONCURRENCY');
    const share = slotsOfOneEnvironment(config);
    this.lanes = new Map(
      LANES.map((lane) => [
        lane,
        lane === 'store'
          ? new WorkLane({ concurrency: STORE_SLOTS, concurrencyPerGroup: STORE_SLOTS / 2, holdFactor: 1 })
          : new WorkLane({ concurrency: slots, concurrencyPerGroup: share, holdFactor: HELD_PER_SLOT }),
      ]),
    );
    this.capacity = this.lanes;
  }

  get isClosed(): boolean {
    return this.hasClosed;
  }

  /** @param listener called when an environment that had no slot left has so many that a claim is worth its cost */
  whenFree(listener: () => void): void {
    this.onFree = listener;
  }

  /** Takes a slot: the run is held by this process, and may wait for its turn. */
  tryTake(lane: Lane, environmentId: string): boolean {
    return this.of(lane).tryTake(environmentId);
  }

  /** Takes a slot that a claim has counted on. */
  take(lane: Lane, environmentId: string): void {
    this.of(lane).take(environmentId);
  }

  release(lane: Lane, environmentId: string): void {
    if (this.of(lane).release(environmentId)) this.onFree();
  }

  /** Waits for the turn of a run that has a slot. */
  enter(lane: Lane, environmentId: string): Promise<Turn> {
    return this.of(lane).enter(environmentId);
  }

  leave(lane: Lane, environmentId: string): void {
    this.of(lane).leave(environmentId);
  }

  /** Runs that wait for their turn do not begin any more. */
  close(): void {
    this.hasClosed = true;
    for (const lane of this.lanes.values()) lane.close();
  }

  open(): void {
    this.hasClosed = false;
    for (const lane of this.lanes.values()) lane.open();
  }

  private of(lane: Lane): WorkLane {
    const slots = this.lanes.get(lane);
    if (slots === undefined) throw new Error(`There is no lane '${lane}'.`);
    return slots;
  }
}

/**
 * The two kinds of work: events to be expanded, and notifications whose next step is due. For notifications also what this
 * process works on: its concurrency slots, its leases, and which runs are in flight.
 */
@Injectable()
export class DeliveryQueues {
  readonly events: WorkQueue<TriggerEventRecord>;
  readonly notifications: WorkQueue<NotificationRecord>;
  /** Shared by all kinds of work: any of their records may have killed the process in which others were in flight. */
  readonly suspects: Suspects;
  readonly leases: Leases;
  readonly lanes: LaneSlots;
  readonly inFlight = new InFlight<NotificationRecord>();

  constructor(
    private readonly clock: Clock,
    eventStore: TriggerEventStore,
    notificationStore: NotificationStore,
    config: AppConfig,
  ) {
    const leaseMs = config.get('DELIVERY_LEASE_MS');
    const maxLosses = config.get('DELIVERY_MAX_CLAIMS');
    const shared = { groupBy: '_environmentId', clock, leaseMs, maxLosses } as const;
    this.events = new WorkQueue({
      ...shared,
      collection: () => eventStore.collection,
      shardKey: EVENT_SHARD_KEY,
      countClaimsIn: 'claims',
    });
    this.notifications = new WorkQueue({
      ...shared,
      collection: () => notificationStore.collection,
      shardKey: NOTIFICATION_SHARD_KEY,
    });
    this.suspects = new Suspects({ clock, maxBlockMs: BLOCKED_LEASES * leaseMs });
    this.leases = new Leases(this.notifications);
    this.lanes = new LaneSlots(config);
  }

  now(): Date {
    return this.clock.now();
  }

  begin(runs: readonly { readonly record: NotificationRecord }[]): void {
    for (const { record } of runs) this.inFlight.add(record);
  }

  end(runs: readonly { readonly record: NotificationRecord }[]): void {
    for (const { record } of runs) this.inFlight.delete(record);
  }
}
