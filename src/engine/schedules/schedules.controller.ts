import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiDataArray,
  ApiErrors,
  ApiPage,
  Audited,
  IdParam,
  lookAt,
  NeedsScope,
  NotAudited,
  type Page,
  Tenant,
} from '#libs/http-kit';
import type { Caller, TenantContext } from '#libs/common';
import { RenderingIsBusy } from '../delivery/index.js';
import { assertScope } from '../../platform/auth/index.js';
import {
  DryRunQuery,
  DryRunResponse,
  EventTooLarge,
  PayloadIncomplete,
  TriggerIncomplete,
  TriggerNotFound,
  TriggerResponse,
} from '../events/index.js';
import { CreateScheduleDto, ListSchedulesQuery, PreviewScheduleDto, UpdateScheduleDto } from './schedule.dto.js';
import { OccurrenceResponse, ScheduleResponse } from './schedule.response.js';
import { ScheduleChangedMeanwhile, ScheduleNeverOccurs, ScheduleNotFound } from './schedules.errors.js';
import { SchedulesService } from './schedules.service.js';

@ApiTags('Schedules')
@Controller({ path: 'schedules', version: '1' })
@Audited('schedule', {
  look: lookAt(SchedulesService, (schedules, caller, id) => schedules.get(caller, id)),
  personal: ['payload', 'actor', 'subscribers'],
})
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  /**
   * Creates a schedule.
   * @remarks Triggers a workflow at the times of a rule, or once at `startAt`. Each occurrence triggers one event, whose transaction id
   * follows from the schedule and the time. The key also needs the scope `trigger`. Send an `Idempotency-Key` so that a
   * repeated request creates no second schedule.
   */
  @Post()
  @ApiData(201, ScheduleResponse)
  @ApiErrors(ScheduleNeverOccurs)
  createSchedule(@Tenant() caller: Caller, @Body() dto: CreateScheduleDto): Promise<ScheduleResponse> {
    assertScope(caller, 'trigger');
    return this.schedules.create(caller, dto);
  }

  /** Shows the next ten occurrences of a rule, without creating a schedule. */
  @Post('preview')
  @NotAudited('changes nothing')
  @HttpCode(200)
  @NeedsScope('read')
  @ApiDataArray(200, OccurrenceResponse)
  previewSchedule(@Body() dto: PreviewScheduleDto): OccurrenceResponse[] {
    return this.schedules.preview(dto);
  }

  /** Lists the schedules, newest first. */
  @Get()
  @ApiPage(ScheduleResponse)
  listSchedules(@Tenant() tenant: TenantContext, @Query() query: ListSchedulesQuery): Promise<Page<ScheduleResponse>> {
    return this.schedules.list(tenant, query);
  }

  /** Gets a schedule. */
  @Get(':scheduleId')
  @ApiData(200, ScheduleResponse)
  @ApiErrors(ScheduleNotFound)
  getSchedule(@Tenant() tenant: TenantContext, @IdParam('scheduleId') scheduleId: string): Promise<ScheduleResponse> {
    return this.schedules.get(tenant, scheduleId);
  }

  /** Shows the next ten occurrences of a schedule. */
  @Get(':scheduleId/occurrences')
  @ApiDataArray(200, OccurrenceResponse)
  @ApiErrors(ScheduleNotFound)
  listOccurrences(
    @Tenant() tenant: TenantContext,
    @IdParam('scheduleId') scheduleId: string,
  ): Promise<OccurrenceResponse[]> {
    return this.schedules.occurrences(tenant, scheduleId);
  }

  /**
   * Updates a schedule; what is absent stays.
   * @remarks An occurrence that is due already is triggered; those after it follow the new rule. A schedule that has ended is active
   * again if something is left to occur.
   */
  @Patch(':scheduleId')
  @ApiData(200, ScheduleResponse)
  @ApiErrors(ScheduleNotFound, ScheduleNeverOccurs, ScheduleChangedMeanwhile)
  updateSchedule(
    @Tenant() caller: Caller,
    @IdParam('scheduleId') scheduleId: string,
    @Body() dto: UpdateScheduleDto,
  ): Promise<ScheduleResponse> {
    assertScope(caller, 'trigger');
    return this.schedules.update(caller, scheduleId, dto);
  }

  /** Pauses a schedule. One that is paused or has ended stays as it is. */
  @Post(':scheduleId/pause')
  @HttpCode(200)
  @ApiData(200, ScheduleResponse)
  @ApiErrors(ScheduleNotFound, ScheduleChangedMeanwhile)
  pauseSchedule(@Tenant() tenant: TenantContext, @IdParam('scheduleId') scheduleId: string): Promise<ScheduleResponse> {
    return this.schedules.pause(tenant, scheduleId);
  }

  /**
   * Resumes a paused schedule with its next occurrence.
   * @remarks What would have occurred in the meantime does not.
   */
  @Post(':scheduleId/resume')
  @HttpCode(200)
  @ApiData(200, ScheduleResponse)
  @ApiErrors(ScheduleNotFound, ScheduleChangedMeanwhile)
  resumeSchedule(@Tenant() caller: Caller, @IdParam('scheduleId') scheduleId: string): Promise<ScheduleResponse> {
    assertScope(caller, 'trigger');
    return this.schedules.resume(caller, scheduleId);
  }

  /** Triggers the workflow of a schedule now, besides its occurrences. */
  @Post(':scheduleId/run')
  @NeedsScope('trigger')
  @ApiData(201, TriggerResponse)
  @ApiErrors(ScheduleNotFound, PayloadIncomplete, TriggerIncomplete, EventTooLarge, TriggerNotFound)
  runSchedule(@Tenant() caller: Caller, @IdParam('scheduleId') scheduleId: string): Promise<TriggerResponse> {
    return this.schedules.run(caller, scheduleId);
  }

  /**
   * Shows what an occurrence would do now.
   * @remarks As `POST /v1/events/trigger/dry-run` with what the schedule sends: nothing is stored or sent. Everybody gets it at once
   * there, also with the time zone `subscriber`. The key also needs the scope `trigger`.
   */
  @Post(':scheduleId/dry-run')
  @NotAudited('changes nothing')
  @HttpCode(200)
  @NeedsScope('read')
  @ApiData(200, DryRunResponse)
  @ApiErrors(ScheduleNotFound, PayloadIncomplete, TriggerIncomplete, EventTooLarge, TriggerNotFound, RenderingIsBusy)
  dryRunSchedule(
    @Tenant() caller: Caller,
    @IdParam('scheduleId') scheduleId: string,
    @Query() { limit }: DryRunQuery,
  ): Promise<DryRunResponse> {
    assertScope(caller, 'trigger');
    return this.schedules.dryRun(caller, scheduleId, limit);
  }

  /** Deletes a schedule. Events that it has triggered stay. */
  @Delete(':scheduleId')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'It is deleted' })
  @ApiErrors(ScheduleNotFound)
  deleteSchedule(@Tenant() tenant: TenantContext, @IdParam('scheduleId') scheduleId: string): Promise<void> {
    return this.schedules.remove(tenant, scheduleId);
  }
}
