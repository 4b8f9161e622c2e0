import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, UseFilters } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiDataArray,
  ApiDataValue,
  ApiErrors,
  Audited,
  type HttpRequest,
  NeedsScope,
  NotAudited,
  Tenant,
  TraceParent,
} from '#libs/http-kit';
import type { Caller, TenantContext } from '#libs/common';
import { assertScope } from '../../platform/auth/index.js';
import { DryRunResponse } from './dry-run.response.js';
import { DryRunService } from './dry-run.service.js';
import { EventResponse } from './event.response.js';
import { BulkTriggerDto } from './event.dto.js';
import { BroadcastEventDto, DryRunEventDto, DryRunQuery, EventQuery, TriggerEventDto } from './event.dto.js';
import { TriggerResponse } from './event.response.js';
import { EventLookup } from './event-lookup.js';
import { EventWaits } from './event-waits.js';
import { RefusedTriggerFilter } from './refused-trigger.filter.js';
import { EventsService } from './events.service.js';
import {
  EventNotFound,
  EventTooLarge,
  PayloadIncomplete,
  TriggerIncomplete,
  TriggerNotFound,
  WaitsNotSkippable,
} from './events.errors.js';
import { CancellationPending, RenderingIsBusy } from '../delivery/index.js';

@ApiTags('Events')
@ApiExtraModels(TriggerEventDto)
@NeedsScope('trigger')
@Controller({ path: 'events/trigger', version: '1' })
@Audited('event', { keys: 'never' })
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly lookup: EventLookup,
    private readonly dryRuns: DryRunService,
    private readonly waits: EventWaits,
  ) {}

  /**
   * Triggers an event.
   * @remarks Renders and delivers the workflow whose trigger identifier is `name` for each recipient in `to`. The event
   * is stored before it is acknowledged. The `status` of the response says whether anything will be delivered; GET
   * /v1/notifications shows the result.
   */
  @Post()
  @UseFilters(RefusedTriggerFilter)
  @ApiData(201, TriggerResponse)
  @ApiErrors(PayloadIncomplete, TriggerIncomplete, EventTooLarge, TriggerNotFound, WaitsNotSkippable)
  triggerEvent(
    @Tenant() tenant: Caller,
    @Body() dto: TriggerEventDto,
    @TraceParent() trace: string | undefined,
  ): Promise<TriggerResponse> {
    return this.events.trigger(tenant, dto, trace);
  }

  /**
   * Triggers up to 100 events.
   * @remarks Each event is checked and accepted on its own; the results are in the order of the events.
   */
  @Post('bulk')
  @UseFilters(RefusedTriggerFilter)
  @ApiDataArray(201, TriggerResponse)
  triggerEvents(
    @Tenant() tenant: Caller,
    @Body() dto: BulkTriggerDto,
    @TraceParent() trace: string | undefined,
  ): Promise<TriggerResponse[]> {
    return this.events.triggerMany(tenant, dto, trace);
  }

  /**
   * Triggers an event for all subscribers.
   * @remarks Like a trigger whose recipients are all subscribers of the environment.
   */
  @Post('broadcast')
  @UseFilters(RefusedTriggerFilter)
  @ApiData(201, TriggerResponse)
  @ApiErrors(PayloadIncomplete, TriggerIncomplete, EventTooLarge, TriggerNotFound)
  broadcastEvent(
    @Tenant() tenant: Caller,
    @Body() dto: BroadcastEventDto,
    @TraceParent() trace: string | undefined,
  ): Promise<TriggerResponse> {
    return this.events.broadcast(tenant, dto, trace);
  }

  /**
   * Shows what a trigger would do.
   * @remarks Takes the body of a trigger and carries it out without storing or sending anything: who would get what, and
   * which conditions, preferences, integrations and addresses decide, and when each step would begin and end. Nothing else
   * is taken to come in the meantime, but for the events that `waits` names. Webhooks of conditions are asked; providers are not called, and are taken to accept every
   * message. The API key also needs the scope `read`.
   */
  @Post('dry-run')
  @NotAudited('changes nothing')
  @HttpCode(200)
  @ApiData(200, DryRunResponse)
  @ApiErrors(PayloadIncomplete, TriggerIncomplete, EventTooLarge, TriggerNotFound, RenderingIsBusy, WaitsNotSkippable)
  dryRunEvent(
    @Tenant() caller: Caller,
    @Body() dto: DryRunEventDto,
    @Query() { limit }: DryRunQuery,
  ): Promise<DryRunResponse> {
    assertScope(caller, 'read');
    return this.dryRuns.run(caller, dto, limit);
  }

  /**
   * Gets the state of an event.
   * @remarks `ended` is true when all work on the event is done; `outcomes` and `steps` count the results. With
   * `?wait=30`, the response is sent when the event has ended, or after 30 seconds. Also finds events that were
   * acknowledged without anything to deliver, and gives the reason.
   */
  @Get(':transactionId')
  @NeedsScope('read')
  @ApiData(200, EventResponse)
  @ApiErrors(EventNotFound)
  getEvent(
    @Tenant() tenant: TenantContext,
    @Param('transactionId') transactionId: string,
    @Query() { wait }: EventQuery,
    @Req() { raw: { socket } }: HttpRequest,
  ): Promise<EventResponse> {
    return this.waits.until(
      tenant,
      wait,
      () => this.lookup.get(tenant, transactionId),
      (listener) => {
        socket.once('close', listener);
        return () => socket.off('close', listener);
      },
    );
  }

  /**
   * Cancels the undelivered part of an event.
   * @remarks Stops the delays, digests and remaining steps of the event. Delivered messages are kept. The answer is the
   * outcome: true if something was canceled, and false if there was nothing left to cancel. For what is being delivered at
   * this moment, the request waits for the outcome, for a lease (DELIVERY_LEASE_MS) and three seconds at most. 503 with the code
   * `cancellation_pending` says that the outcome is not known yet: the same request again returns it.
   */
  @Delete(':transactionId')
  @HttpCode(200)
  @ApiDataValue(200, { type: 'boolean' })
  @ApiErrors(CancellationPending)
  cancelEvent(@Tenant() tenant: TenantContext, @Param('transactionId') transactionId: string): Promise<boolean> {
    return this.events.cancel(tenant, transactionId);
  }
}
