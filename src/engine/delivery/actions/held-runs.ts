import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { OnDomainEvent, type TenantContext } from '#libs/common';
import { toObjectId } from '#libs/persistence';
import { WakeUps } from '#libs/work';
import { BudgetsChanged } from '../../../content/budgets/index.js';
import { ScheduleChanged } from '../../../content/preferences/index.js';
import { TimeZonesSet } from '../../../audience/subscribers/index.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { type NotificationRecord, NotificationStore } from '../records/notification.js';
import { NOTE_EDIT, wakeHeld } from '../run/store-transitions.js';

/** Runs that wait for the schedule of a subscriber, or for a budget, look at it again when it is changed. */
@Injectable()
export class HeldRuns {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly queues: DeliveryQueues,
    private readonly wakeUps: WakeUps,
  ) {}

  @OnDomainEvent(ScheduleChanged)
  scheduleChanged({ tenant, subscriberId }: ScheduleChanged): Promise<void> {
    return this.wake(tenant, [subscriberId]);
  }

  @OnDomainEvent(TimeZonesSet)
  zonesSet({ tenant, ids }: TimeZonesSet): Promise<void> {
    return this.wake(tenant, ids);
  }

  @OnDomainEvent(BudgetsChanged)
  budgetsChanged({ tenant }: BudgetsChanged): Promise<void> {
    return this.wakeAll({ _environmentId: toObjectId(tenant.environmentId), held: true, 'steps.held.by': 'budget' });
  }

  private wake({ environmentId }: Pick<TenantContext, 'environmentId'>, ids: readonly string[]): Promise<void> {
    const _subscriberId = { $in: ids.map(toObjectId) };
    return this.wakeAll({ _environmentId: toObjectId(environmentId), _subscriberId, held: true });
  }

  private async wakeAll(held: mongo.Filter<NotificationRecord>): Promise<void> {
    const { collection } = this.notifications;
    // A worker that holds one has read the former schedule, and its write is refused.
    const { matchedCount } = await collection.updateMany(held, NOTE_EDIT);
    if (matchedCount === 0) return;
    await collection.updateMany({ ...held, lease: { $exists: false } }, wakeHeld(this.queues.now()));
    this.wakeUps.notify();
  }
}
