import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiDataArray,
  ApiErrors,
  type CallingSubscriber,
  ForSubscribers,
  Subscriber,
  Tenant,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import {
  BulkInboxPreferencesDto,
  InboxChannelsDto,
  ListInboxPreferencesQuery,
  UpdateInboxPreferenceDto,
} from './inbox-preference.dto.js';
import { InboxPreferenceResponse } from './inbox-preference.response.js';
import { InboxPreferencesService } from './inbox-preferences.service.js';
import { PreferenceOfCriticalWorkflow } from '../../content/preferences/index.js';
import { WorkflowNotFound } from '../../content/workflows/index.js';

/** The preferences of the calling subscriber. */
@ApiTags('Browser clients')
@Controller({ path: 'inbox/preferences', version: '1' })
@ForSubscribers()
export class InboxPreferencesController {
  constructor(private readonly preferences: InboxPreferencesService) {}

  /** Lists the preferences: the global one first, then those of workflows. */
  @Get()
  @ApiDataArray(200, InboxPreferenceResponse)
  listInboxPreferences(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Query() query: ListInboxPreferencesQuery,
  ): Promise<InboxPreferenceResponse[]> {
    return this.preferences.list(tenant, subscriber, query);
  }

  /** Gets the global preference with its schedule. */
  @Get('global')
  @ApiData(200, InboxPreferenceResponse)
  getGlobalInboxPreference(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
  ): Promise<InboxPreferenceResponse> {
    return this.preferences.getGlobal(tenant, subscriber);
  }

  /**
   * Updates the global preference or its schedule.
   * @remarks Absent fields are unchanged. Outside of an enabled schedule, steps of other channels than in-app are skipped,
   * except those of critical workflows. Times are those of the subscriber's time zone, or UTC without one.
   */
  @Patch()
  @ApiData(200, InboxPreferenceResponse)
  updateGlobalInboxPreference(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Body() dto: UpdateInboxPreferenceDto,
  ): Promise<InboxPreferenceResponse> {
    return this.preferences.setGlobal(tenant, subscriber, dto);
  }

  /** Updates the preferences for several workflows. */
  @Patch('bulk')
  @ApiDataArray(200, InboxPreferenceResponse)
  @ApiErrors(PreferenceOfCriticalWorkflow, WorkflowNotFound)
  updateInboxPreferences(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Body() { preferences }: BulkInboxPreferencesDto,
  ): Promise<InboxPreferenceResponse[]> {
    return this.preferences.setForWorkflows(tenant, subscriber, preferences);
  }

  /** Updates the preference for a workflow, by its id or trigger identifier. */
  @Patch(':workflowId')
  @ApiData(200, InboxPreferenceResponse)
  @ApiErrors(PreferenceOfCriticalWorkflow, WorkflowNotFound)
  updateInboxPreference(
    @Tenant() tenant: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Param('workflowId') workflowId: string,
    @Body() switches: InboxChannelsDto,
  ): Promise<InboxPreferenceResponse> {
    return this.preferences.setForWorkflow(tenant, subscriber, workflowId, switches);
  }
}
