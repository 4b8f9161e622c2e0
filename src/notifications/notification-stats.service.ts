import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { TenantContext } from '#libs/tenancy';
import type { NotificationDayResponse, NotificationStatsResponse } from './dto/notification-stats.response.js';
import { NotificationReads } from './notification-reads.js';

/** Counts notifications for dashboards. */
@Injectable()
export class NotificationStatsService {
  constructor(
    private readonly reads: NotificationReads,
    private readonly clock: Clock,
  ) {}

  totals(tenant: TenantContext): Promise<NotificationStatsResponse> {
    return this.reads.stats(tenant, this.clock.now());
  }

  byDay(tenant: TenantContext, days: number): Promise<NotificationDayResponse[]> {
    return this.reads.days(tenant, this.clock.now(), days);
  }
}
