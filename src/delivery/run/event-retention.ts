import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { type TriggerEventRecord, TriggerEventStore } from '../../notifications/index.js';

/** Waits that are shorter than this are covered by what events are kept for anyway. */
const LONG_WAIT_MS = 86_400_000;

/** Keeps events as long as something of them waits: a delay of months must find its payload. */
@Injectable()
export class EventRetention {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly clock: Clock,
  ) {}

  /** @param waits events, and until when something of them waits */
  async keep(waits: readonly (readonly [TriggerEventRecord, Date])[]): Promise<void> {
    const limit = this.clock.now().getTime() + LONG_WAIT_MS;
    const long = waits.filter(([, until]) => until.getTime() > limit);
    if (long.length === 0) return;
    const latest = new Date(Math.max(...long.map(([, until]) => until.getTime())));
    const ids = new Map(long.map(([{ _id }]) => [_id.toHexString(), _id]));
    await this.events.keepFrom([...ids.values()], latest);
  }
}
