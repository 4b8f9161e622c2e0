import { Injectable } from '@nestjs/common';
import type { TriggerEventRecord } from './records/trigger-event.record.js';
import { EventWork } from './expansion/event-work.js';
import { NotificationWork } from './run/notification-work.js';
import { Background } from './work/background.js';
import { LaneBoard } from './work/lane-board.js';
import { WorkBoard } from './work/work-board.js';
import { WorkQueues } from './work/work-queues.js';

/** All the work of this process, of both kinds. */
@Injectable()
export class DeliveryWork {
  private renewedAt = 0;

  constructor(
    private readonly events: EventWork,
    private readonly notifications: NotificationWork,
    private readonly queues: WorkQueues,
    private readonly board: WorkBoard,
    private readonly lanes: LaneBoard,
    private readonly background: Background,
  ) {}

  get leaseMs(): number {
    return this.queues.notifications.leaseMs;
  }

  now(): Date {
    return this.queues.now();
  }

  /** Takes what is due and begins with it. @returns how many records */
  async claim(): Promise<number> {
    // A process that stood still must not take from itself what it has in hand.
    if (this.now().getTime() - this.renewedAt > this.leaseMs / 2) await this.renew(0);
    const claims = Promise.all([this.events.claim(), this.notifications.claim()]);
    const [events, notifications] = await this.background.track(claims);
    return events + notifications;
  }

  /** When work is due next; leases that end count, for their holder may be dead. */
  async nextWakeAt(): Promise<Date | undefined> {
    const times = await Promise.all([this.queues.events.nextWakeAt(), this.queues.notifications.nextWakeAt()]);
    return times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime())[0];
  }

  whenFree(listener: () => void): void {
    this.lanes.whenFree(listener);
    this.events.whenFree(listener);
  }

  hasRoomFor(events: number): boolean {
    return this.events.hasRoomFor(events);
  }

  expand(events: readonly TriggerEventRecord[]): void {
    this.events.expand(events);
  }

  /** Lengthens the leases of what takes long. @param age of work that does, in milliseconds */
  async renew(age = this.leaseMs / 3): Promise<void> {
    this.renewedAt = this.now().getTime();
    await Promise.all([
      this.board.leases.lengthen(this.board.inFlight.olderThan(age)),
      this.queues.events.renew(this.events.inFlight.olderThan(age)),
    ]);
  }

  /** Resolves when nothing is under way. */
  settle(): Promise<void> {
    return this.background.settle();
  }

  /** Waits for what is under way, and gives back what does not end in time. */
  async drain(withinMs: number): Promise<void> {
    const [notifications, events] = await Promise.all([
      this.board.inFlight.settle(withinMs),
      this.events.inFlight.settle(withinMs),
    ]);
    await Promise.all([this.queues.notifications.release(notifications), this.queues.events.release(events)]);
  }
}
