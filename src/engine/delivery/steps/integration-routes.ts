import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { findProvider, isCatcher } from '#libs/channels';
import { type ConditionResult, evaluateConditions } from '#libs/conditions';
import { Rendering, RenderingBusy } from '#libs/templates';
import { type ActiveIntegration, IntegrationsService } from '../../../channels/integrations/index.js';
import type { ResolvedChannel } from '../../../audience/subscribers/index.js';
import { environmentOf, tenantOf } from '../run/run.js';
import type { ConsideredIntegration, StepTask } from '../run/step-handler.js';
import { chosenIntegration, overridesOf } from './overrides.js';

export interface ServedEntry {
  readonly entry: ResolvedChannel;
  /** Identifies the entry within the subscriber, without secrets. */
  readonly key: string;
  readonly integration: ActiveIntegration | undefined;
}

export interface Served extends ServedEntry {
  readonly integration: ActiveIntegration;
}

/** Of mails that no other integration would have sent. */
const SENDER_OF_CAUGHT = { from: 'nobody@example.com' };
const NOT_MET: ConditionResult = { passed: false, conditions: [] };

@Injectable()
export class IntegrationRoutes {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly rendering: Rendering,
  ) {}

  /**
   * The integrations of an email or sms step, in the order in which to try them: the one that the trigger names; else
   * those whose conditions the tenant meets, then those without conditions, the primary one first. A catcher stands in
   * for all of them.
   */
  async choose(task: StepTask, channel: 'email' | 'sms'): Promise<ActiveIntegration[]> {
    const { run, witness } = task;
    const identifier = chosenIntegration(overridesOf(task), channel);
    const active = await this.integrations.candidates(tenantOf(run.event), channel);
    const named = identifier === undefined ? active : active.filter((one) => one.identifier === identifier);
    const catcher = active.find(isCatching);
    const considered = await this.consider(
      task,
      named.filter((one) => !isCatching(one)),
      identifier !== undefined,
    );
    const chosen = considered.flatMap(({ integration, isChosen }) => (isChosen ? [integration] : []));
    if (catcher === undefined || named.length === 0) {
      witness?.integrations.push(...considered);
      return chosen;
    }
    const rest = considered.map((one) => ({ ...one, isChosen: false }));
    witness?.integrations.push({ integration: catcher, isChosen: true }, ...rest);
    return [
      caughtBy(
        catcher,
        chosen.find(({ credentialsError }) => credentialsError === undefined),
      ),
    ];
  }

  /** In the order in which they are tried. */
  private async consider(
    task: StepTask,
    integrations: readonly ActiveIntegration[],
    isNamed: boolean,
  ): Promise<ConsideredIntegration[]> {
    const considered: ConsideredIntegration[] = [];
    for (const integration of isNamed ? [] : integrations) {
      if (integration.conditions.length === 0) continue;
      const conditions = await this.evaluate(integration, task);
      considered.push({ integration, conditions, isChosen: conditions.passed });
    }
    const others = isNamed ? integrations : integrations.filter(({ conditions }) => conditions.length === 0);
    return [...considered, ...others.map((integration) => ({ integration, isChosen: true }))];
  }

  async entriesOf(task: StepTask, channel: 'chat' | 'push'): Promise<ServedEntry[]> {
    const { run } = task;
    const own = run.facts.subscriber.channels.filter(({ providerId }) => findProvider(providerId, channel));
    if (own.length === 0) return [];
    const active = await this.integrations.candidates(tenantOf(run.event), channel);
    const catcher = active.find(isCatching);
    const identifier = chosenIntegration(overridesOf(task), channel);
    return own.flatMap((entry) => {
      const integration = active.find(
        ({ id, providerId }) => id === entry._integrationId && providerId === entry.providerId,
      );
      if (identifier !== undefined && integration?.identifier !== identifier) return [];
      return [{ entry, key: keyOf(entry), integration: orCaught(integration, catcher) }];
    });
  }

  async ofProvider(task: StepTask, channel: 'chat', providerId: string): Promise<ActiveIntegration | undefined> {
    const active = await this.integrations.candidates(tenantOf(task.run.event), channel);
    const identifier = chosenIntegration(overridesOf(task), channel);
    const found = active.find(
      (one) => one.providerId === providerId && [undefined, one.identifier].includes(identifier),
    );
    return identifier === undefined || found ? orCaught(found, active.find(isCatching)) : undefined;
  }

  /** For a subscriber without an entry: a catcher shows how the message would look if there were one. */
  async standIn({ run }: StepTask, channel: 'chat' | 'push'): Promise<Served | undefined> {
    const active = await this.integrations.candidates(tenantOf(run.event), channel);
    const integration = active.find(isCatching);
    if (integration === undefined) return undefined;
    const { id, identifier, providerId } = integration;
    const entry = { providerId, _integrationId: id, integrationIdentifier: identifier, credentials: {} };
    return { entry, key: keyOf(entry), integration };
  }

  private async evaluate({ conditions }: ActiveIntegration, { run, now }: StepTask): Promise<ConditionResult> {
    const { tenant } = run.facts;
    if (tenant === undefined) return NOT_MET;
    const variables = { tenant: { ...tenant } };
    try {
      return await evaluateConditions(conditions, {
        variables,
        now,
        renderValue: (template) => this.rendering.text(template, variables, environmentOf(run)),
      });
    } catch (error) {
      if (error instanceof RenderingBusy) throw error;
      // A condition that cannot be read does not choose its integration; the others still can.
      return NOT_MET;
    }
  }
}

function keyOf({ providerId, _integrationId }: ResolvedChannel): string {
  return createHash('sha1').update(`${providerId}:${_integrationId}`).digest('base64url').slice(0, 12);
}

function isCatching({ providerId }: ActiveIntegration): boolean {
  return isCatcher(providerId);
}

/** What could not be sent is not caught either. */
function orCaught(
  integration: ActiveIntegration | undefined,
  catcher: ActiveIntegration | undefined,
): ActiveIntegration | undefined {
  return integration && catcher ? caughtBy(catcher, integration) : integration;
}

function caughtBy(catcher: ActiveIntegration, insteadOf: ActiveIntegration | undefined): ActiveIntegration {
  if (insteadOf !== undefined) return { ...catcher, insteadOf };
  if (catcher.channel !== 'email') return catcher;
  return { ...catcher, credentials: { ...SENDER_OF_CAUGHT, ...catcher.credentials } };
}

export function noIntegration(task: StepTask, channel: 'email' | 'sms'): string {
  const identifier = chosenIntegration(overridesOf(task), channel);
  return identifier === undefined
    ? `No active ${channel} integration is there to send with.`
    : `The trigger chose the integration '${identifier}', and no active ${channel} integration has this identifier.`;
}
