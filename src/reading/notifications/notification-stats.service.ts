import { Injectable } from '@nestjs/common';
import { Clock, type TenantContext } from '#libs/common';
import type { NotificationDayResponse, NotificationStatsResponse } from './notification.response.js';
import { KeptAnswers } from './kept-answers.js';
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
