import { Injectable } from '@nestjs/common';
import type { TriggerEventRecord } from '../../notifications/index.js';
import { Background } from '../work/background.js';
import { InFlight } from '../work/in-flight.js';
import { LaneSlots } from '../work/lane-slots.js';
import { WorkQueues } from '../work/work-queues.js';
import { EventCanceler } from './event-canceler.js';
import { Expander } from './expander.js';

/** Events in hand at once; more wait in the store. */
const PLACES = 2_000;

/** Expands events: those that this process has just accepted, and those that were claimed. */
@Injectable()
export class EventWork {
  readonly inFlight = new InFlight<TriggerEventRecord>(() => performance.now());
  private readonly places = new LaneSlots(PLACES, PLACES / 2);

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
    const large = events.filter((event) => this.expander.isLarge(event));
    const small = events.filter((event) => !large.includes(event));
    for (const event of large) this.run([event]);
    if (small.length > 0) this.run(small);
  }

  private run(events: readonly TriggerEventRecord[]): void {
    this.background.start(async () => {
      try {
        const canceled = await this.expander.expand(events);
        for (const event of canceled) await this.canceler.cancelRuns(event);
      } finally {
        for (const event of events) {
          this.inFlight.delete(event);
          this.places.release(event._environmentId.toHexString());
        }
      }
    });
  }
}
