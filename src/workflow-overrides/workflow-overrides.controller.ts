import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataValue, ApiErrors, ApiPage, IdParam, type Page, PageQuery, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/tenancy';
import { CreateWorkflowOverrideDto } from './dto/create-workflow-override.dto.js';
import { UpdateWorkflowOverrideDto } from './dto/update-workflow-override.dto.js';
import { WorkflowOverrideResponse } from './dto/workflow-override.response.js';
import { WorkflowOverridesService } from './workflow-overrides.service.js';

@ApiTags('Workflow overrides')
@Controller({ path: 'workflow-overrides', version: '1' })
export class WorkflowOverridesController {
  constructor(private readonly overrides: WorkflowOverridesService) {}

  /** Creates what is different about a workflow for one tenant. */
  @Post()
  @HttpCode(200)
  @ApiData(200, WorkflowOverrideResponse)
  @ApiErrors(400, 404, 409)
  createWorkflowOverride(
    @Tenant() tenant: TenantContext,
    @Body() dto: CreateWorkflowOverrideDto,
  ): Promise<WorkflowOverrideResponse> {
    return this.overrides.create(tenant, dto);
  }

  /** Lists the workflow overrides of the environment, newest first. */
  @Get()
  @ApiPage(WorkflowOverrideResponse)
  @ApiErrors(400)
  listWorkflowOverrides(
    @Tenant() tenant: TenantContext,
    @Query() query: PageQuery,
  ): Promise<Page<WorkflowOverrideResponse>> {
    return this.overrides.list(tenant, query);
  }

  /** Shows one workflow override. */
  @Get(':overrideId')
  @ApiData(200, WorkflowOverrideResponse)
  @ApiErrors(400, 404)
  getWorkflowOverride(
    @Tenant() tenant: TenantContext,
    @IdParam('overrideId') overrideId: string,
  ): Promise<WorkflowOverrideResponse> {
    return this.overrides.get(tenant, overrideId);
  }

  /** Shows the override of a workflow and a tenant, each by id or identifier. */
  @Get('workflows/:workflowId/tenants/:tenantId')
  @ApiData(200, WorkflowOverrideResponse)
  @ApiErrors(404)
  getWorkflowOverrideByPair(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Param('tenantId') tenantId: string,
  ): Promise<WorkflowOverrideResponse> {
    return this.overrides.getByPair(tenant, { workflowId, tenantId });
  }

  /** Changes the override of a workflow and a tenant, each by id or identifier. */
  @Put('workflows/:workflowId/tenants/:tenantId')
  @ApiData(200, WorkflowOverrideResponse)
  @ApiErrors(400, 404)
  updateWorkflowOverrideByPair(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Param('tenantId') tenantId: string,
    @Body() dto: UpdateWorkflowOverrideDto,
  ): Promise<WorkflowOverrideResponse> {
    return this.overrides.updateByPair(tenant, { workflowId, tenantId }, dto);
  }

  /** Changes a workflow override. */
  @Put(':overrideId')
  @ApiData(200, WorkflowOverrideResponse)
  @ApiErrors(400, 404)
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
  @ApiErrors(400, 404)
  deleteWorkflowOverride(@Tenant() tenant: TenantContext, @IdParam('overrideId') overrideId: string): Promise<true> {
    return this.overrides.remove(tenant, overrideId);
  }
}
