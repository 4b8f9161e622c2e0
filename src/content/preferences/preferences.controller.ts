import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiErrors, IdParam, Tenant } from '#libs/http-kit';
import { AuditedSubscriber } from '../../audience/subscribers/index.js';
import type { TenantContext } from '#libs/common';
import { GlobalPreferenceResponse, PREFERENCES_OF_LEVEL, WorkflowPreferenceResponse } from './preference.response.js';
import {
  ListPreferencesQuery,
  PreferenceLevelParam,
  UpdateGlobalPreferenceDto,
  UpdateWorkflowPreferenceDto,
} from './preference.dto.js';
import { PreferencesService } from './preferences.service.js';
import { SubscriberNotFound } from '../../audience/subscribers/index.js';
import { NoChannelGiven, NoPreferenceGiven, PreferenceOfCriticalWorkflow } from './preferences.errors.js';
import { WorkflowNotFound } from '../workflows/index.js';

@ApiTags('Preferences')
@ApiErrors(SubscriberNotFound)
@Controller({ path: 'subscribers/:subscriberId/preferences', version: '1' })
@AuditedSubscriber({ keys: 'traffic' })
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  /**
   * Lists the preferences of a subscriber for each workflow.
   * @remarks As recipients see them: by group, oldest workflow first, and without hidden workflows.
   */
  @Get()
  @ApiDataArray(200, WorkflowPreferenceResponse)
  listPreferences(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Query() query: ListPreferencesQuery,
  ): Promise<WorkflowPreferenceResponse[]> {
    return this.preferences.list(tenant, subscriberId, query.includeInactiveChannels);
  }

  /** Lists the preferences of a subscriber on one level. */
  @Get(':level')
  @ApiExtraModels(GlobalPreferenceResponse, WorkflowPreferenceResponse)
  @ApiOkResponse({ description: 'Success', schema: PREFERENCES_OF_LEVEL })
  listPreferencesOfLevel(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Param() { level }: PreferenceLevelParam,
    @Query() query: ListPreferencesQuery,
  ): Promise<(WorkflowPreferenceResponse | GlobalPreferenceResponse)[]> {
    return this.preferences.listOfLevel(tenant, subscriberId, level, query.includeInactiveChannels);
  }

  /**
   * Updates the global preference of a subscriber.
   * @remarks Absent fields are unchanged.
   */
  @Patch()
  @ApiData(200, GlobalPreferenceResponse)
  @ApiErrors(NoPreferenceGiven)
  updateGlobalPreference(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: UpdateGlobalPreferenceDto,
  ): Promise<GlobalPreferenceResponse> {
    return this.preferences.setGlobal(tenant, subscriberId, dto, 'api');
  }

  /**
   * Updates the preference of a subscriber for a workflow.
   * @remarks Absent fields are unchanged. Critical workflows are delivered regardless of preferences, and have none to change.
   */
  @Patch(':workflowId')
  @ApiData(200, WorkflowPreferenceResponse)
  @ApiErrors(NoChannelGiven, PreferenceOfCriticalWorkflow, WorkflowNotFound)
  updateWorkflowPreference(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @IdParam('workflowId') workflowId: string,
    @Body() dto: UpdateWorkflowPreferenceDto,
  ): Promise<WorkflowPreferenceResponse> {
    return this.preferences.setForWorkflow(tenant, subscriberId, workflowId, dto, 'api');
  }
}
