import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Caller } from '#libs/common';
import { WorkflowsService } from '../../content/workflows/index.js';
import { DryRunService, EventsService, TriggerEventDto } from '../../engine/events/index.js';
import { CreateNotificationReplayDto, NotificationReplaysService } from '../../outcomes/notification-replays/index.js';
import { ListNotificationsQuery, NotificationsService } from '../../outcomes/notifications/index.js';
import { AgentSends, MAX_AT_ONCE } from './agent-sends.js';
import { inputOf, tool, type Tool } from './tool.js';
import { CountChanged } from './mcp.errors.js';
import { workflowIdOf } from './delivery-tools.js';

/** By which the audit log names what sends. */
const TRIGGER = 'triggerEvent';
const REPLAY = 'createNotificationReplay';

/** What sends messages, or stops them. */
@Injectable()
export class SendingTools {
  readonly tools: readonly Tool[] = [this.trigger(), this.cancel(), this.replay()];

  constructor(
    private readonly events: EventsService,
    private readonly dryRuns: DryRunService,
    private readonly replays: NotificationReplaysService,
    private readonly notifications: NotificationsService,
    private readonly workflows: WorkflowsService,
    private readonly sends: AgentSends,
  ) {}

  private trigger(): Tool {
    return tool({
      name: 'trigger',
      description:
        'Triggers a workflow for subscribers. By default a dry run: who would get what, and why not. Look at it, then call again with ' +
        'dryRun: false and a transactionId of yours, with which a repeated call sends once.',
      scope: 'trigger',
      resource: 'event',
      action: ({ dryRun }) => (dryRun ? 'dryRunEvent' : TRIGGER),
      input: z.strictObject({
        workflow: z.string().describe('trigger identifier'),
        to: z.array(z.string()).min(1).max(1_000).describe('ids of subscribers'),
        payload: z.record(z.string(), z.unknown()).optional(),
        transactionId: z.string().optional(),
        tenant: z.string().optional(),
        dryRun: z.boolean().default(true),
      }),
      run: async (caller, { dryRun, ...asked }) => {
        const { workflow, to, ...rest } = asked;
        // Agents neither create nor change subscribers, and override nothing.
        const body = { name: workflow, ...rest };
        const dto = await inputOf(TriggerEventDto, 'body', { ...body, to: [...new Set(to)] });
        if (dryRun) {
          await this.sends.recipientsOf(caller, to);
          return { data: { dryRun: true, ...(await this.dryRuns.run(caller, dto, to.length)) } };
        }
        const check = () => this.dryRuns.run(caller, dto, 1);
        const wish = { operation: TRIGGER, to, body, workflow, result: asked.transactionId, check } as const;
        return this.sends.send(caller, wish, async () => {
          const data = await this.events.trigger(caller, dto);
          return { data, about: { id: data.transactionId, name: workflow } };
        });
      },
    });
  }

  private cancel(): Tool {
    return tool({
      name: 'cancel',
      description: 'Cancels what is not delivered yet of an event. Answers whether there was anything.',
      scope: 'trigger',
      resource: 'event',
      action: 'cancelEvent',
      input: z.strictObject({ transactionId: z.string() }),
      run: async (caller, { transactionId }) => ({
        data: { canceled: await this.events.cancel(caller, transactionId) },
        about: { id: transactionId },
      }),
    });
  }

  private replay(): Tool {
    return tool({
      name: 'replay_failed',
      description:
        'Runs the failed steps of failed notifications again. Without expected, it only counts them. Call again with expected: that number.',
      scope: 'trigger',
      resource: 'notification-replay',
      action: ({ expected }) => (expected === undefined ? 'listNotifications' : REPLAY),
      input: z.strictObject({
        workflow: z.string().optional().describe('trigger identifier'),
        subscriberIds: z.array(z.string()).optional(),
        from: z.string().optional().describe('ISO 8601'),
        to: z.string().optional(),
        expected: z.int().min(1).optional(),
      }),
      run: async (caller, { workflow, expected, ...filter }) => {
        const dto = await inputOf(CreateNotificationReplayDto, 'body', {
          filter: {
            ...filter,
            ...(workflow !== undefined && { templates: [await workflowIdOf(this.workflows, caller, workflow)] }),
          },
          ...(expected !== undefined && { limit: expected }),
        });
        const failed = await this.replays.count(caller, dto.filter);
        if (expected === undefined) return { data: { failed } };
        if (failed !== expected) throw new CountChanged(expected, failed);
        return this.sends.sendAtOnce(caller, { count: failed, people: () => this.peopleOf(caller, dto) }, async () => {
          const data = await this.replays.create(caller, dto);
          return { data, about: { id: data._id } };
        });
      },
    });
  }

  /** Of each notification, of which there are no more than a page. */
  private async peopleOf(caller: Caller, { filter }: CreateNotificationReplayDto): Promise<readonly string[]> {
    const query = await inputOf(ListNotificationsQuery, 'query', { ...filter, status: ['failed'], limit: MAX_AT_ONCE });
    const { data } = await this.notifications.list(caller, query);
    return data.map(({ _subscriberId }) => _subscriberId);
  }
}
