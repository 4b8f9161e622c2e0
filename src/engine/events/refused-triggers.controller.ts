import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiPage, NeedsScope, type Page, PageQuery, Tenant } from '#libs/http-kit';
import { EventLookup } from './event-lookup.js';
import { EventResponse } from './event.response.js';

@ApiTags('Events')
@Controller({ path: 'events/refused', version: '1' })
export class RefusedTriggersController {
  constructor(private readonly lookup: EventLookup) {}

  /**
   * Lists events that were acknowledged without anything to deliver, newest first.
   * @remarks For example because the workflow is inactive or the tenant is unknown; each has its reason. An event that was
   * delivered with the same transaction id later stays in this list.
   */
  @Get()
  @NeedsScope('read')
  @ApiPage(EventResponse)
  listRefusedEvents(@Tenant() tenant: TenantContext, @Query() query: PageQuery): Promise<Page<EventResponse>> {
    return this.lookup.listRefused(tenant, query);
  }
}
