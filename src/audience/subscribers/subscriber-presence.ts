import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { type TenantModel, toObjectId } from '#libs/persistence';
import { Subscriber } from './subscriber.schema.js';

export interface PresenceChange {
  readonly environmentId: string;
  /** Record id. */
  readonly subscriberId: string;
  readonly isConnected: boolean;
}

/** Each change is one idempotent atomic update, so that processes cannot contradict each other. */
@Injectable()
export class SubscriberPresence {
  constructor(@InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>) {}

  /** One call of the store. */
  async record(processId: string, changes: readonly PresenceChange[], now: Date): Promise<void> {
    if (changes.length === 0) return;
    const writes = changes.map(({ environmentId, subscriberId, isConnected }): mongo.AnyBulkWriteOperation => {
      const own = { _id: toObjectId(subscriberId), _environmentId: toObjectId(environmentId), deleted: false };
      return isConnected
        ? { updateOne: { filter: own, update: { $addToSet: { onlineIn: processId }, $set: { isOnline: true } } } }
        : { updateOne: { filter: { ...own, onlineIn: processId }, update: leave(processId, now) } };
    });
    await this.subscribers.collection.bulkWrite(writes, { ordered: false });
  }

  /** In all environments. @param at when the process was last known to run */
  async endProcess(processId: string, at: Date): Promise<void> {
    await this.subscribers.collection.updateMany({ onlineIn: processId }, leave(processId, at));
  }
}

function leave(processId: string, at: Date): mongo.Document[] {
  const left = { $setDifference: ['$onlineIn', [processId]] };
  const isEmpty = { $eq: ['$onlineIn', []] };
  return [
    { $set: { onlineIn: left } },
    { $set: { isOnline: { $not: [isEmpty] }, lastOnlineAt: { $cond: [isEmpty, at, '$lastOnlineAt'] } } },
    { $set: { onlineIn: { $cond: [isEmpty, '$$REMOVE', '$onlineIn'] } } },
  ];
}
