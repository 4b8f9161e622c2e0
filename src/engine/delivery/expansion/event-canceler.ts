import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import type { NotificationRecord } from '../records/notification.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { RunLoader } from '../run/run-loader.js';
import { CanceledEvents } from './canceled-events.js';
import { type Deadline, Looks } from './looks.js';
import { ownRunsOf, RunCancellations } from './run-cancellations.js';

/** Cancels on request. Each answer is the outcome: what workers hold at that moment is waited for. */
@Injectable()
export class EventCanceler {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly cancellations: RunCancellations,
    private readonly canceledEvents: CanceledEvents,
    private readonly loader: RunLoader,
    private readonly queues: DeliveryQueues,
    private readonly looks: Looks,
  ) {}

  /**
   * Cancels an event: recipients that were not reached yet never will be.
   * @returns whether anything of it was canceled
   * @throws {CancellationPending} when a worker still holds a part of it
   */
  async cancel(tenant: TenantContext, transactionId: string): Promise<boolean> {
    const deadline = this.looks.begin();
    const event = await this.events.findByTransaction(tenant, transactionId);
    if (event === null) return false;
    const own = ownRunsOf(event);
    const before = await this.events.beginCancellation(event, await this.cancellations.count(own));
    this.loader.forget(event);
    const isStopped = event.wakeAt !== undefined && (await this.stop(event, deadline));
    await this.cancellations.requestAndWait(own, deadline);
    const isCanceled = isStopped || (await this.cancellations.count(own)) > before;
    await this.events.endCancellation(event, isCanceled, this.queues.now());
    return isCanceled;
  }

  /**
   * Cancels what one notification has not done yet.
   * @returns whether anything was canceled
   * @throws {CancellationPending} when a worker still holds it
   */
  async cancelRun({ _environmentId, _id }: Pick<NotificationRecord, '_environmentId' | '_id'>): Promise<boolean> {
    const deadline = this.looks.begin();
    const own = { _environmentId, _id };
    // An earlier request may have ended without an answer: it is this one's.
    if ((await this.cancellations.count(own)) > 0) return this.cancellations.takeAnswer(own);
    await this.cancellations.oweAnswer(own);
    await this.cancellations.requestAndWait(own, deadline);
    const isCanceled = (await this.cancellations.count(own)) > 0;
    await this.cancellations.takeAnswer(own);
    return isCanceled;
  }

  /** Stops an expansion, and waits for its end. @returns whether that left recipients out, or canceled runs */
  private async stop(event: TriggerEventRecord, deadline: Deadline): Promise<boolean> {
    await this.events.stop(event, this.queues.now());
    await this.cancellations.request(ownRunsOf(event));
    for (;;) {
      const now = await this.events.progressOf(event);
      if (now?.status !== 'canceled') return false;
      if (now.wakeAt === undefined) return true;
      if (now.lease === undefined || now.wakeAt <= this.queues.now()) {
        const wasHeld = now.lease !== undefined;
        await this.canceledEvents.finish(await this.queues.events.take([event], {}), () => wasHeld);
      } else {
        await this.looks.next(deadline);
      }
    }
  }
}
