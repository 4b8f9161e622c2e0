import { Body, Controller, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/common';
import { ApiData, ApiErrors, Audited, Tenant } from '#libs/http-kit';
import { PromotionNeedsPerson, PromotionOutdated } from '../../content/promotions/index.js';
import { WorkflowNotFound } from '../../content/workflows/index.js';
import { EnvironmentClosed } from '../../people/users/index.js';
import { EnvironmentNotFound } from '../../platform/environments/index.js';
import { SyncWorkflowV2Dto, WorkflowV2Response } from '../workflows/index.js';
import { EnvironmentsV2Service } from './environments-v2.service.js';

@ApiTags('v2')
@Controller({ path: 'workflows/:workflowId/sync', version: '2' })
@Audited('promotion')
export class WorkflowSyncController {
  constructor(private readonly service: EnvironmentsV2Service) {}

  /**
   * Promotes a workflow into another environment.
   * @remarks With the notification group, feeds and layouts that it names. For people who are signed in.
   */
  @Put()
  @ApiData(200, WorkflowV2Response)
  @ApiErrors(PromotionNeedsPerson, PromotionOutdated, EnvironmentClosed, EnvironmentNotFound, WorkflowNotFound)
  syncWorkflowV2(
    @Tenant() caller: Caller,
    @Param('workflowId') workflowId: string,
    @Body() { targetEnvironmentId }: SyncWorkflowV2Dto,
  ): Promise<WorkflowV2Response> {
    return this.service.sync(caller, workflowId, targetEnvironmentId);
  }
}
