import { Injectable } from '@nestjs/common';
import type { SentMessage } from '../../messages/store/index.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { RunCanceler } from '../run/cancellation.js';
import { RunLoader } from '../run/run-loader.js';
import { UnwrittenSends } from '../run/unwritten-sends.js';
import { PAGES_IN_FLIGHT } from './pages-in-flight.js';
import { ownRunsOf, RunCancellations } from './run-cancellations.js';
import { UnreachedRecipients } from './unreached-recipients.js';

const BATCH = 500;

/** Ends events whose expansion was stopped by a cancellation. */
@Injectable()
export class CanceledEvents {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly cancellations: RunCancellations,
    private readonly runCanceler: RunCanceler,
    private readonly loader: RunLoader,
    private readonly unwritten: UnwrittenSends,
    private readonly unreached: UnreachedRecipients,
  ) {}

  async among(events: readonly TriggerEventRecord[]): Promise<TriggerEventRecord[]> {
    const canceled = new Set((await this.events.findCanceled(events)).map(({ _id }) => _id.toHexString()));
    return events.filter(({ _id }) => canceled.has(_id.toHexString()));
  }

  /** Ends an event whose expansion stopped before its last page. Its worker has stored all runs that it has begun. */
  async stop(event: TriggerEventRecord): Promise<void> {
    await this.cancellations.request(ownRunsOf(event));
    await this.end(event);
  }

  /**
   * Ends events that workers no longer hold, and may have died over.
   * @param wasHeld whether a worker has had an event before
   */
  async finish(events: readonly TriggerEventRecord[], wasHeld: (event: TriggerEventRecord) => boolean): Promise<void> {
    for (const event of events) {
      await this.cancellations.request(ownRunsOf(event));
      for await (const messages of this.unwritten.ofEvent(event, BATCH)) await this.storeRunsOf(event, messages);
      if (wasHeld(event)) await this.cancelInFlight(event);
      await this.end(event);
    }
  }

  /**
   * A worker that stood still may be about to store runs, although it has lost its lease. They are stored as canceled here, so
   * that the store refuses its own.
   */
  private async cancelInFlight(event: TriggerEventRecord): Promise<void> {
    for await (const recipients of this.unreached.from(event, PAGES_IN_FLIGHT)) {
      const ids = recipients.map(({ _id }) => _id);
      await this.runCanceler.cancelUnstored(await this.loader.planFor(event, ids));
    }
    await this.cancellations.request(ownRunsOf(event));
  }

  /** An event is canceled if anything of it is; else it was too late. */
  private async end(event: TriggerEventRecord): Promise<void> {
    const isCanceled = (await this.cancellations.count(ownRunsOf(event))) > 0 || (await this.unreached.has(event));
    await this.events.endStopped(event, isCanceled ? 'canceled' : 'expanded');
  }

  /** Stores the notifications of messages whose worker died before it stored them, so that no message is without one. */
  private async storeRunsOf(event: TriggerEventRecord, messages: readonly SentMessage[]): Promise<void> {
    const keys = messages.map(({ _notificationId: _id, _environmentId, _subscriberId }) => ({
      _id,
      _environmentId,
      _subscriberId,
    }));
    const missing = await this.unreached.withoutRun(keys);
    if (missing.length === 0) return;
    const subscribers = new Set(missing.map(({ _subscriberId }) => _subscriberId.toHexString()));
    const runs = await this.loader.planFor(event, [...subscribers]);
    this.unwritten.complete(runs, messages);
    await this.runCanceler.cancel(runs);
  }
}
