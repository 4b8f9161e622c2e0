import { Injectable } from '@nestjs/common';
import type { SentMessage } from '../../messages/index.js';
import { NotificationStore } from '../records/notification.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { RunCanceler } from '../run/cancellation.js';
import { RunLoader } from '../run/run-loader.js';
import { UnwrittenSends } from '../run/unwritten-sends.js';
import { EventCanceler } from './event-canceler.js';

const BATCH = 500;

/** Ends events that were canceled while a worker expanded them, once that worker holds them no longer. */
@Injectable()
export class CanceledEvents {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly canceler: EventCanceler,
    private readonly runCanceler: RunCanceler,
    private readonly notifications: NotificationStore,
    private readonly loader: RunLoader,
    private readonly unwritten: UnwrittenSends,
  ) {}

  async finish(events: readonly TriggerEventRecord[]): Promise<void> {
    for (const event of events) {
      await this.canceler.cancelRuns(event);
      for await (const messages of this.unwritten.ofEvent(event, BATCH)) await this.storeRunsOf(event, messages);
    }
    await this.events.endCanceled(events);
  }

  /** Stores the notifications of messages whose worker died before it stored them, so that no message is without one. */
  private async storeRunsOf(event: TriggerEventRecord, messages: readonly SentMessage[]): Promise<void> {
    const keys = messages.map(({ _notificationId: _id, _environmentId, _subscriberId }) => ({
      _id,
      _environmentId,
      _subscriberId,
    }));
    const stored = await this.notifications.existing(keys);
    const missing = keys.filter(({ _id }) => !stored.has(_id.toHexString()));
    if (missing.length === 0) return;
    const subscribers = new Set(missing.map(({ _subscriberId }) => _subscriberId.toHexString()));
    const runs = await this.loader.planFor(event, [...subscribers]);
    this.unwritten.complete(runs, messages);
    await this.runCanceler.cancel(runs);
  }
}
