import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { findProvider } from '#libs/channels';
import { type ConditionResult, evaluateConditions } from '#libs/conditions';
import { Rendering, RenderingBusy } from '#libs/templates';
import { type ActiveIntegration, IntegrationsService } from '../../../management/integrations/index.js';
import type { ResolvedChannel } from '../../../management/subscribers/index.js';
import { environmentOf, tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import { chosenIntegration } from './overrides.js';

export interface ServedEntry {
  readonly entry: ResolvedChannel;
  /** Identifies the entry within the subscriber, without secrets. */
  readonly key: string;
  readonly integration: ActiveIntegration | undefined;
}

const NOT_MET: ConditionResult = { passed: false, conditions: [] };

@Injectable()
export class IntegrationRoutes {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly rendering: Rendering,
  ) {}

  /**
   * The integrations of an email or sms step, in the order in which to try them: the one that the trigger names; else
   * those whose conditions the tenant meets, then those without conditions, the primary one first.
   */
  async choose(task: StepTask, channel: 'email' | 'sms'): Promise<ActiveIntegration[]> {
    const { run } = task;
    const identifier = chosenIntegration(run.event.overrides, channel);
    const tenant = tenantOf(run.event);
    const active = await this.integrations.candidates(tenant, channel, identifier === undefined ? {} : { identifier });
    const matching: ActiveIntegration[] = [];
    for (const integration of identifier === undefined ? active : []) {
      if (integration.conditions.length === 0) continue;
      const conditions = await this.evaluate(integration, task);
      const isChosen = conditions.passed;
      task.witness?.integrations.push({ integration, conditions, isChosen });
      if (isChosen) matching.push(integration);
    }
    const others = identifier === undefined ? active.filter(({ conditions }) => conditions.length === 0) : active;
    task.witness?.integrations.push(...others.map((integration) => ({ integration, isChosen: true })));
    return [...matching, ...others];
  }

  async entriesOf({ run }: StepTask, channel: 'chat' | 'push'): Promise<ServedEntry[]> {
    const own = run.facts.subscriber.channels.filter(({ providerId }) => findProvider(providerId, channel));
    if (own.length === 0) return [];
    const active = await this.integrations.candidates(tenantOf(run.event), channel);
    return own.map((entry) => ({
      entry,
      key: createHash('sha1').update(`${entry.providerId}:${entry._integrationId}`).digest('base64url').slice(0, 12),
      integration: active.find(({ id, providerId }) => id === entry._integrationId && providerId === entry.providerId),
    }));
  }

  async ofProvider({ run }: StepTask, channel: 'chat', providerId: string): Promise<ActiveIntegration | undefined> {
    const active = await this.integrations.candidates(tenantOf(run.event), channel);
    return active.find((one) => one.providerId === providerId);
  }

  private async evaluate({ conditions }: ActiveIntegration, { run, now }: StepTask): Promise<ConditionResult> {
    const { tenant } = run.facts;
    if (tenant === undefined) return NOT_MET;
    const variables = { tenant: { ...tenant } };
    try {
      return await evaluateConditions(conditions, {
        variables,
        now,
        renderValue: (template) => this.rendering.text(template, variables, environmentOf(run), false),
      });
    } catch (error) {
      if (error instanceof RenderingBusy) throw error;
      // A condition that cannot be read does not choose its integration; the others still can.
      return NOT_MET;
    }
  }
}

export function noIntegration({ run }: StepTask, channel: 'email' | 'sms'): string {
  const identifier = chosenIntegration(run.event.overrides, channel);
  return identifier === undefined
    ? `No active ${channel} integration is there to send with.`
    : `The trigger chose the integration '${identifier}', and no active ${channel} integration has this identifier.`;
}
