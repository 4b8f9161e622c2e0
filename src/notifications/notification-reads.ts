import { Injectable } from '@nestjs/common';
import { type mongo, Types } from 'mongoose';
import type { TenantContext } from '#libs/common';
import { collect, type PageRequest, type PageRows } from '#libs/persistence';
import {
  type NotificationRecord,
  NotificationStore,
  type TriggerEventRecord,
  TriggerEventStore,
} from '../delivery/index.js';

/** Read queries for the HTTP API. Every query names its environment. */
@Injectable()
export class NotificationReads {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly events: TriggerEventStore,
  ) {}

  /** @param filter names the environment */
  async page(
    filter: mongo.Filter<NotificationRecord>,
    { page, limit }: PageRequest,
  ): Promise<PageRows<NotificationRecord>> {
    const found = this.notifications.collection.find(filter).sort({ createdAt: -1, _id: -1 });
    const rows = await collect(found.skip(page * limit).limit(limit + 1));
    return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
  }

  find(tenant: TenantContext, _id: Types.ObjectId): Promise<NotificationRecord | null> {
    return this.notifications.collection.findOne({ _id, _environmentId: environmentOf(tenant) });
  }

  async eventsOf(rows: readonly NotificationRecord[]): Promise<Map<string, TriggerEventRecord>> {
    const ids = new Map(rows.map(({ _eventId }) => [_eventId.toHexString(), _eventId]));
    const events = await this.events.findByIds([...ids.values()]);
    return new Map(events.map((event) => [event._id.toHexString(), event]));
  }

  async hasTransaction(tenant: TenantContext, transactionId: string): Promise<boolean> {
    const filter = { _environmentId: environmentOf(tenant), transactionId };
    return (await this.notifications.collection.findOne(filter, { projection: { _id: 1 } })) !== null;
  }
}

function environmentOf({ environmentId }: TenantContext): Types.ObjectId {
  return new Types.ObjectId(environmentId);
}
