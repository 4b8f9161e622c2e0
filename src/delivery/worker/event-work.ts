import { Injectable } from '@nestjs/common';
import { Background, ClaimedWork, FairSlots, InFlight, Turnstile } from '#libs/work';
import { AbandonedEvents } from '../expansion/abandoned-events.js';
import { EventCanceler } from '../expansion/event-canceler.js';
import { Expander } from '../expansion/expander.js';
import { PAGE } from '../expansion/recipient-pages.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';

/** Concurrency limit of events; more wait in the store. */
const SLOTS = 2_000;
/** Large events of one environment that are expanded at the same time; the others wait for as long as it takes. */
const LARGE_AT_ONCE = { most: 2, hold: Infinity };
/** With fewer free slots a claim costs more than it brings. */
const MIN_FREE_SLOTS = 500;
const NO_CAPACITY = new Map<string, FairSlots>();

/** Expands events: those that this process has just accepted, and those that it claims. */
@Injectable()
export class EventWork {
  readonly claimed: ClaimedWork<TriggerEventRecord>;
  private readonly inFlight = new InFlight<TriggerEventRecord>();
  private readonly slots = new FairSlots(SLOTS, SLOTS / 2);
  private readonly capacity = new Map([['expand', this.slots]]);
  private readonly turns = new Turnstile();
  private onFree: () => void = () => undefined;

  constructor(
    private readonly expander: Expander,
    private readonly canceler: EventCanceler,
    private readonly abandoned: AbandonedEvents,
    queues: DeliveryQueues,
    private readonly background: Background,
  ) {
    this.claimed = new ClaimedWork({
      queue: queues.events,
      suspects: queues.suspects,
      inFlight: this.inFlight,
      background,
      capacity: () => (this.hasRoomFor(MIN_FREE_SLOTS) ? this.capacity : NO_CAPACITY),
      begin: (events) => Promise.resolve(this.expand(events)),
      setAside: (events) => Promise.resolve(this.setAside(events)),
    });
  }

  hasRoomFor(events: number): boolean {
    return this.slots.free >= events;
  }

  /** @param listener called when there is room for a claim again */
  whenFree(listener: () => void): void {
    this.onFree = listener;
  }

  /** Begins to expand events that this process has leased: large ones each on its own, small ones together. */
  expand(events: readonly TriggerEventRecord[]): void {
    const open = this.begin(events);
    const large = open.filter((event) => this.expander.isLarge(event));
    const small = open.filter((event) => !large.includes(event));
    for (const batch of inBatches(small)) this.run(batch, () => this.expandAll(batch));
    for (const event of large) this.run([event], () => this.expandInTurn(event));
  }

  private setAside(events: readonly TriggerEventRecord[]): void {
    const open = this.begin(events);
    if (open.length > 0) this.run(open, () => this.abandoned.setAside(open));
  }

  /** Takes slots, and finishes the events that are canceled. @returns the others */
  private begin(events: readonly TriggerEventRecord[]): TriggerEventRecord[] {
    for (const event of events) {
      this.inFlight.add(event);
      this.slots.take(event._environmentId.toHexString());
    }
    const canceled = events.filter(({ status }) => status === 'canceled');
    if (canceled.length > 0) this.run(canceled, () => this.canceler.finish(canceled));
    return events.filter((event) => !canceled.includes(event));
  }

  private end(events: readonly TriggerEventRecord[]): void {
    const hadRoom = this.hasRoomFor(MIN_FREE_SLOTS);
    for (const event of events) {
      this.inFlight.delete(event);
      this.slots.release(event._environmentId.toHexString());
    }
    if (!hadRoom && this.hasRoomFor(MIN_FREE_SLOTS)) this.onFree();
  }

  /** A hundred large events at once would fill the driver's queue to the store, in which all environments wait. */
  private expandInTurn(event: TriggerEventRecord): Promise<void> {
    return this.turns.through(event._environmentId.toHexString(), LARGE_AT_ONCE, () => this.expandAll([event]));
  }

  private async expandAll(events: readonly TriggerEventRecord[]): Promise<void> {
    const canceled = await this.expander.expand(events);
    for (const event of canceled) await this.canceler.cancelRuns(event);
  }

  private run(events: readonly TriggerEventRecord[], work: () => Promise<void>): void {
    this.background.start(async () => {
      try {
        await work();
      } finally {
        this.end(events);
      }
    });
  }
}

/** Small events share their writes, in batches small enough that other work gets its turn in between. */
function inBatches(events: readonly TriggerEventRecord[]): TriggerEventRecord[][] {
  const batches: TriggerEventRecord[][] = [];
  let size = PAGE;
  for (const event of events) {
    const recipients = event.recipients.list.length;
    if (size + recipients > PAGE) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(event);
    size += recipients;
  }
  return batches;
}
