import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiDataArray, ApiErrors, ApiPage, Audited, type Page, Tenant } from '#libs/http-kit';
import {
  CreateSuppressionDto,
  ExportSuppressionsQuery,
  LiftSuppressionDto,
  ListSuppressionsQuery,
} from './suppression.dto.js';
import { ExportedSuppressionsResponse, SuppressionResponse } from './suppression.response.js';
import { NobodyHasAddress, SuppressionNotFound } from './suppressions.errors.js';
import { SuppressionsService } from './suppressions.service.js';

@ApiTags('Suppressions')
@Controller({ path: 'suppressions', version: '1' })
@Audited('suppression', { personal: true })
export class SuppressionsController {
  constructor(private readonly suppressions: SuppressionsService) {}

  /**
   * Lists addresses and people that get nothing, newest first.
   * @remarks Bounces, complaints, unsubscriptions, and addresses that you suppressed. The first 10,000; the export has all.
   */
  @Get()
  @ApiPage(SuppressionResponse)
  listSuppressions(
    @Tenant() tenant: TenantContext,
    @Query() query: ListSuppressionsQuery,
  ): Promise<Page<SuppressionResponse>> {
    return this.suppressions.list(tenant, query);
  }

  /**
   * Exports all suppressions, newest first.
   * @remarks Page by page: pass `next` as `cursor` until it is absent.
   */
  @Get('export')
  @Audited('suppression', { reads: true })
  @ApiData(200, ExportedSuppressionsResponse)
  exportSuppressions(
    @Tenant() tenant: TenantContext,
    @Query() query: ExportSuppressionsQuery,
  ): Promise<ExportedSuppressionsResponse> {
    return this.suppressions.export(tenant, query);
  }

  /**
   * Suppresses an address: nothing is sent to it any more, not even by critical workflows.
   * @remarks By subscriber, or by address for all subscribers who have it now. A new address of a subscriber is not suppressed.
   */
  @Post()
  @ApiDataArray(201, SuppressionResponse)
  @ApiErrors(NobodyHasAddress)
  createSuppression(
    @Tenant() tenant: TenantContext,
    @Body() dto: CreateSuppressionDto,
  ): Promise<SuppressionResponse[]> {
    return this.suppressions.add(tenant, dto);
  }

  /**
   * Lifts a suppression, with a reason.
   * @remarks An address can be used again; for an unsubscription, the channel of the workflow is on again. Do this only with the
   * recipient's consent.
   */
  @Post(':suppressionId/lift')
  @HttpCode(200)
  @ApiData(200, SuppressionResponse)
  @ApiErrors(SuppressionNotFound)
  clearSuppression(
    @Tenant() tenant: TenantContext,
    @Param('suppressionId') suppressionId: string,
    @Body() { reason }: LiftSuppressionDto,
  ): Promise<SuppressionResponse> {
    return this.suppressions.lift(tenant, suppressionId, reason);
  }
}
