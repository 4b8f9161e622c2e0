import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiErrors, NeedsScope, Tenant } from '#libs/http-kit';
import { FilterTooBroad } from '../notifications/index.js';
import { WhyQuery } from './why.dto.js';
import { WhyResponse } from './why.response.js';
import { WhyService } from './why.service.js';

@ApiTags('Notifications')
@Controller({ path: 'subscribers', version: '1' })
export class WhyController {
  constructor(private readonly service: WhyService) {}

  /**
   * Says why a subscriber did or did not get the messages of a workflow.
   * @remarks The answer consists of sentences: one for each gate before the run (the subscriber, the workflow, the trigger), and one
   * for each step of the notifications that the subscriber had around that time, with the values that were compared. A
   * subscriber or a workflow that does not exist is an answer too, not an error.
   */
  @Get(':subscriberId/why')
  @NeedsScope('read')
  @ApiData(200, WhyResponse)
  @ApiErrors(FilterTooBroad)
  explainDelivery(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Query() query: WhyQuery,
  ): Promise<WhyResponse> {
    return this.service.explain(tenant, subscriberId, query);
  }
}
