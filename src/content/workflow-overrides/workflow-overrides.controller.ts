import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataValue, ApiErrors, ApiPage, Audited, IdParam, lookAt, type Page, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import {
  CreateWorkflowOverrideDto,
  ListWorkflowOverridesQuery,
  UpdateWorkflowOverrideDto,
} from './workflow-override.dto.js';
import { WorkflowOverrideResponse } from './workflow-override.response.js';
import { WorkflowOverridesService } from './workflow-overrides.service.js';
import { TenantNotFound } from '../../audience/tenants/index.js';
import { WorkflowNotFound } from '../workflows/index.js';
import {
  NoOverrideOfPair,
  WorkflowOverrideAlreadyExists,
  WorkflowOverrideNotFound,
} from './workflow-overrides.errors.js';

@ApiTags('Workflow overrides')
@Controller({ path: 'workflow-overrides', version: '1' })
@Audited('workflow-override', {
  look: lookAt(WorkflowOverridesService, (overrides, caller, id) => overrides.get(caller, id)),
})
export class WorkflowOverridesController {
  constructor(private readonly overrides: WorkflowOverridesService) {}

  /**
   * Creates the override of a workflow for a tenant.
   * @remarks An override switches a workflow, or single channels of it, on or off for one tenant. Identify workflow and
   * tenant by record id or identifier. Absent fields use the workflow's settings.
   */
  @Post()
  @HttpCode(200)
  @ApiData(200, WorkflowOverrideResponse)
  @ApiErrors(TenantNotFound, WorkflowNotFound, WorkflowOverrideAlreadyExists)
  createWorkflowOverride(
    @Tenant() tenant: TenantContext,
    @Body() dto: CreateWorkflowOverrideDto,
  ): Promise<WorkflowOverrideResponse> {
    return this.overrides.create(tenant, dto);
  }

  /** Lists the workflow overrides, newest first. */
  @Get()
  @ApiPage(WorkflowOverrideResponse)
  listWorkflowOverrides(
    @Tenant() tenant: TenantContext,
    @Query() query: ListWorkflowOverridesQuery,
  ): Promise<Page<WorkflowOverrideResponse>> {
    return this.overrides.list(tenant, query);
  }

  /** Gets a workflow override. */
  @Get(':overrideId')
  @ApiData(200, WorkflowOverrideResponse)
  @ApiErrors(WorkflowOverrideNotFound)
  getWorkflowOverride(
    @Tenant() tenant: TenantContext,
    @IdParam('overrideId') overrideId: string,
  ): Promise<WorkflowOverrideResponse> {
    return this.overrides.get(tenant, overrideId);
  }

  /**
   * Gets the override of a workflow for a tenant.
   * @remarks Identify workflow and tenant by record id or identifier.
   */
  @Get('workflows/:workflowId/tenants/:tenantId')
  @ApiData(200, WorkflowOverrideResponse)
  @ApiErrors(NoOverrideOfPair, TenantNotFound, WorkflowNotFound)
  getWorkflowOverrideByPair(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Param('tenantId') tenantId: string,
  ): Promise<WorkflowOverrideResponse> {
    return this.overrides.getByPair(tenant, { workflowId, tenantId });
  }

  /**
   * Updates the override of a workflow for a tenant.
   * @remarks Identify workflow and tenant by record id or identifier. Absent fields are unchanged; null restores the
   * workflow's setting.
   */
  @Put('workflows/:workflowId/tenants/:tenantId')
  @Audited('workflow-override', {
    look: lookAt(WorkflowOverridesService, (overrides, caller, workflowId, { tenantId = '' }) =>
      overrides.getByPair(caller, { workflowId, tenantId }),
    ),
  })
  @ApiData(200, WorkflowOverrideResponse)
  @ApiErrors(NoOverrideOfPair, TenantNotFound, WorkflowNotFound)
  updateWorkflowOverrideByPair(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Param('tenantId') tenantId: string,
    @Body() dto: UpdateWorkflowOverrideDto,
  ): Promise<WorkflowOverrideResponse> {
    return this.overrides.updateByPair(tenant, { workflowId, tenantId }, dto);
  }

  /**
   * Updates a workflow override.
   * @remarks Absent fields are unchanged; null restores the workflow's setting.
   */
  @Put(':overrideId')
  @ApiData(200, WorkflowOverrideResponse)
  @ApiErrors(WorkflowOverrideNotFound)
  updateWorkflowOverride(
    @Tenant() tenant: TenantContext,
    @IdParam('overrideId') overrideId: string,
    @Body() dto: UpdateWorkflowOverrideDto,
  ): Promise<WorkflowOverrideResponse> {
    return this.overrides.update(tenant, overrideId, dto);
  }

  /** Deletes a workflow override. */
  @Delete(':overrideId')
  @ApiDataValue(200, { type: 'boolean', enum: [true] })
  @ApiErrors(WorkflowOverrideNotFound)
  deleteWorkflowOverride(@Tenant() tenant: TenantContext, @IdParam('overrideId') overrideId: string): Promise<true> {
    return this.overrides.remove(tenant, overrideId);
  }
}
