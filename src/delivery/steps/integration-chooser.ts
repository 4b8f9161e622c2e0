import { Injectable } from '@nestjs/common';
import { evaluateConditions } from '#libs/conditions';
import { Rendering, RenderingBusy } from '#libs/templates';
import { type ActiveIntegration, IntegrationsService } from '../../integrations/index.js';
import { chosenIntegration } from './overrides.js';
import { environmentOf, tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';

/** Chooses the integrations of email and sms steps, in the order in which to try them. */
@Injectable()
export class IntegrationChooser {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly rendering: Rendering,
  ) {}

  /**
   * The one that the trigger names; else those whose conditions the tenant meets, then those without conditions, the
   * primary one first.
   */
  async choose(task: StepTask, channel: 'email' | 'sms'): Promise<ActiveIntegration[]> {
    const { run } = task;
    const identifier = chosenIntegration(run.event.overrides, channel);
    const tenant = tenantOf(run.event);
    const active = await this.integrations.candidates(tenant, channel, identifier === undefined ? {} : { identifier });
    if (identifier !== undefined) return active;
    const meant: ActiveIntegration[] = [];
    for (const one of active) {
      if (one.conditions.length > 0 && (await this.isMeantFor(one, task))) meant.push(one);
    }
    return [...meant, ...active.filter(({ conditions }) => conditions.length === 0)];
  }

  private async isMeantFor({ conditions }: ActiveIntegration, { run, now }: StepTask): Promise<boolean> {
    const { tenant } = run.facts;
    if (tenant === undefined) return false;
    const variables = { tenant: { ...tenant } };
    try {
      const { passed } = await evaluateConditions(conditions, {
        variables,
        now,
        renderValue: (template) => this.rendering.text(template, variables, environmentOf(run), false),
      });
      return passed;
    } catch (error) {
      if (error instanceof RenderingBusy) throw error;
      // A condition that cannot be read does not choose its integration; the others still can.
      return false;
    }
  }
}

/** Why {@link IntegrationChooser.choose} found none. */
export function noIntegration({ run }: StepTask, channel: 'email' | 'sms'): string {
  const identifier = chosenIntegration(run.event.overrides, channel);
  return identifier === undefined
    ? `No active ${channel} integration is there to send with.`
    : `The trigger chose the integration '${identifier}', and no active ${channel} integration has this identifier.`;
}
