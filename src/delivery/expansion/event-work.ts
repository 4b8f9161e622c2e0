import { Injectable } from '@nestjs/common';
import type { TriggerEventRecord } from '../../notifications/index.js';
import { Background } from '../work/background.js';
import { InFlight } from '../work/in-flight.js';
import { LaneSlots } from '../work/lane-slots.js';
import { WorkQueues } from '../work/work-queues.js';
import { EventCanceler } from './event-canceler.js';
import { Expander } from './expander.js';
import { PAGE } from './recipient-pages.js';

/** Events in hand at once; more wait in the store. */
const PLACES = 2_000;
/** Room that makes a claim worth while. */
const LEAST_FREE = 500;

/** Expands events: those that this process has just accepted, and those that were claimed. */
@Injectable()
export class EventWork {
  readonly inFlight = new InFlight<TriggerEventRecord>(() => performance.now());
  private readonly places = new LaneSlots(PLACES, PLACES / 2);
  private onFree: () => void = () => undefined;

  constructor(
    private readonly expander: Expander,
    private readonly canceler: EventCanceler,
    private readonly queues: WorkQueues,
    private readonly background: Background,
  ) {}

  hasRoomFor(events: number): boolean {
    return this.places.free >= events;
  }

  /** Takes due events. @returns how many */
  async claim(): Promise<number> {
    // Many small claims would cost more than they bring; a free place calls again.
    if (this.places.free < LEAST_FREE) return 0;
    const events = await this.queues.events.claim(new Map([['expand', this.places]]));
    this.expand(events);
    return events.length;
  }

  /** Begins to expand events of this process's lease: large ones each on its own, small ones together. */
  expand(events: readonly TriggerEventRecord[]): void {
    if (events.length === 0) return;
    for (const event of events) {
      this.inFlight.add(event);
      this.places.take(event._environmentId.toHexString());
    }
    const canceled = events.filter(({ status }) => status === 'canceled');
    if (canceled.length > 0) this.run(canceled, () => this.canceler.finish(canceled));
    const open = events.filter((event) => !canceled.includes(event));
    const large = open.filter((event) => this.expander.isLarge(event));
    const small = open.filter((event) => !large.includes(event));
    for (const batch of [...large.map((event) => [event]), ...inBatches(small)]) {
      this.run(batch, () => this.expandAll(batch));
    }
  }

  /** @param listener called when there is room for a claim again */
  whenFree(listener: () => void): void {
    this.onFree = listener;
  }

  private end(events: readonly TriggerEventRecord[]): void {
    const hadRoom = this.places.free >= LEAST_FREE;
    for (const event of events) {
      this.inFlight.delete(event);
      this.places.release(event._environmentId.toHexString());
    }
    if (!hadRoom && this.places.free >= LEAST_FREE) this.onFree();
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

/** Small events share their writes, but only so many that others get their turn in between. */
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
