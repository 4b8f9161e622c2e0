import { Injectable } from '@nestjs/common';
import type { TriggerEventRecord } from '../../notifications/index.js';
import type { ResolvedSubscriber } from '../../subscribers/index.js';
import { type EventFacts, EventFactsReader } from '../facts/event-facts.js';
import { RunLoader } from '../facts/run-loader.js';
import { RunEngine } from '../run/run-engine.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';

/** Begins the runs of recipients. */
@Injectable()
export class Launcher {
  constructor(
    private readonly eventFacts: EventFactsReader,
    private readonly loader: RunLoader,
    private readonly engine: RunEngine,
    private readonly queues: DeliveryQueues,
  ) {}

  read(events: readonly TriggerEventRecord[]): Promise<Map<string, EventFacts>> {
    for (const event of events) this.loader.remember(event);
    return this.eventFacts.read(events);
  }

  /**
   * Resolves when the runs are stored, as far as they have come. Somebody may have died over the steps of an event that is
   * expanded again: its runs are stored before their first step, and each is taken up on its own.
   */
  async launch(planned: readonly { facts: EventFacts; recipients: readonly ResolvedSubscriber[] }[]): Promise<void> {
    const runs = await this.loader.plan(planned, this.queues.notifications.newLease(), this.queues.now());
    const repeated = runs.filter(({ event }) => event.claims > 0);
    const fresh = runs.filter(({ event }) => event.claims <= 0);
    if (repeated.length > 0) await this.engine.enqueue(repeated);
    if (fresh.length > 0) await this.engine.begin(fresh);
  }
}
