import { Injectable } from '@nestjs/common';
import type { TriggerEventRecord } from '../../notifications/index.js';
import type { ResolvedSubscriber } from '../../subscribers/index.js';
import { type EventFacts, EventFactsReader } from '../facts/event-facts.js';
import { RunLoader } from '../facts/run-loader.js';
import { RunEngine } from '../run/run-engine.js';
import { WorkQueues } from '../work/work-queues.js';

/** Begins the runs of recipients. */
@Injectable()
export class Launcher {
  constructor(
    private readonly eventFacts: EventFactsReader,
    private readonly loader: RunLoader,
    private readonly engine: RunEngine,
    private readonly queues: WorkQueues,
  ) {}

  read(events: readonly TriggerEventRecord[]): Promise<Map<string, EventFacts>> {
    for (const event of events) this.loader.remember(event);
    return this.eventFacts.read(events);
  }

  /** Resolves when the runs are stored, as far as they have come. */
  async launch(planned: readonly { facts: EventFacts; recipients: readonly ResolvedSubscriber[] }[]): Promise<void> {
    const runs = await this.loader.plan(planned, this.queues.notifications.newLease(), this.queues.now());
    if (runs.length > 0) await this.engine.begin(runs);
  }
}
