import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, NeedsScope, Tenant } from '#libs/http-kit';
import { AuditedSubscriber } from '../../audience/subscribers/index.js';
import type { TenantContext } from '#libs/common';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { ExportQuery, ExportResponse } from './export.dto.js';
import { ExportService } from './export.service.js';

@ApiTags('Subscribers')
@Controller({ path: 'subscribers', version: '1' })
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  /**
   * Exports everything that is held of a subscriber.
   * @remarks Page by page: pass `next` as `cursor` until it is absent. The API key needs the scope `admin`, because an export
   * has the contents of all messages together with the addresses, device tokens and webhook URLs of a person.
   */
  @Get(':subscriberId/export')
  @AuditedSubscriber({ reads: true })
  @NeedsScope('admin')
  @ApiData(200, ExportResponse)
  @ApiErrors(SubscriberNotFound)
  exportSubscriber(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Query() query: ExportQuery,
  ): Promise<ExportResponse> {
    return this.exports.page(tenant, subscriberId, query);
  }
}
