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
   * Lists triggers that delivered nothing, newest first.
   * @remarks For example because the workflow is unknown or inactive, the payload lacks a value, or the key was revoked; each has
   * its reason. Of triggers that were answered with an error, 20 a second are stored in each process, and `omitted` counts the
   * others. An event that was delivered with the same transaction id later stays in this list.
   */
  @Get()
  @NeedsScope('read')
  @ApiPage(EventResponse)
  listRefusedEvents(@Tenant() tenant: TenantContext, @Query() query: PageQuery): Promise<Page<EventResponse>> {
    return this.lookup.listRefused(tenant, query);
  }
}
