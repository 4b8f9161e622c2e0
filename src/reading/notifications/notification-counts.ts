import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Types } from 'mongoose';
import { type NotificationRecord, NotificationStore } from '../../engine/delivery/index.js';
import { NotificationDayResponse } from './notification.response.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Per query: the embedded store runs one query at a time. */
const MAX_ROWS_PER_QUERY = 10_000;
/** A past day changes only by retention. */
const PAST_DAYS = { max: 1_000, ttl: HOUR_MS };

type Day = NotificationDayResponse;

/**
 * Short queries do not delay others. Like the compatible system, days count a notification once per kind of its steps.
 */
@Injectable()
export class NotificationCounts {
  private readonly pastDays = new LRUCache<string, Day[]>(PAST_DAYS);

  constructor(private readonly notifications: NotificationStore) {}

  /** @param to inclusive */
  between(environmentId: string, from: Date, to: Date): Promise<number> {
    return this.notifications.collection.countDocuments({
      _environmentId: new Types.ObjectId(environmentId),
      createdAt: { $gte: from, $lte: to },
    });
  }

  /** Days in UTC, oldest first; omits days without notifications. @param to inclusive */
  async byDay(environmentId: string, from: Date, to: Date): Promise<Day[]> {
    if ((await this.between(environmentId, from, to)) <= MAX_ROWS_PER_QUERY) return this.group(environmentId, from, to);
    const days: Day[] = [];
    for (const [start, end] of pieces(from, to, DAY_MS)) {
      const isWhole = end.getTime() - start.getTime() === DAY_MS - 1 && end < to;
      const key = `${environmentId}:${start.getTime()}`;
      const known = isWhole ? this.pastDays.get(key) : undefined;
      const found = known ?? (await this.day(environmentId, start, end));
      if (isWhole) this.pastDays.set(key, found);
      days.push(...found);
    }
    return days;
  }

  /** Hour by hour if there are many notifications. */
  private async day(environmentId: string, from: Date, to: Date): Promise<Day[]> {
    const count = await this.between(environmentId, from, to);
    if (count === 0) return [];
    if (count <= MAX_ROWS_PER_QUERY) return this.group(environmentId, from, to);
    const hours: Day[] = [];
    for (const [start, end] of pieces(from, to, HOUR_MS)) hours.push(...(await this.group(environmentId, start, end)));
    return [merge(hours)];
  }

  private async group(environmentId: string, from: Date, to: Date): Promise<Day[]> {
    const rows = await this.notifications.collection
      .aggregate<{
        _id: string;
        count: number;
        templates: Types.ObjectId[];
        channels: NotificationRecord['channels'][];
      }>([
        { $match: { _environmentId: new Types.ObjectId(environmentId), createdAt: { $gte: from, $lte: to } } },
        {
          $group: {
            _id: { $dateToString: { format: '%Y-%m-%d', date: '$createdAt' } },
            count: { $sum: { $size: '$channels' } },
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

/** Both ends of each piece are inclusive, to the millisecond. */
export function pieces(from: Date, to: Date, lengthMs: number): [Date, Date][] {
  const result: [Date, Date][] = [];
  for (let start = from.getTime(); start <= to.getTime();) {
    const next = (Math.floor(start / lengthMs) + 1) * lengthMs;
    result.push([new Date(start), new Date(Math.min(next - 1, to.getTime()))]);
    start = next;
  }
  return result;
}

function merge(parts: readonly Day[]): Day {
  return {
    _id: parts[0]?._id ?? '',
    count: parts.reduce((sum, { count }) => sum + count, 0),
    templates: [...new Set(parts.flatMap(({ templates }) => templates))],
    channels: [...new Set(parts.flatMap(({ channels }) => channels))],
  };
}
