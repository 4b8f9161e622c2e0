import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Caller } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { WorkflowsService } from '../../content/workflows/index.js';
import { DryRunService, EventsService, TriggerEventDto } from '../../engine/events/index.js';
import { CreateNotificationReplayDto, NotificationReplaysService } from '../../outcomes/notification-replays/index.js';
import { AgentLimits } from './agent-limits.js';
import { inputOf, tool, type Tool } from './tool.js';
import { CountChanged } from './mcp.errors.js';
import { workflowIdOf } from './delivery-tools.js';

/** By which the audit log names what sends. */
const TRIGGER = 'triggerEvent';
const REPLAY = 'createNotificationReplay';
/** What counts against how often an agent may send. */
export const SENDING = [TRIGGER, REPLAY, 'createQuestion'];

interface Trigger {
  readonly workflow: string;
  readonly to: readonly string[];
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  readonly transactionId?: string | undefined;
  readonly tenant?: string | undefined;
}

/** What sends messages, or stops them. */
@Injectable()
export class SendingTools {
  readonly tools: readonly Tool[] = [this.trigger(), this.cancel(), this.replay()];

  constructor(
    private readonly events: EventsService,
    private readonly dryRuns: DryRunService,
    private readonly replays: NotificationReplaysService,
    private readonly subscribers: SubscribersService,
    private readonly workflows: WorkflowsService,
    private readonly limits: AgentLimits,
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
        const dto = await this.eventOf(caller, asked);
        if (dryRun) return { data: { dryRun: true, ...(await this.dryRuns.run(caller, dto, asked.to.length)) } };
        await this.limits.assertNotOften(caller, SENDING);
        const data = await this.events.trigger(caller, dto);
        return { data, about: { id: data.transactionId, name: asked.workflow } };
      },
    });
  }

  /** Agents neither create nor change subscribers, and override nothing. */
  private async eventOf(caller: Caller, { workflow: name, to: ids, ...rest }: Trigger): Promise<TriggerEventDto> {
    const to = [...new Set(ids)];
    this.limits.assertFew(to.length);
    const known = await this.subscribers.findByExternalIds(caller, to);
    const unknown = to.filter((id) => !known.has(id));
    if (unknown.length > 0) throw new ValidationFailed(unknown.map((id) => `to: there is no subscriber '${id}'`));
    return inputOf(TriggerEventDto, 'body', { name, to, ...rest });
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
        this.limits.assertFew(failed);
        await this.limits.assertNotOften(caller, SENDING);
        const data = await this.replays.create(caller, dto);
        return { data, about: { id: data._id } };
      },
    });
  }
}
