import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock, type TenantContext } from '#libs/common';
import type { NotificationDayResponse, NotificationStatsResponse } from './notification.response.js';
import { NotificationCounts } from './notification-counts.js';

const DAY_MS = 86_400_000;

@Injectable()
export class NotificationStatsService {
  private readonly kept = new KeptAnswers();

  constructor(
    private readonly counts: NotificationCounts,
    private readonly clock: Clock,
  ) {}

  totals({ environmentId }: TenantContext): Promise<NotificationStatsResponse> {
    return this.kept.get(`totals:${environmentId}`, async () => {
      const now = this.clock.now();
      const since = (days: number): Promise<number> => this.counts.between(environmentId, daysBefore(now, days), now);
      const [weeklySent, monthlySent] = await Promise.all([since(7), since(30)]);
      return { answer: { weeklySent, monthlySent }, size: monthlySent };
    });
  }

  /** Oldest day first; omits days without notifications. */
  byDay({ environmentId }: TenantContext, days: number): Promise<NotificationDayResponse[]> {
    return this.kept.get(`days:${environmentId}:${days}`, async () => {
      const now = this.clock.now();
      const answer = await this.counts.byDay(environmentId, daysBefore(now, days), now);
      return { answer, size: answer.reduce((sum, { count }) => sum + count, 0) };
    });
  }
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

const MAX_ANSWERS = 1_000;
/** Smaller answers are cheap to compute and not cached. */
const MIN_ROWS = 10_000;
const MS_PER_ROW = 0.2;
const MAX_AGE_MS = 60_000;

export interface SizedAnswer<T extends object> {
  readonly answer: T;
  readonly size: number;
}

/**
 * More rows are cached longer: they take longer to compute and change less. Concurrent requests share one computation.
 */
export class KeptAnswers {
  private readonly answers = new LRUCache<string, object>({ max: MAX_ANSWERS, ttl: MAX_AGE_MS });
  private readonly pending = new Map<string, Promise<object>>();

  /** @param find failures are not cached */
  async get<T extends object>(key: string, find: () => Promise<SizedAnswer<T>>): Promise<T> {
    const known = this.answers.get(key);
    if (known !== undefined) return known as T;
    const asked = this.pending.get(key);
    if (asked !== undefined) return (await asked) as T;
    const found = this.find(key, find);
    this.pending.set(key, found);
    try {
      return await found;
    } finally {
      this.pending.delete(key);
    }
  }

  private async find<T extends object>(key: string, find: () => Promise<SizedAnswer<T>>): Promise<T> {
    const { answer, size } = await find();
    if (size >= MIN_ROWS) this.answers.set(key, answer, { ttl: Math.min(size * MS_PER_ROW, MAX_AGE_MS) });
    return answer;
  }
}
