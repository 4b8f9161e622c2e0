import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { type InboxPreferenceResponse, InboxPreferencesService } from '../../browser/inbox/index.js';
import { PreferencesService } from '../../content/preferences/index.js';
import { refuseFields } from '../not-served/index.js';
import type {
  BulkPreferencesDto,
  PatchPreferencesDto,
  SubscriberPreferencesQuery,
} from './subscriber-preferences.dto.js';
import { showPreferences, type SubscriberPreferencesResponse } from './subscriber-preferences.response.js';

/** How webhooks name changes by API keys. */
const VIA = 'api';
const WITHOUT_CONTEXT = 'preferences hold in all contexts. Leave it out.';

@Injectable()
export class SubscriberPreferencesService {
  constructor(
    private readonly preferences: PreferencesService,
    private readonly inbox: InboxPreferencesService,
  ) {}

  async get(
    tenant: TenantContext,
    subscriberId: string,
    criticality: SubscriberPreferencesQuery['criticality'] = 'nonCritical',
  ): Promise<SubscriberPreferencesResponse> {
    const [global, listed] = await Promise.all([
      this.preferences.getGlobal(tenant, subscriberId),
      this.preferences.list(tenant, subscriberId),
    ]);
    const isCritical = criticality === 'critical';
    const shown = listed.filter(({ template }) => criticality === 'all' || template.critical === isCritical);
    return showPreferences(global, shown);
  }

  /** A body without switches and schedule changes nothing. */
  async patch(
    tenant: TenantContext,
    subscriberId: string,
    { channels, workflowId, schedule, context }: PatchPreferencesDto,
  ): Promise<SubscriberPreferencesResponse> {
    refuseFields({ context }, WITHOUT_CONTEXT);
    if (workflowId) {
      refuseFields({ schedule }, 'a schedule is that of all workflows. Leave out workflowId or schedule.');
      await this.inbox.setForWorkflow(tenant, { subscriberId }, workflowId, channels ?? {}, VIA);
    } else {
      await this.inbox.setGlobal(tenant, { subscriberId }, { ...channels, schedule }, VIA);
    }
    return this.get(tenant, subscriberId, 'all');
  }

  /** In the order of the request. Changes nothing if a workflow does not exist or is critical. */
  patchMany(
    tenant: TenantContext,
    subscriberId: string,
    { preferences, context }: BulkPreferencesDto,
  ): Promise<InboxPreferenceResponse[]> {
    refuseFields({ context }, WITHOUT_CONTEXT);
    const changes = preferences.map(({ workflowId, channels }) => ({ ...channels, workflowId }));
    return this.inbox.setForWorkflows(tenant, { subscriberId }, changes, VIA);
  }
}
