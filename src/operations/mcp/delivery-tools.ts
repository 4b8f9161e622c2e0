import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { TenantContext } from '#libs/common';
import { WorkflowNotFound, WorkflowsService } from '../../content/workflows/index.js';
import { EventLookup } from '../../engine/events/index.js';
import { ActivitySummaryQuery, ActivitySummaryService } from '../../outcomes/activity/index.js';
import {
  ListNotificationsQuery,
  type NotificationResponse,
  NotificationsService,
} from '../../outcomes/notifications/index.js';
import { WhyQuery, WhyService } from '../../outcomes/why/index.js';
import { inputOf, tool, type Tool } from './tool.js';

const MAX_LISTED = 50;
const time = z.string().optional().describe('ISO 8601');

/** What became of notifications. */
@Injectable()
export class DeliveryTools {
  readonly tools: readonly Tool[] = [this.why(), this.find(), this.get(), this.event(), this.figures()];

  constructor(
    private readonly reasons: WhyService,
    private readonly notifications: NotificationsService,
    private readonly events: EventLookup,
    private readonly summaries: ActivitySummaryService,
    private readonly workflows: WorkflowsService,
  ) {}

  private why(): Tool {
    return tool({
      name: 'why',
      description:
        'Says why a subscriber did or did not get the messages of a workflow: sentences with the values that were compared, and remedies.',
      scope: 'read',
      resource: 'notification',
      isReadOnly: true,
      action: 'explainDelivery',
      input: z.strictObject({
        subscriberId: z.string(),
        workflow: z.string().describe('trigger identifier'),
        at: z.string().optional().describe('when it was expected, ISO 8601; default now'),
        hours: z.int().optional().describe('how far to look back; default 24'),
      }),
      run: async (caller, { subscriberId, ...query }) => {
        const data = await this.reasons.explain(caller, subscriberId, await inputOf(WhyQuery, 'query', query));
        return { data, about: { name: query.workflow } };
      },
    });
  }

  private find(): Tool {
    return tool({
      name: 'find_notifications',
      description:
        'Lists notifications, newest first: runs of a workflow for one subscriber, with the state of each step.',
      scope: 'read',
      resource: 'notification',
      isReadOnly: true,
      action: 'listNotifications',
      input: z.strictObject({
        subscriberId: z.string().optional(),
        workflow: z.string().optional().describe('trigger identifier'),
        transactionId: z.string().optional(),
        status: z.enum(['active', 'completed', 'failed', 'canceled', 'merged', 'dead', 'uncertain']).optional(),
        search: z.string().optional().describe('transaction, subscriber, name, email or workflow'),
        from: time,
        to: time,
        page: z.int().default(0),
        limit: z.int().max(MAX_LISTED).default(10),
      }),
      run: async (caller, { subscriberId, workflow, status, ...query }) => {
        const filter = await inputOf(ListNotificationsQuery, 'query', {
          ...query,
          ...(subscriberId !== undefined && { subscriberIds: [subscriberId] }),
          ...(workflow !== undefined && { templates: [await workflowIdOf(this.workflows, caller, workflow)] }),
          ...(status !== undefined && { status: [status] }),
        });
        const { data, hasMore } = await this.notifications.list(caller, filter);
        return { data: { notifications: data.map(summaryOf), hasMore } };
      },
    });
  }

  private get(): Tool {
    return tool({
      name: 'get_notification',
      description: 'Reads a notification: its payload, and of each step the attempts, conditions, errors and remedies.',
      scope: 'read',
      resource: 'notification',
      isReadOnly: true,
      action: 'getNotification',
      input: z.strictObject({ id: z.string().regex(/^[0-9a-f]{24}$/i) }),
      run: async (caller, { id }) => {
        const found = await this.notifications.get(caller, id);
        const { payload, subscriber, jobs } = found;
        const steps = jobs.map(({ step, error, explanation, attempt, dueAt, finishedAt, history }, at) => ({
          ...summaryOf(found).steps[at],
          name: step.name,
          error,
          explanation,
          attempt,
          dueAt,
          finishedAt,
          history,
        }));
        return { data: { ...summaryOf(found), subscriber, payload, steps }, about: { id } };
      },
    });
  }

  private event(): Tool {
    return tool({
      name: 'get_event',
      description: 'Says what became of a trigger, by its transactionId: outcomes by step, or why it was refused.',
      scope: 'read',
      resource: 'event',
      isReadOnly: true,
      action: 'getEvent',
      input: z.strictObject({ transactionId: z.string() }),
      run: async (caller, { transactionId }) => ({
        data: await this.events.get(caller, transactionId),
        about: { id: transactionId },
      }),
    });
  }

  private figures(): Tool {
    return tool({
      name: 'figures',
      description:
        'Counts what was sent, delivered, read and failed in a period, by channel and workflow, and what waits now.',
      scope: 'read',
      resource: 'notification',
      isReadOnly: true,
      action: 'getActivitySummary',
      input: z.strictObject({ from: time, to: time, interval: z.enum(['hour', 'day']).default('day') }),
      run: async (caller, query) => {
        const input = await inputOf(ActivitySummaryQuery, 'query', query);
        // The course of time is for charts.
        const { points: _, ...data } = await this.summaries.get(caller, input);
        return { data };
      },
    });
  }
}

/** @throws {WorkflowNotFound} */
export async function workflowIdOf(workflows: WorkflowsService, tenant: TenantContext, name: string): Promise<string> {
  const found = await workflows.findByIdOrIdentifier(tenant, name);
  if (found === undefined) throw new WorkflowNotFound(name);
  return found.id;
}

function summaryOf({ _id, status, createdAt, transactionId, template, subscriber, jobs }: NotificationResponse) {
  return {
    _id,
    status,
    createdAt,
    transactionId,
    workflow: template?.triggers[0]?.identifier,
    subscriberId: subscriber?.subscriberId,
    steps: jobs.map(({ type, status: state, reason, providerId }) => ({ type, status: state, reason, providerId })),
  };
}
