import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { isGiven } from '#libs/validation';
import { type TenantResponse, TenantsService } from '../../management/tenants/index.js';
import { WorkflowOverridesService } from '../../management/workflow-overrides/index.js';
import { type ResolvedWorkflow, WorkflowsService } from '../../management/workflows/index.js';
import type { TriggerBaseDto } from './event.dto.js';
import { TriggerIncomplete, TriggerNotFound } from './events.errors.js';
import { missingReserved, refusalStatus } from './trigger-checks.js';
import { type Refusal, RefusedTriggers } from './refused-triggers.js';
import { isNone } from './trigger.schema.js';

export interface OpenTrigger {
  readonly workflow: ResolvedWorkflow;
  readonly tenant?: string;
  /** As stored. */
  readonly found?: TenantResponse;
}

const REASONS = {
  trigger_not_active: 'The workflow is not active. Switch it on with PUT /v1/workflows/{workflowId}/status.',
  no_workflow_steps_defined: 'The workflow has no steps. Give it some with PUT /v1/workflows/{workflowId}.',
  no_workflow_active_steps_defined:
    'No step of the workflow is active. Switch one on with PUT /v1/workflows/{workflowId}.',
} as const;

function offByOverride(id: string, tenant: string | undefined): string {
  return `The workflow override '${id}' switches the workflow off for the tenant '${tenant}'. Change it with PUT /v1/workflow-overrides/{overrideId}.`;
}

@Injectable()
export class TriggerGate {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly tenants: TenantsService,
    private readonly overrides: WorkflowOverridesService,
    private readonly refused: RefusedTriggers,
  ) {}

  /**
   * @returns the status of a refusal, which is stored, if nothing will be delivered
   * @throws {TriggerNotFound} @throws {TriggerIncomplete}
   */
  async open(
    tenant: TenantContext,
    dto: TriggerBaseDto,
    transactionId: string,
  ): Promise<OpenTrigger | Refusal['status']> {
    const judged = await this.judge(tenant, dto);
    if ('status' in judged) {
      await this.refuse(tenant, transactionId, judged);
      return judged.status;
    }
    if (judged.found) await this.updateTenant(tenant, judged.found, dto.tenant);
    return judged;
  }

  refuse(tenant: TenantContext, transactionId: string, refusal: Refusal): Promise<void> {
    return this.refused.keep(tenant, transactionId, refusal);
  }

  /** As `open`, but stores nothing. @throws {TriggerNotFound} @throws {TriggerIncomplete} */
  async judge(tenant: TenantContext, dto: TriggerBaseDto): Promise<OpenTrigger | Refusal> {
    const workflow = await this.workflows.resolve(tenant, dto.name);
    if (workflow === undefined) throw new TriggerNotFound();
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
      const reason = `There is no tenant '${identifier}'. Create it with POST /v1/tenants.`;
      return { status: 'no_tenant_found', reason, ...named };
    }
    const { active, id, decidesActive } = await this.overrides.effective(tenant, workflow, found);
    const status = refusalStatus(workflow, active);
    if (status !== undefined) {
      const byOverride = status === 'trigger_not_active' && decidesActive === true ? id : undefined;
      const reason = byOverride === undefined ? REASONS[status] : offByOverride(byOverride, identifier);
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
