import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Page } from '#libs/http-kit';
import { NEWEST_FIRST, onDuplicateKey, ownedBy, softDeleted, type TenantModel, toObjectId } from '#libs/persistence';
import type { TenantContext } from '#libs/common';
import { TenantNotFound, type TenantResponse, TenantsService } from '../../audience/tenants/index.js';
import { type ChannelSwitches, type ResolvedWorkflow, WorkflowNotFound, WorkflowsService } from '../workflows/index.js';
import type {
  CreateWorkflowOverrideDto,
  ListWorkflowOverridesQuery,
  UpdateWorkflowOverrideDto,
} from './workflow-override.dto.js';
import { showWorkflowOverride, type WorkflowOverrideResponse } from './workflow-override.response.js';
import { effectiveOverride, givenSwitches, overrideChange } from './effective-override.js';
import { WorkflowOverride } from './workflow-override.schema.js';
import {
  NoOverrideOfPair,
  WorkflowOverrideAlreadyExists,
  WorkflowOverrideNotFound,
} from './workflow-overrides.errors.js';

export interface OverridePair {
  readonly workflowId: string;
  readonly tenantId: string;
}

export interface TriggerOverride {
  readonly id?: string;
  readonly active: boolean;
  readonly decidesActive?: true;
  readonly preferenceSettings?: Partial<ChannelSwitches>;
}

interface Found {
  readonly workflow: ResolvedWorkflow;
  readonly filter: { _environmentId: string; _workflowId: string; _tenantId: string };
}

@Injectable()
export class WorkflowOverridesService {
  constructor(
    @InjectModel(WorkflowOverride.name) private readonly overrides: TenantModel<WorkflowOverride>,
    private readonly workflows: WorkflowsService,
    private readonly tenants: TenantsService,
  ) {}

  async create(tenant: TenantContext, dto: CreateWorkflowOverrideDto): Promise<WorkflowOverrideResponse> {
    const { workflow, filter } = await this.findPair(tenant, dto);
    const { active, preferenceSettings } = dto;
    const fields = {
      ...ownedBy(tenant),
      ...filter,
      ...(typeof active === 'boolean' && { active }),
      ...(preferenceSettings && { preferenceSettings: givenSwitches(preferenceSettings) }),
    };
    const row = await this.overrides.create(fields).catch(
      onDuplicateKey(() => {
        throw new WorkflowOverrideAlreadyExists(dto.workflowId, dto.tenantId);
      }),
    );
    return present(row.toObject(), workflow);
  }

  async list(
    tenant: TenantContext,
    { page, limit, workflowId }: ListWorkflowOverridesQuery,
  ): Promise<Page<WorkflowOverrideResponse>> {
    const of = workflowId === undefined ? undefined : await this.workflows.findByIdOrIdentifier(tenant, workflowId);
    if (workflowId !== undefined && of === undefined) return new Page([], page, limit, false);
    const filter = of === undefined ? {} : { _workflowId: toObjectId(of.id) };
    const { rows, hasMore } = await this.overrides.page(tenant, filter, { page, limit, sort: NEWEST_FIRST });
    const workflows = await this.workflows.findByIds(
      tenant,
      rows.map((row) => row._workflowId.toHexString()),
    );
    const data = rows.map((row) => present(row, workflows.get(row._workflowId.toHexString())));
    return new Page(data, page, limit, hasMore);
  }

  async get(tenant: TenantContext, id: string): Promise<WorkflowOverrideResponse> {
    const row = await this.overrides.findOne({ _id: id, _environmentId: tenant.environmentId }).lean().exec();
    if (row === null) throw new WorkflowOverrideNotFound(id);
    return this.withWorkflow(tenant, row);
  }

  async getByPair(tenant: TenantContext, pair: OverridePair): Promise<WorkflowOverrideResponse> {
    const { workflow, filter } = await this.findPair(tenant, pair);
    const row = await this.overrides.findOne(filter).lean().exec();
    if (row === null) throw new NoOverrideOfPair(pair.workflowId, pair.tenantId);
    return present(row, workflow);
  }

  async update(tenant: TenantContext, id: string, dto: UpdateWorkflowOverrideDto): Promise<WorkflowOverrideResponse> {
    const row = await this.write({ _id: id, _environmentId: tenant.environmentId }, dto);
    if (row === null) throw new WorkflowOverrideNotFound(id);
    return this.withWorkflow(tenant, row);
  }

  /** Never creates one. */
  async updateByPair(
    tenant: TenantContext,
    pair: OverridePair,
    dto: UpdateWorkflowOverrideDto,
  ): Promise<WorkflowOverrideResponse> {
    const { workflow, filter } = await this.findPair(tenant, pair);
    const row = await this.write(filter, dto);
    if (row === null) throw new NoOverrideOfPair(pair.workflowId, pair.tenantId);
    return present(row, workflow);
  }

  async remove(tenant: TenantContext, id: string): Promise<true> {
    const { matchedCount } = await this.overrides.updateOne(
      { _id: id, _environmentId: tenant.environmentId },
      softDeleted(tenant.apiKeyId, new Date()),
    );
    if (matchedCount === 0) throw new WorkflowOverrideNotFound(id);
    return true;
  }

  async removeAllOf(tenant: TenantContext, of: { _workflowId: string } | { _tenantId: string }): Promise<void> {
    await this.overrides.updateMany(
      { _environmentId: tenant.environmentId, ...of },
      softDeleted(tenant.apiKeyId, new Date()),
    );
  }

  /**
   * Without an override, the workflow's own settings.
   * @param tenantRecord undefined if the trigger names no tenant
   */
  async effective(
    tenant: TenantContext,
    workflow: Pick<ResolvedWorkflow, 'id' | 'active'>,
    tenantRecord?: Pick<TenantResponse, '_id'>,
  ): Promise<TriggerOverride> {
    if (tenantRecord === undefined) return { active: workflow.active };
    const filter = { _environmentId: tenant.environmentId, _workflowId: workflow.id, _tenantId: tenantRecord._id };
    const override = await this.overrides.findOne(filter).lean().exec();
    const preferenceSettings = override?.preferenceSettings;
    return {
      ...(override && { id: override._id.toHexString() }),
      active: override?.active ?? workflow.active,
      ...(typeof override?.active === 'boolean' && { decidesActive: true }),
      ...(preferenceSettings && { preferenceSettings }),
    };
  }

  private async findPair(tenant: TenantContext, { workflowId, tenantId }: OverridePair): Promise<Found> {
    const [workflow, record] = await Promise.all([
      this.workflows.findByIdOrIdentifier(tenant, workflowId),
      this.tenants.findByIdOrIdentifier(tenant, tenantId),
    ]);
    if (workflow === undefined) throw new WorkflowNotFound(workflowId);
    if (record === undefined) throw new TenantNotFound(tenantId);
    return {
      workflow,
      filter: { _environmentId: tenant.environmentId, _workflowId: workflow.id, _tenantId: record._id },
    };
  }

  private write(
    filter: { _environmentId: string; _id?: string },
    dto: UpdateWorkflowOverrideDto,
  ): Promise<WorkflowOverride | null> {
    return this.overrides.findOneAndUpdate(filter, overrideChange(dto), { returnDocument: 'after' }).lean().exec();
  }

  private async withWorkflow(tenant: TenantContext, row: WorkflowOverride): Promise<WorkflowOverrideResponse> {
    const workflowId = row._workflowId.toHexString();
    const workflows = await this.workflows.findByIds(tenant, [workflowId]);
    return present(row, workflows.get(workflowId));
  }
}

function present(row: WorkflowOverride, workflow: ResolvedWorkflow | undefined): WorkflowOverrideResponse {
  return showWorkflowOverride(row, effectiveOverride(row, workflow));
}
