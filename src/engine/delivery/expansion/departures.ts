import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { OnDomainEvent, type TenantContext } from '#libs/common';
import { toObjectId } from '#libs/persistence';
import {
  DeletionEnding,
  DescribedSubscribers,
  type ErasedPerson,
  Erasures,
  isOlderThan,
  type Naming,
} from '../../../audience/subscribers/index.js';
import { NotificationStore, type NotificationRecord } from '../records/notification.js';
import { type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { notificationIdFor } from '../run/run.js';
import { CancellationPending } from './cancellation.errors.js';
import { Looks } from './looks.js';
import { RunCancellations } from './run-cancellations.js';

const BATCH = 500;

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

/** Ends what is under way for subscribers who are deleted. */
@Injectable()
export class Departures {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly notifications: NotificationStore,
    private readonly described: DescribedSubscribers,
    private readonly erasures: Erasures,
    private readonly cancellations: RunCancellations,
    private readonly looks: Looks,
  ) {}

  /** Nothing is sent for them after that, unless a worker holds something for too long. */
  @OnDomainEvent(DeletionEnding)
  async onDeletionEnding(ending: DeletionEnding): Promise<void> {
    const { tenant, subscriberId } = ending;
    const deadline = this.looks.begin();
    await this.refuseEvents(tenant, subscriberId);
    const unanswered = await this.erasures.unanswered(tenant, subscriberId);
    const _environmentId = toObjectId(tenant.environmentId);
    try {
      for (const _subscriberId of unanswered) {
        await this.cancellations.requestAndWait({ _environmentId, _subscriberId }, deadline);
      }
    } catch (error) {
      if (error instanceof CancellationPending) return;
      throw error;
    }
    await this.erasures.answer(tenant, unanswered);
    ending.isOver = true;
  }

  /**
   * Events that wait for their expansion now neither create nor change a subscriber with the id of one who was deleted. Events that are
   * accepted later can, since this does not find them.
   */
  async refuseEvents(tenant: Owner, subscriberId: string): Promise<void> {
    const noted = await this.erasures.noted(tenant, [subscriberId]);
    const known = new Set<string>();
    // An event may have been claimed or released while a pass went by.
    for (let before = -1; before !== known.size;) {
      before = known.size;
      const batch: Naming[] = [];
      for await (const { _id } of this.waiting(tenant, subscriberId)) {
        if (known.has(_id.toHexString())) continue;
        known.add(_id.toHexString());
        batch.push({ eventId: _id, subscriberId });
        if (batch.length === BATCH) await this.described.refuse(tenant, batch.splice(0));
      }
      await this.described.refuse(tenant, batch);
    }
    await this.erasures.settle(tenant, noted);
  }

  /** Whether an event that names the external id names the deleted subscriber, and not a later one. */
  async isFor(event: TriggerEventRecord, person: ErasedPerson, subscriberId: string): Promise<boolean> {
    const run = await this.notifications.collection.findOne<Pick<NotificationRecord, '_subscriberId'>>(
      { _id: notificationIdFor(event._id, subscriberId), _environmentId: event._environmentId },
      { projection: { _subscriberId: 1 } },
    );
    if (run !== null) return run._subscriberId.equals(person.id);
    if (isOlderThan(event, person.id)) return true;
    const naming = { eventId: event._id, subscriberId };
    return event.createdAt <= person.erasedAt || (await this.described.refusedOf(person, [naming])).has(naming);
  }

  /** Oldest first: leases and claims do not move an event in this order. */
  private waiting({ environmentId }: Owner, subscriberId: string): mongo.FindCursor<Pick<TriggerEventRecord, '_id'>> {
    return this.events.collection
      .find({
        _environmentId: toObjectId(environmentId),
        lane: 'expand',
        wakeAt: { $exists: true },
        $or: [{ 'recipients.list.subscriberId': subscriberId }, { 'actor.subscriberId': subscriberId }],
      })
      .sort({ dueSince: 1 })
      .project<Pick<TriggerEventRecord, '_id'>>({ _id: 1 });
  }
}
