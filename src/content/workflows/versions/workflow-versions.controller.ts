import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  type PipeTransform,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import {
  ApiData,
  ApiErrors,
  ApiPage,
  Audited,
  HidesUrlSecrets,
  IdParam,
  IfMatch,
  lookAt,
  type Page,
  PageQuery,
  Tenant,
  ValidationFailed,
  VersionTagInterceptor,
} from '#libs/http-kit';
import { WorkflowsService } from '../workflows.service.js';
import { NotificationGroupNotFound } from '../../notification-groups/index.js';
import { WorkflowResponse } from '../workflow.response.js';
import {
  WorkflowChangedMeanwhile,
  WorkflowIdentifierTaken,
  WorkflowNotFound,
  WorkflowProtected,
  WorkflowVersionChanged,
  WorkflowVersionNotFound,
} from '../workflows.errors.js';
import { WorkflowRestoresService } from './workflow-restores.service.js';
import { CompareVersionDto, RestoreVersionDto } from './workflow-version.dto.js';
import { WorkflowVersionDetailsResponse, WorkflowVersionResponse } from './workflow-version.response.js';
import { WorkflowVersionsService } from './workflow-versions.service.js';

const VERSION = /^\d{1,15}$/;

class VersionPipe implements PipeTransform<string, number> {
  transform(value: string): number {
    if (!VERSION.test(value)) throw new ValidationFailed(['version must be the number of a version']);
    return Number(value);
  }
}

const VERSION_PARAM = { name: 'version', schema: { type: 'integer', minimum: 0 } } as const;

@ApiTags('Workflows')
@Controller({ path: 'workflows/:workflowId/versions', version: '1' })
@Audited('workflow', { look: lookAt(WorkflowsService, (workflows, caller, id) => workflows.get(caller, id)) })
@HidesUrlSecrets('definition', 'differences')
export class WorkflowVersionsController {
  constructor(
    private readonly versions: WorkflowVersionsService,
    private readonly restores: WorkflowRestoresService,
  ) {}

  /**
   * Lists the versions of a workflow, newest first.
   * @remarks Each change of a workflow saves a version. The first row is the current state. The setting
   * `WORKFLOW_VERSIONS` limits how many are kept.
   */
  @Get()
  @ApiPage(WorkflowVersionResponse)
  @ApiErrors(WorkflowNotFound)
  listWorkflowVersions(
    @Tenant() tenant: TenantContext,
    @IdParam('workflowId') workflowId: string,
    @Query() query: PageQuery,
  ): Promise<Page<WorkflowVersionResponse>> {
    return this.versions.list(tenant, workflowId, query);
  }

  /**
   * Gets a version of a workflow.
   * @remarks Shows what the version changed, or how it differs from the version `since`.
   */
  @Get(':version')
  @ApiParam(VERSION_PARAM)
  @ApiData(200, WorkflowVersionDetailsResponse)
  @ApiErrors(WorkflowNotFound, WorkflowVersionNotFound)
  getWorkflowVersion(
    @Tenant() tenant: TenantContext,
    @IdParam('workflowId') workflowId: string,
    @Param('version', new VersionPipe()) version: number,
    @Query() { since }: CompareVersionDto,
  ): Promise<WorkflowVersionDetailsResponse> {
    return this.versions.get(tenant, workflowId, version, since);
  }

  /**
   * Restores a version of a workflow.
   * @remarks Saves a new version with the content of this one; the versions in between stay. Whether the workflow is
   * active does not change. Events that were already triggered continue with the version that they began with.
   */
  @Post(':version/restore')
  @HttpCode(200)
  @UseInterceptors(VersionTagInterceptor)
  @ApiParam(VERSION_PARAM)
  @ApiData(200, WorkflowResponse)
  @ApiErrors(
    NotificationGroupNotFound,
    WorkflowNotFound,
    WorkflowVersionNotFound,
    WorkflowVersionChanged,
    WorkflowChangedMeanwhile,
    WorkflowIdentifierTaken,
    WorkflowProtected,
  )
  restoreWorkflowVersion(
    @Tenant() tenant: TenantContext,
    @IdParam('workflowId') workflowId: string,
    @Param('version', new VersionPipe()) version: number,
    @Body() { note }: RestoreVersionDto,
    @IfMatch() ifMatch?: readonly number[],
  ): Promise<WorkflowResponse> {
    return this.restores.restore(tenant, workflowId, { version, note, ifMatch });
  }
}
