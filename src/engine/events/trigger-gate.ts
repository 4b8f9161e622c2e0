import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { isGiven } from '#libs/validation';
import { type TenantResponse, TenantsService } from '../../audience/tenants/index.js';
import { EnvironmentsService } from '../../platform/environments/index.js';
import { WorkflowOverridesService } from '../../content/workflow-overrides/index.js';
import { IdentifierSuggestions, type ResolvedWorkflow, WorkflowsService } from '../../content/workflows/index.js';
import type { TriggerBaseDto, TriggerEventDto } from './event.dto.js';
import { TriggerIncomplete, TriggerNotFound, WaitsNotSkippable } from './events.errors.js';
import { type Refusal, RefusedTriggers } from './refused-triggers.js';
import { offByOverride, TRIGGER_HINTS } from './trigger-hints.js';

export interface OpenTrigger {
  readonly workflow: ResolvedWorkflow;
  readonly tenant?: string;
  /** As stored. */
  readonly found?: TenantResponse;
}

type AnyTrigger = TriggerBaseDto & Pick<TriggerEventDto, 'skipWaits'>;

@Injectable()
export class TriggerGate {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly tenants: TenantsService,
    private readonly overrides: WorkflowOverridesService,
    private readonly refused: RefusedTriggers,
    private readonly suggestions: IdentifierSuggestions,
    private readonly environments: EnvironmentsService,
  ) {}

  /**
   * @returns a refusal, which is stored, if nothing will be delivered
   */
  async open(tenant: TenantContext, dto: AnyTrigger, transactionId: string): Promise<OpenTrigger | Refusal> {
    const judged = await this.judge(tenant, dto);
    if ('status' in judged) {
      await this.refuse(tenant, transactionId, judged);
      return judged;
    }
    if (judged.found) await this.updateTenant(tenant, judged.found, dto.tenant);
    return judged;
  }

  refuse(tenant: TenantContext, transactionId: string, refusal: Refusal): Promise<void> {
    return this.refused.keep(tenant, transactionId, refusal);
  }

  /** As `open`, but stores nothing. */
  async judge(tenant: TenantContext, dto: AnyTrigger): Promise<OpenTrigger | Refusal> {
    const isHurried = dto.skipWaits === true;
    if (isHurried && (await this.environments.isProduction(tenant))) throw new WaitsNotSkippable();
    const workflow = await this.workflows.resolve(tenant, dto.name);
    if (workflow === undefined) {
      throw new TriggerNotFound(dto.name, await this.suggestions.nearest(tenant, dto.name));
    }
    const identifier = identifierOf(dto.tenant);
    const missing = missingReserved(workflow, { tenant: identifier !== undefined, actor: !isNone(dto.actor) });
    if (missing.length > 0) throw new TriggerIncomplete(missing);
    const found = identifier === undefined ? undefined : await this.tenants.findByIdentifier(tenant, identifier);
    const named = {
      name: dto.name,
      workflowId: workflow.id,
      ...(identifier !== undefined && { tenant: identifier }),
    };
    if (identifier !== undefined && found === undefined) {
      return { status: 'no_tenant_found', reason: TRIGGER_HINTS.no_tenant_found(identifier), ...named };
    }
    const { active, id, decidesActive } = await this.overrides.effective(tenant, workflow, found);
    const status = refusalStatus(workflow, active);
    if (status !== undefined) {
      const byOverride = status === 'trigger_not_active' && decidesActive === true ? id : undefined;
      const reason = byOverride === undefined ? TRIGGER_HINTS[status]() : offByOverride(byOverride, identifier);
      return { status, reason, ...named, ...(byOverride !== undefined && { overrideId: byOverride }) };
    }
    return { workflow, ...(identifier !== undefined && { tenant: identifier }), ...(found && { found }) };
  }

  private async updateTenant(
    tenant: TenantContext,
    found: TenantResponse,
    given: TriggerBaseDto['tenant'],
  ): Promise<void> {
    const changes = tenantChanges(found, given);
    if (Object.keys(changes).length > 0) await this.tenants.update(tenant, found.identifier, changes);
  }
}

export function tenantChanges(
  found: TenantResponse,
  given: TriggerBaseDto['tenant'],
): { name?: string; data?: Record<string, unknown> } {
  if (typeof given !== 'object' || given === null) return {};
  const { name, data } = given;
  return {
    ...(isGiven(name) && name !== found.name && { name }),
    ...(isGiven(data) && JSON.stringify(data) !== JSON.stringify(found.data) && { data }),
  };
}

function identifierOf(tenant: TriggerBaseDto['tenant']): string | undefined {
  return typeof tenant === 'object' ? tenant?.identifier : tenant || undefined;
}

export function refusalStatus(
  workflow: Pick<ResolvedWorkflow, 'steps'>,
  isActive: boolean,
): 'trigger_not_active' | 'no_workflow_steps_defined' | 'no_workflow_active_steps_defined' | undefined {
  if (!isActive) return 'trigger_not_active';
  if (workflow.steps.length === 0) return 'no_workflow_steps_defined';
  return workflow.steps.some(({ active }) => active) ? undefined : 'no_workflow_active_steps_defined';
}

function missingReserved(
  workflow: Pick<ResolvedWorkflow, 'trigger'>,
  given: { readonly tenant: boolean; readonly actor: boolean },
): string[] {
  return workflow.trigger.reservedVariables.filter(({ type }) => !given[type]).map(({ type }) => `${type} object`);
}

/** Callers that have no actor or tenant may send an empty text. */
function isNone(value: unknown): boolean {
  return !isGiven(value) || value === '';
}
