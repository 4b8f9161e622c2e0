import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiErrors, Audited, NeedsScope, NotAudited, Tenant } from '#libs/http-kit';
import { PreviewStepDto, TestStepDto } from './step-preview.dto.js';
import { StepPreviewResponse, TestSendResponse } from './step-preview.response.js';
import { StepPreviewsService } from './step-previews.service.js';
import { TestSendsService } from './test-sends.service.js';
import { StepNotFound, StepNotTestable, VariantNotFound } from './previews.errors.js';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { TenantNotFound } from '../../audience/tenants/index.js';
import { WorkflowNotFound } from '../../content/workflows/index.js';
import { RenderingIsBusy } from '../delivery/index.js';

@ApiTags('Workflows')
@ApiErrors(StepNotFound, SubscriberNotFound, TenantNotFound, VariantNotFound, WorkflowNotFound)
@Controller({ path: 'workflows/:workflowId/steps/:stepId', version: '1' })
export class StepPreviewsController {
  constructor(
    private readonly previews: StepPreviewsService,
    private readonly tests: TestSendsService,
  ) {}

  /**
   * Previews a step.
   * @remarks Renders the step as a delivery would, with its layout, whatever its conditions and the preferences and
   * addresses of the subscriber. Nothing is stored or sent. The faults of a template are part of the response, with line
   * and column where they have one. With `template`, content is previewed before it is stored.
   */
  @Post('preview')
  @NotAudited('changes nothing')
  @HttpCode(200)
  @NeedsScope('read')
  @ApiData(200, StepPreviewResponse)
  @ApiErrors(RenderingIsBusy)
  previewStep(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Param('stepId') stepId: string,
    @Body() dto: PreviewStepDto,
  ): Promise<StepPreviewResponse> {
    return this.previews.preview(tenant, { workflowId, stepId }, dto);
  }

  /**
   * Sends a step as a test.
   * @remarks Sends the message of one step to an address of your own or to a subscriber, whatever the conditions of the
   * step and the preferences of the subscriber, also if the workflow is not active. Described subscribers and tenants are
   * not stored. The notification and its trace are marked with `isTest`; otherwise it is delivered, retried and
   * limited like any other.
   */
  @Post('test')
  @Audited('workflow')
  @HttpCode(202)
  @NeedsScope('trigger')
  @ApiData(202, TestSendResponse)
  @ApiErrors(StepNotTestable)
  testStep(
    @Tenant() tenant: TenantContext,
    @Param('workflowId') workflowId: string,
    @Param('stepId') stepId: string,
    @Body() dto: TestStepDto,
  ): Promise<TestSendResponse> {
    return this.tests.send(tenant, { workflowId, stepId }, dto);
  }
}
