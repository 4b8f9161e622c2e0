import { Injectable } from '@nestjs/common';
import { type mongo, Types } from 'mongoose';
import { type PageRequest, type PageRows } from '#libs/persistence';
import type { TenantContext } from '#libs/tenancy';
import type { NotificationDayResponse, NotificationStatsResponse } from './dto/notification-stats.response.js';
import type { NotificationRecord } from './notification.record.js';
import { NotificationStore } from './notification-store.js';
import type { TriggerEventRecord } from './trigger-event.record.js';
import { TriggerEventStore } from './trigger-event-store.js';

const DAY_MS = 86_400_000;

/** Reads notifications for people. Every query names its environment. */
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
    const rows = await this.notifications.collection
      .find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip(page * limit)
      .limit(limit + 1)
      .toArray();
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

  async stats(tenant: TenantContext, now: Date): Promise<NotificationStatsResponse> {
    const since = (days: number): Promise<number> =>
      this.notifications.collection.countDocuments({
        _environmentId: environmentOf(tenant),
        createdAt: { $gte: new Date(now.getTime() - days * DAY_MS) },
      });
    const [weeklySent, monthlySent] = await Promise.all([since(7), since(30)]);
    return { weeklySent, monthlySent };
  }

  /** Oldest day first; days without notifications are left out. */
  async days(tenant: TenantContext, now: Date, days: number): Promise<NotificationDayResponse[]> {
    const rows = await this.notifications.collection
      .aggregate<{
        _id: string;
        count: number;
        templates: Types.ObjectId[];
        channels: NotificationRecord['channels'][];
      }>([
        {
          $match: {
            _environmentId: environmentOf(tenant),
            createdAt: { $gte: new Date(now.getTime() - days * DAY_MS) },
          },
        },
        {
          $group: {
            _id: { $dateToString: { format: '%Y-%m-%d', date: '$createdAt' } },
            count: { $sum: 1 },
            templates: { $addToSet: '$_templateId' },
            channels: { $addToSet: '$channels' },
          },
        },
        { $sort: { _id: 1 } },
      ])
      .toArray();
    return rows.map(({ _id, count, templates, channels }) => ({
      _id,
      count,
      templates: templates.map((id) => id.toHexString()),
      channels: [...new Set(channels.flat())],
    }));
  }
}

function environmentOf({ environmentId }: TenantContext): Types.ObjectId {
  return new Types.ObjectId(environmentId);
}
