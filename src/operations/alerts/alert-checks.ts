import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { toObjectId } from '#libs/persistence';
import { type IntegrationResponse, IntegrationsService } from '../../channels/integrations/index.js';
import { NotificationStore } from '../../engine/delivery/index.js';
import {
  type ActivitySummaryResponse,
  ActivitySummaryService,
  DeliveryHealthService,
} from '../../outcomes/activity/index.js';
import type { Finding } from './alert-changes.js';
import { AlertWorkflows } from './alert-workflows.js';
import type { Alerts, Incident } from './alerts.schema.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
/** Fewer messages say nothing about a share. */
const LEAST_MESSAGES = 20;
/** A share or a delay has to fall to half of its limit, so that one that wavers is told once. */
const CALM = 0.5;
/** Counting more would cost the store more than the number is worth. */
const MOST_COUNTED = 1_000;

export type AwayChannels = Readonly<Record<string, 'true'>>;

interface Look {
  /** What was open and is still looked at: an integration that was switched off is not up again. */
  readonly before: Incident[];
  readonly found: Finding[];
  /** Channels with integrations of which none answers. */
  readonly away: AwayChannels;
}

/** Reads what is wrong in an environment. Nothing that the alerts themselves send counts, so that they cannot bring forth others. */
@Injectable()
export class AlertChecks {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly summaries: ActivitySummaryService,
    private readonly health: DeliveryHealthService,
    private readonly notifications: NotificationStore,
    private readonly workflows: AlertWorkflows,
  ) {}

  async look(tenant: TenantContext, row: Alerts, now: Date): Promise<Look> {
    const has = (kind: Finding['kind']): boolean => row.kinds.includes(kind);
    const active = await this.integrations.listActive(tenant);
    const own = [...(await this.workflows.ids(tenant)).values()];
    const outages = has('provider') ? active.flatMap(outageOf) : [];
    const none: Promise<Finding[]> = Promise.resolve([]);
    const groups = await Promise.all([
      has('failures') ? this.failures(tenant, row, own, now) : none,
      has('dead_letters') ? this.deadLetters(tenant, own, now) : none,
      has('late_work') ? this.lateWork(tenant, row, now) : none,
    ]);
    const known = new Set(active.map(aboutOf));
    const before = row.open.filter(({ kind, about }) => has(kind) && (kind !== 'provider' || known.has(about)));
    return { before, found: [...outages, ...groups.flat()], away: awayOf(active) };
  }

  /** The 24 whole hours before a time. */
  async report(tenant: TenantContext, now: Date): Promise<Record<string, unknown>> {
    const to = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
    const own = [...(await this.workflows.ids(tenant)).values()];
    const [summary, deadLetters] = await Promise.all([
      this.summary(tenant, { from: new Date(to.getTime() - DAY_MS), to: new Date(to.getTime() - 1), own }),
      this.countDeadLetters(tenant, own, now),
    ]);
    const { sent, delivered, read, failed } = summary.total;
    const { runs, failedRuns } = summary;
    const period = { from: summary.from.toISOString(), to: summary.to.toISOString() };
    return { ...period, sent, delivered, read, failed, runs, failedRuns, deadLetters };
  }

  private async failures(tenant: TenantContext, row: Alerts, own: readonly string[], now: Date): Promise<Finding[]> {
    const { total } = await this.summary(tenant, { from: new Date(now.getTime() - HOUR_MS), to: now, own });
    const all = total.sent + total.failed;
    const percent = (100 * total.failed) / Math.max(1, all);
    if (all < LEAST_MESSAGES || percent < CALM * row.failurePercent) return [];
    const facts = { percent: Math.round(percent), failed: total.failed, total: all };
    return [{ about: 'failures', kind: 'failures', facts, isOver: percent >= row.failurePercent }];
  }

  private async deadLetters(tenant: TenantContext, own: readonly string[], now: Date): Promise<Finding[]> {
    const count = await this.countDeadLetters(tenant, own, now);
    if (count === 0) return [];
    return [{ about: 'dead_letters', kind: 'dead_letters', facts: { count }, count, isOver: true }];
  }

  private async lateWork(tenant: TenantContext, { lateMinutes }: Alerts, now: Date): Promise<Finding[]> {
    const oldest = (await this.health.backlog(tenant)).flatMap(({ oldestDueAt }) => oldestDueAt?.getTime() ?? []);
    const minutes = (now.getTime() - Math.min(now.getTime(), ...oldest)) / MINUTE_MS;
    if (minutes < CALM * lateMinutes) return [];
    const facts = { minutes: Math.floor(minutes) };
    return [{ about: 'late_work', kind: 'late_work', facts, isOver: minutes >= lateMinutes }];
  }

  private countDeadLetters({ environmentId }: TenantContext, own: readonly string[], now: Date): Promise<number> {
    return this.notifications.collection.countDocuments(
      {
        _environmentId: toObjectId(environmentId),
        'steps.deadLetter': true,
        createdAt: { $gte: new Date(now.getTime() - DAY_MS) },
        _templateId: { $nin: own.map(toObjectId) },
      },
      { limit: MOST_COUNTED },
    );
  }

  private summary(
    tenant: TenantContext,
    { from, to, own }: { readonly from: Date; readonly to: Date; readonly own: readonly string[] },
  ): Promise<ActivitySummaryResponse> {
    const period = { from: from.toISOString(), to: to.toISOString(), interval: 'hour' } as const;
    return this.summaries.get(tenant, period, own);
  }
}

const aboutOf = ({ _id }: IntegrationResponse): string => `provider:${_id}`;

function outageOf(integration: IntegrationResponse): Finding[] {
  const { name, providerId, channel, outage } = integration;
  if (outage === undefined) return [];
  const facts = { integration: name, provider: providerId, channel, code: outage.code };
  return [{ about: aboutOf(integration), kind: 'provider', since: outage.since, facts, isOver: true }];
}

function awayOf(active: readonly IntegrationResponse[]): AwayChannels {
  const up = new Set(active.filter(({ outage }) => outage === undefined).map(({ channel }) => channel));
  return Object.fromEntries(
    active.flatMap(({ channel }): [string, 'true'][] => (up.has(channel) ? [] : [[channel, 'true']])),
  );
}
