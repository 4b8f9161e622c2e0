import { Body, Controller, Delete, Get, Param, Post, Put, Query, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiDataValue,
  ApiErrors,
  ApiPage,
  Audited,
  HidesUrlSecrets,
  IdParam,
  IfMatch,
  lookAt,
  NothingToUpdate,
  type Page,
  Tenant,
  VersionTagInterceptor,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { CreateWorkflowDto } from './workflow.dto.js';
import { ListWorkflowsDto } from './workflow.dto.js';
import { UpdateWorkflowDto } from './workflow.dto.js';
import { WorkflowStatusDto } from './workflow.dto.js';
import { WorkflowVariablesResponse } from './workflow.response.js';
import { WorkflowResponse, WorkflowSummaryResponse } from './workflow.response.js';
import { SameNameInterceptor } from './same-name.interceptor.js';
import { SwitchesInterceptor } from './switches.interceptor.js';
import { WorkflowsService } from './workflows.service.js';
import { NotificationGroupNotFound } from '../notification-groups/index.js';
import {
  StepsNotRunnable,
  WorkflowChangedMeanwhile,
  WorkflowIdentifierTaken,
  WorkflowInUse,
  WorkflowNotFound,
  WorkflowProtected,
  WorkflowTooLarge,
  WorkflowVersionChanged,
} from './workflows.errors.js';

@ApiTags('Workflows')
@Controller({ path: 'workflows', version: '1' })
@Audited('workflow', { look: lookAt(WorkflowsService, (workflows, caller, id) => workflows.get(caller, id)) })
@HidesUrlSecrets('steps')
export class WorkflowsController {
  constructor(private readonly workflows: WorkflowsService) {}

  /**
   * Creates a workflow.
   * @remarks A workflow is a list of steps: channels that send (`in_app`, `email`, `sms`, `chat`, `push`), `digest`,
   * which collects events, and `delay`. Only active workflows can be triggered. The trigger identifier is generated
   * from the name, with a random suffix if another workflow has it already: `triggers` in the answer shows it, and the header
   * `Herald-Warning` has both.
   */
  @Post()
  @UseInterceptors(SameNameInterceptor)
  @ApiData(201, WorkflowResponse)
  @ApiErrors(NotificationGroupNotFound, WorkflowTooLarge, StepsNotRunnable, WorkflowProtected)
  createWorkflow(@Tenant() tenant: TenantContext, @Body() dto: CreateWorkflowDto): Promise<WorkflowResponse> {
    return this.workflows.create(tenant, dto);
  }

  /** Lists the workflows, newest first. */
  @Get()
  @ApiPage(WorkflowSummaryResponse, { total: true })
  listWorkflows(
    @Tenant() tenant: TenantContext,
    @Query() query: ListWorkflowsDto,
  ): Promise<Page<WorkflowSummaryResponse>> {
    return this.workflows.list(tenant, query);
  }

  /** Lists the variables that every template can use in addition to the payload. */
  @Get('variables')
  @ApiData(200, WorkflowVariablesResponse)
  listWorkflowVariables(): WorkflowVariablesResponse {
    return new WorkflowVariablesResponse();
  }

  /**
   * Gets a workflow.
   * @remarks Identify the workflow by its record id or its trigger identifier. The header `ETag` names the version, `__v`.
   */
  @Get(':workflowId')
  @UseInterceptors(VersionTagInterceptor)
  @ApiData(200, WorkflowResponse)
  @ApiErrors(WorkflowNotFound)
  getWorkflow(@Tenant() tenant: TenantContext, @Param('workflowId') workflowId: string): Promise<WorkflowResponse> {
    return this.workflows.get(tenant, workflowId);
  }

  /**
   * Updates a workflow.
   * @remarks Absent fields are unchanged. `steps` replaces the whole list; steps that refer to an existing one by `_id`
   * or `uuid` keep their id. `preferenceSettings` is merged. Each change saves a version, which `note` describes. With
   * `If-Match` and the `ETag` of an earlier answer, a workflow that was changed in the meantime is not overwritten.
   */
  @Put(':workflowId')
  @UseInterceptors(SwitchesInterceptor, VersionTagInterceptor)
  @ApiData(200, WorkflowResponse)
  @ApiErrors(
    NothingToUpdate,
    NotificationGroupNotFound,
    WorkflowNotFound,
    WorkflowChangedMeanwhile,
    WorkflowIdentifierTaken,
    WorkflowInUse,
    WorkflowTooLarge,
    WorkflowVersionChanged,
    StepsNotRunnable,
    WorkflowProtected,
  )
  updateWorkflow(
    @Tenant() tenant: TenantContext,
    @IdParam('workflowId') workflowId: string,
    @Body() dto: UpdateWorkflowDto,
    @IfMatch() ifMatch?: readonly number[],
  ): Promise<WorkflowResponse> {
    return this.workflows.update(tenant, workflowId, dto, ifMatch);
  }

  /**
   * Switches a workflow on or off.
   * @remarks Sets `draft` to the opposite of `active`.
   */
  @Put(':workflowId/status')
  @ApiData(200, WorkflowResponse)
  @ApiErrors(WorkflowNotFound, WorkflowChangedMeanwhile, WorkflowProtected)
  updateWorkflowStatus(
    @Tenant() tenant: TenantContext,
    @IdParam('workflowId') workflowId: string,
    @Body() { active }: WorkflowStatusDto,
  ): Promise<WorkflowResponse> {
    return this.workflows.setStatus(tenant, workflowId, active);
  }

  /**
   * Deletes a workflow and its overrides.
   * @remarks A workflow that sends the digest of a budget is refused. The trigger identifier becomes available again. Events that were already triggered continue.
   */
  @Delete(':workflowId')
  @ApiDataValue(200, { type: 'boolean', enum: [true] })
  @ApiErrors(WorkflowNotFound, WorkflowChangedMeanwhile, WorkflowInUse, WorkflowProtected)
  deleteWorkflow(@Tenant() tenant: TenantContext, @IdParam('workflowId') workflowId: string): Promise<true> {
    return this.workflows.remove(tenant, workflowId);
  }
}
