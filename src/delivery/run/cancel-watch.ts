import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Batcher } from '#libs/work';
import { NotificationStore } from '../../notifications/index.js';

const BATCH = 1_000;

/** Tells runs that come back from outside whether they were called off meanwhile: one query for all that come at a time. */
@Injectable()
export class CancelWatch {
  private readonly batcher = new Batcher<Types.ObjectId, boolean>((ids) => this.look(ids), {
    size: BATCH,
    concurrency: 2,
  });

  constructor(private readonly notifications: NotificationStore) {}

  isCalledOff(notificationId: Types.ObjectId): Promise<boolean> {
    return this.batcher.submit(notificationId);
  }

  private async look(ids: Types.ObjectId[]): Promise<boolean[]> {
    const canceled = await this.notifications.calledOff(ids);
    return ids.map((id) => canceled.has(id.toHexString()));
  }
}
