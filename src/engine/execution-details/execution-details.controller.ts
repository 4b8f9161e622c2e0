import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiDataArray, ApiErrors, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { ExecutionDetailResponse } from './execution-detail.response.js';
import { ListExecutionDetailsQuery } from './execution-detail.dto.js';
import { ExecutionDetailsService } from './execution-details.service.js';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';

@ApiTags('Execution details')
@Controller({ path: 'execution-details', version: '1' })
export class ExecutionDetailsController {
  constructor(private readonly details: ExecutionDetailsService) {}

  /**
   * Lists the execution details of a notification, oldest first.
   * @remarks One entry for each event in a step: created, sent, skipped, refused by the provider, retried.
   */
  @Get()
  @ApiDataArray(200, ExecutionDetailResponse)
  @ApiErrors(SubscriberNotFound)
  listExecutionDetails(
    @Tenant() tenant: TenantContext,
    @Query() query: ListExecutionDetailsQuery,
  ): Promise<ExecutionDetailResponse[]> {
    return this.details.list(tenant, query);
  }
}
