import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiDataValue, ApiErrors, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/tenancy';
import { BulkTriggerDto } from './dto/bulk-trigger.dto.js';
import { BroadcastEventDto, TriggerEventDto } from './dto/trigger-event.dto.js';
import { TriggerResponse } from './dto/trigger.response.js';
import { EventsService } from './events.service.js';

@ApiTags('Events')
@ApiExtraModels(TriggerEventDto)
@Controller({ path: 'events/trigger', version: '1' })
export class EventsController {
  constructor(private readonly events: EventsService) {}

  /** Triggers a workflow for the subscribers and topics that `to` names. */
  @Post()
  @ApiData(201, TriggerResponse)
  @ApiErrors(400, 413, 422)
  triggerEvent(@Tenant() tenant: TenantContext, @Body() dto: TriggerEventDto): Promise<TriggerResponse> {
    return this.events.trigger(tenant, dto);
  }

  /** Triggers up to 100 events and answers for each, in order. */
  @Post('bulk')
  @ApiDataArray(201, TriggerResponse)
  @ApiErrors(400, 413)
  triggerEvents(@Tenant() tenant: TenantContext, @Body() dto: BulkTriggerDto): Promise<TriggerResponse[]> {
    return this.events.triggerMany(tenant, dto);
  }

  /** Triggers a workflow for every subscriber of the environment. */
  @Post('broadcast')
  @ApiData(201, TriggerResponse)
  @ApiErrors(400, 413, 422)
  broadcastEvent(@Tenant() tenant: TenantContext, @Body() dto: BroadcastEventDto): Promise<TriggerResponse> {
    return this.events.broadcast(tenant, dto);
  }

  /** Calls off what a transaction has not delivered yet; false when there is nothing left to call off. */
  @Delete(':transactionId')
  @HttpCode(200)
  @ApiDataValue(200, { type: 'boolean' })
  cancelEvent(@Tenant() tenant: TenantContext, @Param('transactionId') transactionId: string): Promise<boolean> {
    return this.events.cancel(tenant, transactionId);
  }
}
