import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiErrors, IdParam, NeedsScope, NotAudited, NothingToUpdate, Tenant } from '#libs/http-kit';
import {
  StepsNotRunnable,
  UpdateWorkflowDto,
  WorkflowNotFound,
  WorkflowTooLarge,
} from '../../content/workflows/index.js';
import { RenderingIsBusy } from '../delivery/index.js';
import { ImpactQuery } from './impact.dto.js';
import { ImpactResponse } from './impact.response.js';
import { ImpactService } from './impact.service.js';
import { ImpactBusy } from './previews.errors.js';

@ApiTags('Workflows')
@Controller({ path: 'workflows/:workflowId/impact', version: '1' })
@NotAudited('changes nothing')
export class ImpactController {
  constructor(private readonly impact: ImpactService) {}

  /**
   * Previews what a change would make of recent notifications.
   * @remarks Takes the body of an update. The notifications of the workflow of the last seven days are carried out twice without
   * storing or sending anything, by the workflow as it is stored and with the change, with the subscribers, preferences and
   * integrations of now. The answer has those whose subscriber would get another result, and counts those with other texts.
   * Webhooks of conditions are not asked. With `next` as `cursor` and the same body, the next request goes on; of many
   * notifications, all requests together look at an even sample. One request of an environment is carried out at a time.
   */
  @Post()
  @HttpCode(200)
  @NeedsScope('read')
  @ApiData(200, ImpactResponse)
  @ApiErrors(ImpactBusy, NothingToUpdate, RenderingIsBusy, StepsNotRunnable, WorkflowNotFound, WorkflowTooLarge)
  previewWorkflowImpact(
    @Tenant() tenant: TenantContext,
    @IdParam('workflowId') workflowId: string,
    @Body() dto: UpdateWorkflowDto,
    @Query() query: ImpactQuery,
  ): Promise<ImpactResponse> {
    return this.impact.preview(tenant, workflowId, dto, query);
  }
}
