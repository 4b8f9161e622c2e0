import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import type { Caller, TenantContext } from '#libs/common';
import { ApiData, ApiErrors, Audited, HidesUrlSecrets, lookAt, NeedsScope, NotAudited, Tenant } from '#libs/http-kit';
import {
  StepsNotRunnable,
  WorkflowChangedMeanwhile,
  WorkflowIdentifierTaken,
  WorkflowInUse,
  WorkflowNotFound,
  WorkflowProtected,
  WorkflowsService,
  WorkflowTooLarge,
} from '../../content/workflows/index.js';
import { StepNotFound } from '../../engine/previews/index.js';
import { RenderingIsBusy } from '../../engine/delivery/index.js';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { FieldNotServed } from '../not-served/index.js';
import { ListWorkflowsV2Query } from './list-workflows-v2.dto.js';
import { CreateWorkflowV2Dto, PatchWorkflowV2Dto, PreviewStepV2Dto, UpdateWorkflowV2Dto } from './workflow-v2.dto.js';
import {
  StepPreviewV2Response,
  StepV2Response,
  WorkflowListV2Response,
  WorkflowV2Response,
} from './workflow-v2.response.js';
import { ControlsNotServed, WorkflowBeyondControls } from './workflows-v2.errors.js';
import { WorkflowsV2Service } from './workflows-v2.service.js';

@ApiTags('v2')
@Controller({ path: 'workflows', version: '2' })
@Audited('workflow', { look: lookAt(WorkflowsService, (workflows, caller, id) => workflows.get(caller, id)) })
@HidesUrlSecrets('steps', 'controls', 'controlValues')
export class WorkflowsV2Controller {
  constructor(private readonly service: WorkflowsV2Service) {}

  /**
   * Creates a workflow.
   * @remarks Its texts are Liquid. What steps of Herald cannot have, such as blocks of a mail editor, is refused with 422.
   */
  @Post()
  @ApiData(201, WorkflowV2Response, 'Created')
  @ApiErrors(
    ControlsNotServed,
    FieldNotServed,
    StepsNotRunnable,
    WorkflowChangedMeanwhile,
    WorkflowIdentifierTaken,
    WorkflowTooLarge,
    WorkflowProtected,
  )
  createWorkflowV2(@Tenant() tenant: TenantContext, @Body() dto: CreateWorkflowV2Dto): Promise<WorkflowV2Response> {
    return this.service.create(tenant, dto);
  }

  /** Lists workflows, newest first. */
  @Get()
  @ApiData(200, WorkflowListV2Response)
  @ApiErrors(FieldNotServed)
  listWorkflowsV2(
    @Tenant() tenant: TenantContext,
    @Query() query: ListWorkflowsV2Query,
  ): Promise<WorkflowListV2Response> {
    return this.service.list(tenant, query);
  }

  /** Gets a workflow by its id or trigger identifier. */
  @Get(':workflowId')
  @ApiData(200, WorkflowV2Response)
  @ApiErrors(WorkflowNotFound)
  getWorkflowV2(@Tenant() tenant: TenantContext, @Param('workflowId') workflowId: string): Promise<WorkflowV2Response> {
    return this.service.get(tenant, workflowId);
  }

  /**
   * Replaces a workflow.
   * @remarks Steps keep their ids by `_id` or `stepId`. A workflow of which this interface cannot say everything is refused with 422, so
   * that nothing of it gets lost.
   */
  @Put(':workflowId')
  @ApiData(200, WorkflowV2Response)
  @ApiErrors(
    ControlsNotServed,
    FieldNotServed,
    StepsNotRunnable,
    WorkflowBeyondControls,
    WorkflowChangedMeanwhile,
    WorkflowNotFound,
    WorkflowTooLarge,
    WorkflowProtected,
  )
  updateWorkflowV2(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Body() dto: UpdateWorkflowV2Dto,
  ): Promise<WorkflowV2Response> {
    return this.service.update(tenant, workflowId, dto);
  }

  /**
   * Changes a workflow without its steps.
   * @remarks Absent fields are unchanged.
   */
  @Patch(':workflowId')
  @ApiData(200, WorkflowV2Response)
  @ApiErrors(
    FieldNotServed,
    StepsNotRunnable,
    WorkflowChangedMeanwhile,
    WorkflowNotFound,
    WorkflowTooLarge,
    WorkflowProtected,
  )
  patchWorkflowV2(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Body() dto: PatchWorkflowV2Dto,
  ): Promise<WorkflowV2Response> {
    return this.service.patch(tenant, workflowId, dto);
  }

  /** Deletes a workflow. */
  @Delete(':workflowId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(WorkflowChangedMeanwhile, WorkflowInUse, WorkflowNotFound, WorkflowProtected)
  deleteWorkflowV2(@Tenant() caller: Caller, @Param('workflowId') workflowId: string): Promise<void> {
    return this.service.remove(caller, workflowId);
  }

  /** Gets a step by its id or identifier. */
  @Get(':workflowId/steps/:stepId')
  @ApiData(200, StepV2Response)
  @ApiErrors(StepNotFound, WorkflowNotFound)
  getWorkflowStepV2(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Param('stepId') stepId: string,
  ): Promise<StepV2Response> {
    return this.service.step(tenant, workflowId, stepId);
  }

  /**
   * Previews a step.
   * @remarks Nothing is stored or sent. Layouts are left out.
   */
  @Post(':workflowId/step/:stepId/preview')
  @NotAudited('changes nothing')
  @NeedsScope('read')
  @ApiData(201, StepPreviewV2Response)
  @ApiErrors(ControlsNotServed, RenderingIsBusy, StepNotFound, SubscriberNotFound, WorkflowNotFound)
  previewStepV2(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Param('stepId') stepId: string,
    @Body() dto: PreviewStepV2Dto,
  ): Promise<StepPreviewV2Response> {
    return this.service.preview(tenant, workflowId, stepId, dto);
  }
}
