import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { type NotificationRecord, NotificationStore } from '../../engine/delivery/index.js';
import { type CountedRuns, countsOf, TalliedRuns } from '../activity/index.js';
import { NotificationDayResponse } from './notification.response.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Per query: the embedded store runs one query at a time. More are taken from the tallies. */
const MAX_ROWS_PER_QUERY = 10_000;

type Day = NotificationDayResponse;

/** Like the compatible system, days count a notification once per kind of its steps. */
@Injectable()
export class NotificationCounts {
  constructor(
    private readonly notifications: NotificationStore,
    private readonly tallied: TalliedRuns,
  ) {}

  /** @param to inclusive */
  async between(environmentId: string, from: Date, to: Date): Promise<number> {
    const few = await this.countFew(environmentId, from, to);
    if (few !== undefined) return few;
    const { hours, rest } = await this.tallied.within(environmentId, from, to);
    let sum = 0;
    for (const { workflows } of hours) for (const { runs } of workflows) sum += runs;
    for (const [start, end] of rest) sum += await this.count(environmentId, start, end);
    return sum;
  }

  /** Days in UTC, oldest first; omits days without notifications. Many are counted from a full hour on. @param to inclusive */
  async byDay(environmentId: string, from: Date, to: Date): Promise<Day[]> {
    if ((await this.countFew(environmentId, from, to)) !== undefined) return this.group(environmentId, from, to);
    const start = new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS);
    const { hours, rest } = await this.tallied.within(environmentId, start, to);
    const parts = hours.map(dayOf);
    for (const [begin, end] of rest) parts.push(...(await this.recorded(environmentId, begin, end)));
    const days = [...new Set(parts.map(({ _id }) => _id))].sort();
    return days.map((day) =>
      merge(
        day,
        parts.filter(({ _id }) => _id === day),
      ),
    );
  }

  /** Day by day, and hour by hour, where there are many. */
  private async recorded(environmentId: string, from: Date, to: Date): Promise<Day[]> {
    const few = await this.countFew(environmentId, from, to);
    if (few === 0) return [];
    const ms = to.getTime() - from.getTime();
    if (few !== undefined || ms < HOUR_MS) return this.group(environmentId, from, to);
    const days: Day[] = [];
    for (const piece of pieces(from, to, ms < DAY_MS ? HOUR_MS : DAY_MS))
      days.push(...(await this.recorded(environmentId, ...piece)));
    return days;
  }

  private async countFew(environmentId: string, from: Date, to: Date): Promise<number | undefined> {
    const count = await this.count(environmentId, from, to, MAX_ROWS_PER_QUERY + 1);
    return count > MAX_ROWS_PER_QUERY ? undefined : count;
  }

  private count(environmentId: string, from: Date, to: Date, limit?: number): Promise<number> {
    return this.notifications.collection.countDocuments(
      { _environmentId: new Types.ObjectId(environmentId), createdAt: { $gte: from, $lte: to } },
      limit === undefined ? {} : { limit },
    );
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

function dayOf({ at, workflows }: CountedRuns): Day {
  const kinds = workflows.flatMap((workflow) => countsOf(workflow.kinds));
  return {
    _id: at.toISOString().slice(0, 10),
    count: kinds.reduce((sum, [, count]) => sum + count, 0),
    templates: workflows.map(({ _templateId }) => _templateId.toHexString()),
    channels: [...new Set(kinds.map(([kind]) => kind))],
  };
}

function merge(_id: string, parts: readonly Day[]): Day {
  return {
    _id,
    count: parts.reduce((sum, { count }) => sum + count, 0),
    templates: [...new Set(parts.flatMap(({ templates }) => templates))],
    channels: [...new Set(parts.flatMap(({ channels }) => channels))],
  };
}
