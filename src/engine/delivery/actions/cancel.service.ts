import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { EventCanceler } from '../expansion/event-canceler.js';
import { NotificationStore } from '../records/notification.js';
import { NothingToCancel, NotificationNotFound } from './actions.errors.js';

@Injectable()
export class CancelService {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly canceler: EventCanceler,
  ) {}

  /** Cancels what a notification has not done yet. @throws {NotificationNotFound} @throws {NothingToCancel} @throws {CancellationPending} */
  async cancel({ environmentId }: TenantContext, id: string): Promise<void> {
    const own = { _id: new Types.ObjectId(id), _environmentId: new Types.ObjectId(environmentId) };
    const isStored = (await this.notifications.collection.findOne(own, { projection: { _id: 1 } })) !== null;
    if (!isStored) throw new NotificationNotFound(id);
    if (!(await this.canceler.cancelRun(own))) throw new NothingToCancel();
  }
}
