import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiErrors, Tenant } from '#libs/http-kit';
import { WorkflowNotFound, WorkflowVersionNotFound } from '../../content/workflows/index.js';
import { ActivitySummaryQuery, StepFiguresQuery, DeliveryHealthQuery } from './activity.dto.js';
import { DeliveryHealthResponse } from './activity.response.js';
import { ActivitySummaryService } from './activity-summary.service.js';
import { ActivitySummaryResponse } from './activity-summary.response.js';
import { DeliveryHealthService } from './delivery-health.service.js';
import { WorkflowFiguresResponse } from './step-figures.response.js';
import { StepFigures } from './step-figures.service.js';

@ApiTags('Activity')
@Controller({ path: 'activity', version: '1' })
export class ActivityController {
  constructor(
    private readonly health: DeliveryHealthService,
    private readonly summaries: ActivitySummaryService,
    private readonly steps: StepFigures,
  ) {}

  /**
   * Gets the health of deliveries.
   * @remarks Per channel and provider: messages that were sent, failed, retried and dead, and the time that sending took;
   * and the work that is due. Counts are at most two seconds old. They survive restarts; those of the last two seconds
   * before a process is killed are missing.
   */
  @Get('delivery')
  @ApiData(200, DeliveryHealthResponse)
  getDeliveryHealth(
    @Tenant() tenant: TenantContext,
    @Query() { period }: DeliveryHealthQuery,
  ): Promise<DeliveryHealthResponse> {
    return this.health.get(tenant, period);
  }

  /**
   * Summarizes a period.
   * @remarks What was sent, delivered, read and failed, by interval, channel and workflow, and what waits now. Messages and
   * runs count in the interval of their creation, whenever they are delivered, read or fail. The figures come from tallies
   * of whole hours and days, so the answer takes as long for ten notifications as for ten million: what happened in
   * the current hour is counted at once, or within minutes where there is much of it; a message that is read later, within ten
   * minutes; and what providers report later, when its hour is counted next: each time that its age has doubled, up to 11 days.
   */
  @Get('summary')
  @ApiData(200, ActivitySummaryResponse)
  getActivitySummary(
    @Tenant() tenant: TenantContext,
    @Query() query: ActivitySummaryQuery,
  ): Promise<ActivitySummaryResponse> {
    return this.summaries.get(tenant, query);
  }

  /**
   * Counts what became of the steps of a workflow.
   * @remarks For each step, how many notifications it was carried out in, and what became of its messages; for branches and splits,
   * the same of each arm. Counted when it is asked for. With `version`, two answers compare what became of two versions.
   */
  @Get('steps')
  @ApiData(200, WorkflowFiguresResponse)
  @ApiErrors(WorkflowNotFound, WorkflowVersionNotFound)
  getStepFigures(@Tenant() tenant: TenantContext, @Query() query: StepFiguresQuery): Promise<WorkflowFiguresResponse> {
    return this.steps.get(tenant, query);
  }
}
