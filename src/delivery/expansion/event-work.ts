import { Injectable } from '@nestjs/common';
import type { TriggerEventRecord } from '../records/trigger-event.record.js';
import { Background } from '../work/background.js';
import { InFlight } from '../work/in-flight.js';
import { LaneSlots } from '../work/lane-slots.js';
import { Suspects } from '../work/suspects.js';
import { WorkQueues } from '../work/work-queues.js';
import { AbandonedEvents } from './abandoned-events.js';
import { EventCanceler } from './event-canceler.js';
import { Expander } from './expander.js';
import { Turnstile } from '../work/turnstile.js';
import { PAGE } from './recipient-pages.js';

/** Events in hand at once; more wait in the store. */
const PLACES = 2_000;
/** Large events of an environment that are expanded at the same time; the others wait for as long as it takes. */
const LARGE_AT_ONCE = { most: 2, hold: Infinity };
/** Room that makes a claim worth while. */
const LEAST_FREE = 500;

/** Expands events: those that this process has just accepted, and those that were claimed. */
@Injectable()
export class EventWork {
  readonly inFlight = new InFlight<TriggerEventRecord>(() => performance.now());
  private readonly places = new LaneSlots(PLACES, PLACES / 2);
  private readonly turns = new Turnstile();
  private onFree: () => void = () => undefined;

  constructor(
    private readonly expander: Expander,
    private readonly canceler: EventCanceler,
    private readonly abandoned: AbandonedEvents,
    private readonly queues: WorkQueues,
    private readonly suspects: Suspects,
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
    const { clean, alone, later, hopeless } = this.suspects.admit(events);
    for (const group of later) await this.queues.events.postpone(group.records, group.at);
    this.expand(clean);
    if (alone.length > 0) {
      await this.queues.events.count(alone);
      this.expand(alone, () => this.suspects.done());
    }
    if (hopeless.length > 0) this.setAside(hopeless);
    return events.length;
  }

  /**
   * Begins to expand events of this process's lease: large ones each on its own, small ones together.
   * @param done called when all of them are done
   */
  expand(events: readonly TriggerEventRecord[], done?: () => void): void {
    if (events.length === 0) return;
    for (const event of events) this.begin(event);
    const canceled = events.filter(({ status }) => status === 'canceled');
    const work: Promise<void>[] = [];
    if (canceled.length > 0) work.push(this.run(canceled, () => this.canceler.finish(canceled)));
    const open = events.filter((event) => !canceled.includes(event));
    const large = open.filter((event) => this.expander.isLarge(event));
    const small = open.filter((event) => !large.includes(event));
    for (const batch of inBatches(small)) work.push(this.run(batch, () => this.expandAll(batch)));
    for (const event of large) work.push(this.run([event], () => this.expandInTurn(event)));
    if (done !== undefined) this.background.start(() => Promise.all(work).then(done));
  }

  /** @param listener called when there is room for a claim again */
  whenFree(listener: () => void): void {
    this.onFree = listener;
  }

  private setAside(events: readonly TriggerEventRecord[]): void {
    for (const event of events) this.begin(event);
    const canceled = events.filter(({ status }) => status === 'canceled');
    if (canceled.length > 0) void this.run(canceled, () => this.canceler.finish(canceled));
    const open = events.filter((event) => !canceled.includes(event));
    if (open.length > 0) void this.run(open, () => this.abandoned.setAside(open));
  }

  private begin(event: TriggerEventRecord): void {
    this.inFlight.add(event);
    this.places.take(event._environmentId.toHexString());
  }

  private end(events: readonly TriggerEventRecord[]): void {
    const hadRoom = this.places.free >= LEAST_FREE;
    for (const event of events) {
      this.inFlight.delete(event);
      this.places.release(event._environmentId.toHexString());
    }
    if (!hadRoom && this.places.free >= LEAST_FREE) this.onFree();
  }

  /** A hundred large events at once would fill the queue before the store, in which everybody waits. */
  private expandInTurn(event: TriggerEventRecord): Promise<void> {
    return this.turns.through(event._environmentId.toHexString(), LARGE_AT_ONCE, () => this.expandAll([event]));
  }

  private async expandAll(events: readonly TriggerEventRecord[]): Promise<void> {
    const canceled = await this.expander.expand(events);
    for (const event of canceled) await this.canceler.cancelRuns(event);
  }

  /** Resolves when it has ended, one way or the other. */
  private run(events: readonly TriggerEventRecord[], work: () => Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      this.background.start(async () => {
        try {
          await work();
        } finally {
          this.end(events);
          resolve();
        }
      });
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
