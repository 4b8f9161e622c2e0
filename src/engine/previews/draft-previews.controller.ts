import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiErrors, NeedsScope, NotAudited, Tenant } from '#libs/http-kit';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { TenantNotFound } from '../../audience/tenants/index.js';
import { WorkflowNotFound } from '../../content/workflows/index.js';
import { RenderingIsBusy } from '../delivery/index.js';
import { StepNotFound } from './previews.errors.js';
import { PreviewDraftStepDto } from './step-preview.dto.js';
import { StepPreviewResponse } from './step-preview.response.js';
import { StepPreviewsService } from './step-previews.service.js';

@ApiTags('Workflows')
@Controller({ path: 'workflows/:workflowId/steps', version: '1' })
@NotAudited('changes nothing')
export class DraftPreviewsController {
  constructor(private readonly previews: StepPreviewsService) {}

  /**
   * Previews a step that is not stored.
   * @remarks Renders the step of the request as a step of this workflow would be rendered. Nothing is stored or sent. For a
   * step behind a digest, `events` are the payloads that the digest has collected.
   */
  @Post('preview')
  @HttpCode(200)
  @NeedsScope('read')
  @ApiData(200, StepPreviewResponse)
  @ApiErrors(RenderingIsBusy, StepNotFound, SubscriberNotFound, TenantNotFound, WorkflowNotFound)
  previewDraftStep(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Body() dto: PreviewDraftStepDto,
  ): Promise<StepPreviewResponse> {
    return this.previews.previewDraft(tenant, workflowId, dto);
  }
}
