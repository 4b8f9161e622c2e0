import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/tenancy';
import { TenantsService } from '../tenants/index.js';
import { WorkflowOverridesService } from '../workflow-overrides/index.js';
import { type ResolvedWorkflow, WorkflowsService } from '../workflows/index.js';
import type { TriggerBaseDto } from './dto/trigger-event.dto.js';
import type { TriggerStatus } from './dto/trigger.response.js';
import { TriggerIncomplete, TriggerNotFound } from './events.errors.js';
import { missingReserved, refusalStatus } from './trigger-checks.js';

/** A trigger that may go on. */
export interface OpenTrigger {
  readonly workflow: ResolvedWorkflow;
  /** Identifier of the tenant. */
  readonly tenant?: string;
}

/** Decides whether a trigger may go on at all: workflow, reserved variables, tenant, override, steps (delivery-behaviour 1.4). */
@Injectable()
export class TriggerGate {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly tenants: TenantsService,
    private readonly overrides: WorkflowOverridesService,
  ) {}

  /** @returns the status instead when nothing is to be done. @throws {TriggerNotFound} @throws {TriggerIncomplete} */
  async open(tenant: TenantContext, dto: TriggerBaseDto): Promise<OpenTrigger | TriggerStatus> {
    const workflow = await this.workflows.resolve(tenant, dto.name);
    if (workflow === undefined) throw new TriggerNotFound();
    const identifier = identifierOf(dto.tenant);
    const missing = missingReserved(workflow, { tenant: identifier !== undefined, actor: isGiven(dto.actor) });
    if (missing.length > 0) throw new TriggerIncomplete(missing);
    const found = identifier === undefined ? undefined : await this.tenants.findByIdentifier(tenant, identifier);
    if (identifier !== undefined && found === undefined) return 'no_tenant_found';
    const { active } = await this.overrides.effective(tenant, workflow, found);
    const refusal = refusalStatus(workflow, active);
    if (refusal) return refusal;
    if (found) await this.updateTenant(tenant, found, dto.tenant);
    return { workflow, ...(identifier !== undefined && { tenant: identifier }) };
  }

  /** A tenant that is described is kept as described. */
  private async updateTenant(
    tenant: TenantContext,
    found: { identifier: string; name: string; data?: Record<string, unknown> },
    given: TriggerBaseDto['tenant'],
  ): Promise<void> {
    if (typeof given !== 'object' || given === null) return;
    const changes = {
      ...(typeof given['name'] === 'string' && given['name'] !== found.name && { name: given['name'] }),
      ...(isGiven(given['data']) &&
        JSON.stringify(given['data']) !== JSON.stringify(found.data) && {
          data: given['data'] as Record<string, unknown>,
        }),
    };
    if (Object.keys(changes).length > 0) await this.tenants.update(tenant, found.identifier, changes);
  }
}

function identifierOf(tenant: TriggerBaseDto['tenant']): string | undefined {
  if (typeof tenant === 'string') return tenant;
  return isGiven(tenant) ? (tenant as { identifier: string }).identifier : undefined;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
