import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiData,
  ApiDataArray,
  ApiErrors,
  type CallingSubscriber,
  ForSubscribers,
  IdParam,
  Subscriber,
  Tenant,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { WorkflowNotFound } from '../../content/workflows/index.js';
import {
  GlobalPreferenceResponse,
  NoChannelGiven,
  NoPreferenceGiven,
  PreferenceOfCriticalWorkflow,
  PreferenceLevelParam,
  PREFERENCES_OF_LEVEL,
  PreferencesService,
  UpdateGlobalPreferenceDto,
  UpdateWorkflowPreferenceDto,
  WorkflowPreferenceResponse,
} from '../../content/preferences/index.js';

/** The subscriber's own preferences. */
@ApiTags('Browser clients')
@Controller({ path: 'widgets/preferences', version: '1' })
@ForSubscribers()
export class WidgetPreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  /**
   * Lists the preferences of the subscriber for each workflow.
   * @remarks By group, oldest workflow first, and without hidden workflows.
   */
  @Get()
  @ApiDataArray(200, WorkflowPreferenceResponse)
  listWidgetPreferences(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
  ): Promise<WorkflowPreferenceResponse[]> {
    return this.preferences.list(tenant, subscriberId);
  }

  /** Lists the preferences of the subscriber on one level. */
  @Get(':level')
  @ApiExtraModels(GlobalPreferenceResponse, WorkflowPreferenceResponse)
  @ApiOkResponse({ description: 'Success', schema: PREFERENCES_OF_LEVEL })
  listWidgetPreferencesOfLevel(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Param() { level }: PreferenceLevelParam,
  ): Promise<(WorkflowPreferenceResponse | GlobalPreferenceResponse)[]> {
    return this.preferences.listOfLevel(tenant, subscriberId, level);
  }

  /** Updates the global preference of the subscriber. */
  @Patch()
  @ApiData(200, GlobalPreferenceResponse)
  @ApiErrors(NoPreferenceGiven)
  updateGlobalWidgetPreference(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @Body() dto: UpdateGlobalPreferenceDto,
  ): Promise<GlobalPreferenceResponse> {
    return this.preferences.setGlobal(tenant, subscriberId, dto, 'inbox');
  }

  /** Updates the preference of the subscriber for a workflow. */
  @Patch(':workflowId')
  @ApiData(200, WorkflowPreferenceResponse)
  @ApiErrors(NoChannelGiven, PreferenceOfCriticalWorkflow, WorkflowNotFound)
  updateWidgetPreference(
    @Tenant() tenant: TenantContext,
    @Subscriber() { subscriberId }: CallingSubscriber,
    @IdParam('workflowId') workflowId: string,
    @Body() dto: UpdateWorkflowPreferenceDto,
  ): Promise<WorkflowPreferenceResponse> {
    return this.preferences.setForWorkflow(tenant, subscriberId, workflowId, dto, 'inbox');
  }
}
