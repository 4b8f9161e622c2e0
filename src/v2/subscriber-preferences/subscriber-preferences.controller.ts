import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiDataArray, ApiErrors, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { AuditedSubscriber, SubscriberNotFound } from '../../audience/subscribers/index.js';
import { InboxPreferenceResponse } from '../../browser/inbox/index.js';
import { PreferenceOfCriticalWorkflow } from '../../content/preferences/index.js';
import { WorkflowNotFound } from '../../content/workflows/index.js';
import { FieldNotServed } from '../not-served/index.js';
import { BulkPreferencesDto, PatchPreferencesDto, SubscriberPreferencesQuery } from './subscriber-preferences.dto.js';
import { SubscriberPreferencesResponse } from './subscriber-preferences.response.js';
import { SubscriberPreferencesService } from './subscriber-preferences.service.js';

@ApiTags('v2')
@ApiErrors(SubscriberNotFound)
@Controller({ path: 'subscribers/:subscriberId/preferences', version: '2' })
@AuditedSubscriber({ keys: 'traffic' })
export class SubscriberPreferencesController {
  constructor(private readonly preferences: SubscriberPreferencesService) {}

  /** Gets the preferences of a subscriber: the one for all workflows, and those for each. */
  @Get()
  @ApiData(200, SubscriberPreferencesResponse)
  getPreferencesV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Query() { criticality }: SubscriberPreferencesQuery,
  ): Promise<SubscriberPreferencesResponse> {
    return this.preferences.get(tenant, subscriberId, criticality);
  }

  /**
   * Updates the preference of a subscriber for a workflow, or for all workflows.
   * @remarks Absent fields are unchanged. Critical workflows have no preference to change.
   */
  @Patch()
  @ApiData(200, SubscriberPreferencesResponse)
  @ApiErrors(FieldNotServed, PreferenceOfCriticalWorkflow, WorkflowNotFound)
  updatePreferencesV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: PatchPreferencesDto,
  ): Promise<SubscriberPreferencesResponse> {
    return this.preferences.patch(tenant, subscriberId, dto);
  }

  /** Updates the preferences of a subscriber for several workflows. */
  @Patch('bulk')
  @ApiDataArray(200, InboxPreferenceResponse)
  @ApiErrors(FieldNotServed, PreferenceOfCriticalWorkflow, WorkflowNotFound)
  bulkUpdatePreferencesV2(
    @Tenant() tenant: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() dto: BulkPreferencesDto,
  ): Promise<InboxPreferenceResponse[]> {
    return this.preferences.patchMany(tenant, subscriberId, dto);
  }
}
