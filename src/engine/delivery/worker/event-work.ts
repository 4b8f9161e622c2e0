import { Injectable } from '@nestjs/common';
import { storeFault } from '#libs/common';
import { Background, ClaimedWork, ClaimSlots, GroupedBatches, InFlight, Turnstile } from '#libs/work';
import { CanceledEvents } from '../expansion/canceled-events.js';
import { Expander, isRepeated, isSmall } from '../expansion/expander.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import { AbandonedEvents } from '../run/lost-runs.js';
import { WaitingWork } from '../run/waiting-work.js';

/** Room for three batches of each environment: while one is claimed, two run. */
const SLOTS = { size: 3_000, sizePerGroup: 1_500, worthClaiming: 500 };
/** Large events of one environment that are expanded at the same time; the others wait for as long as it takes. */
const LARGE_AT_ONCE = { most: 2, hold: Infinity };
/**
 * Small events of one environment share their writes: each flush of the store serves many. Batches end soon enough that other
 * work gets its turn in between, and others are prepared while the store writes one.
 */
const SMALL_TOGETHER = { size: 500, concurrency: 3 };

@Injectable()
export class EventWork {
  readonly claimed: ClaimedWork<TriggerEventRecord>;
  private readonly inFlight = new InFlight<TriggerEventRecord>();
  private readonly slots = new ClaimSlots(SLOTS);
  private readonly capacity = new Map([['expand', this.slots]]);
  private readonly turns = new Turnstile();
  private readonly waiting: WaitingWork<TriggerEventRecord>;
  private readonly small = new GroupedBatches<TriggerEventRecord>({
    ...SMALL_TOGETHER,
    groupOf: ({ _environmentId }) => _environmentId.toHexString(),
    weightOf: ({ recipients }) => recipients.list.length,
    start: (batch, onEnd) => this.run(batch, () => this.expandAll(batch), onEnd),
  });
  private isOpen = false;
  private onFree: () => void = () => undefined;

  constructor(
    private readonly expander: Expander,
    private readonly canceledEvents: CanceledEvents,
    private readonly abandoned: AbandonedEvents,
    private readonly queues: DeliveryQueues,
    private readonly background: Background,
  ) {
    this.waiting = new WaitingWork(
      (events) => this.canceledEvents.among(events),
      (error) => background.onError(error),
    );
    this.claimed = new ClaimedWork({
      queue: queues.events,
      suspects: queues.suspects,
      inFlight: this.inFlight,
      background,
      capacity: () => this.capacity,
      begin: (events) => Promise.resolve(this.expand(events)),
      setAside: (events) => Promise.resolve(this.setAside(events)),
    });
  }

  /**
   * Lets this process expand events as it accepts them, while there is room.
   * @param onFree called when there is room for a claim again
   */
  open(onFree: () => void): void {
    this.isOpen = true;
    this.onFree = onFree;
  }

  close(): void {
    this.isOpen = false;
  }

  canExpand(events: number): boolean {
    return this.isOpen && this.slots.hasRoomFor(events);
  }

  expand(events: readonly TriggerEventRecord[]): void {
    const open = this.begin(events);
    this.small.add(open.filter(isSmall));
    for (const event of open.filter((one) => !isSmall(one))) this.run([event], () => this.expandInTurn(event));
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
    if (canceled.length > 0) this.run(canceled, () => this.canceledEvents.finish(canceled, isRepeated));
    return events.filter((event) => !canceled.includes(event));
  }

  private end(events: readonly TriggerEventRecord[]): void {
    let isClaimDue = false;
    for (const event of events) {
      this.inFlight.delete(event);
      if (this.slots.release(event._environmentId.toHexString())) isClaimDue = true;
    }
    if (isClaimDue) this.onFree();
  }

  /** A hundred large events at once would fill the driver's queue to the store, in which all environments wait. */
  private async expandInTurn(event: TriggerEventRecord): Promise<void> {
    let enter: () => void = () => undefined;
    const turn = new Promise<'now'>((resolve) => (enter = () => resolve('now')));
    const decided = this.waiting.turnOf(event, turn);
    const expanding = this.turns.through(event._environmentId.toHexString(), LARGE_AT_ONCE, async () => {
      enter();
      if ((await decided) === 'now') await this.expandAll([event]);
    });
    if ((await decided) === 'now') await expanding;
    else await this.canceledEvents.stop(event);
  }

  private async expandAll(events: readonly TriggerEventRecord[]): Promise<void> {
    const canceled = await this.expander.expand(events);
    for (const event of canceled) await this.canceledEvents.stop(event);
  }

  private run(events: readonly TriggerEventRecord[], work: () => Promise<void>, onEnd?: () => void): void {
    this.background.start(async () => {
      try {
        await work();
      } catch (error) {
        // A store outage must not count against these events.
        if (storeFault(error) !== undefined) this.queues.events.forgive(events);
        throw error;
      } finally {
        this.end(events);
        onEnd?.();
      }
    });
  }
}
