import { Body, Controller, Put, UseInterceptors } from '@nestjs/common';
import {
  ApiData,
  ApiErrors,
  Audited,
  IdParam,
  IfMatch,
  lookAt,
  NothingToUpdate,
  Tenant,
  VersionTagInterceptor,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { UpdateNotificationTemplateDto } from './workflow.dto.js';
import { WorkflowResponse } from './workflow.response.js';
import { WorkflowsController } from './workflows.controller.js';
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

/** The workflows under the path that older clients use. Their updates name only what changes. */
@Controller({ path: 'notification-templates', version: '1' })
@Audited('workflow', { look: lookAt(WorkflowsService, (workflows, caller, id) => workflows.get(caller, id)) })
export class NotificationTemplatesController extends WorkflowsController {
  constructor(private readonly templates: WorkflowsService) {
    super(templates);
  }

  /**
   * Updates a workflow.
   * @remarks Absent fields are unchanged. `steps` replaces the whole list; steps that refer to an existing one by `_id`
   * or `uuid` keep their id. `preferenceSettings` is merged.
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
  override updateWorkflow(
    @Tenant() tenant: TenantContext,
    @IdParam('workflowId') workflowId: string,
    @Body() dto: UpdateNotificationTemplateDto,
    @IfMatch() ifMatch?: readonly number[],
  ): Promise<WorkflowResponse> {
    return this.templates.update(tenant, workflowId, dto, ifMatch);
  }
}
