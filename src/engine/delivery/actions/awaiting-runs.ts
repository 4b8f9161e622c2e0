import { Injectable } from '@nestjs/common';
import type { mongo } from 'mongoose';
import { OnDomainEvent, type TenantContext } from '#libs/common';
import { toObjectId } from '#libs/persistence';
import { WakeUps } from '#libs/work';
import { AwaitedMessagesChanged, type MarkedState, MessagesMarked } from '../../messages/records/index.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { AwaitingEnvironments } from '../records/awaiting-environments.js';
import { type NotificationRecord, NotificationStore } from '../records/notification.js';
import { type Signal, SignalStore, targetKey, valueKeys } from '../records/signals.js';
import { NOTE_EDIT, wakeHeld } from '../run/store-transitions.js';

type Filter = mongo.Filter<NotificationRecord>;

/**
 * Wakes runs that wait for an event. What has happened is stored before, and the runs look for it themselves: a run that is
 * woken for nothing waits on, and one that is not woken finds the event at its time limit.
 */
@Injectable()
export class AwaitingRuns {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly queues: DeliveryQueues,
    private readonly signals: SignalStore,
    private readonly environments: AwaitingEnvironments,
    private readonly wakeUps: WakeUps,
  ) {}

  /** @returns how many waits were woken */
  async signal({ environmentId }: TenantContext, signal: Signal): Promise<number> {
    const _environmentId = toObjectId(environmentId);
    await this.signals.keep(_environmentId, signal, this.queues.now());
    const { transactionId, subscriberId } = signal;
    const own = {
      _environmentId,
      ...(transactionId !== undefined && { transactionId }),
      ...(subscriberId !== undefined && { subscriberId }),
    };
    const values = valueKeys(signal);
    const target = targetKey(signal);
    // A wait that compares values is answered only by a signal that has all of them.
    const byValues = { $in: values, $not: { $elemMatch: { $nin: values } } };
    const [compared, named] = await Promise.all([
      values.length === 0 ? 0 : this.wake({ ...own, awaiting: byValues }),
      target === undefined ? 0 : this.wake({ ...own, awaiting: target }),
    ]);
    return compared + named;
  }

  @OnDomainEvent(AwaitedMessagesChanged)
  async messagesChanged({ tenant, events, notifications }: AwaitedMessagesChanged): Promise<void> {
    const _environmentId = toObjectId(tenant.environmentId);
    const keys = notifications.map(({ _notificationId, _subscriberId }) => ({ _id: _notificationId, _subscriberId }));
    const _id = { $in: keys.map((key) => key._id) };
    const _subscriberId = { $in: keys.map((key) => key._subscriberId) };
    await this.wake({ _id, _environmentId, _subscriberId, awaiting: { $in: [...events] } });
  }

  /** Only where all messages of a subscriber are marked at once. */
  @OnDomainEvent(MessagesMarked)
  async messagesMarked({ tenant, subscriberId, state, messageIds }: MessagesMarked): Promise<void> {
    const events = eventsOf(state);
    if (messageIds !== undefined || events.length === 0) return;
    const _environmentId = toObjectId(tenant.environmentId);
    if (!(await this.environments.has(_environmentId))) return;
    await this.wake({ _environmentId, awaiting: { $in: events }, _subscriberId: toObjectId(subscriberId) });
  }

  private async wake(filter: Filter): Promise<number> {
    const { collection } = this.notifications;
    // A worker that holds one has read what was stored before, and its write is refused.
    const { matchedCount } = await collection.updateMany(filter, NOTE_EDIT);
    if (matchedCount === 0) return 0;
    await collection.updateMany({ ...filter, lease: { $exists: false } }, wakeHeld(this.queues.now()));
    this.wakeUps.notify();
    return matchedCount;
  }
}

function eventsOf({ seen, read }: MarkedState): string[] {
  return [...(seen === true ? ['message.seen'] : []), ...(read === true ? ['message.read'] : [])];
}
