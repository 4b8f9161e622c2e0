import { Injectable } from '@nestjs/common';
import { CHANNELS, type Channel } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import type { CallingSubscriber } from '#libs/http-kit';
import { toFilter } from '../../engine/messages/inbox/index.js';
import {
  PreferenceOfCriticalWorkflow,
  PreferencesService,
  type PreferenceWay,
  type WorkflowPreferenceResponse,
} from '../../content/preferences/index.js';
import { WorkflowNotFound, WorkflowsService, type WorkflowSummary } from '../../content/workflows/index.js';
import type {
  InboxChannelsDto,
  InboxWorkflowChannelsDto,
  ListInboxPreferencesQuery,
  UpdateInboxPreferenceDto,
} from './inbox-preference.dto.js';
import {
  type InboxPreferenceResponse,
  showGlobalInboxPreference,
  showInboxPreference,
} from './inbox-preference.response.js';

type Owner = Pick<CallingSubscriber, 'subscriberId'>;

/** How webhooks name changes of the subscriber. */
const VIA: PreferenceWay = 'inbox';

@Injectable()
export class InboxPreferencesService {
  constructor(
    private readonly preferences: PreferencesService,
    private readonly workflows: WorkflowsService,
  ) {}

  /** The global preference, then those of matching active workflows, as recipients see them. */
  async list(
    tenant: TenantContext,
    subscriber: Owner,
    query: ListInboxPreferencesQuery,
  ): Promise<InboxPreferenceResponse[]> {
    const [global, listed] = await Promise.all([
      this.getGlobal(tenant, subscriber),
      this.preferences.list(tenant, subscriber.subscriberId),
    ]);
    const summaries = await this.summariesOf(tenant, listed);
    const shown = listed.flatMap((preference) => {
      const workflow = summaries.get(preference.template._id);
      return workflow && matches(workflow, query) ? [showInboxPreference(preference, workflow)] : [];
    });
    return [global, ...shown];
  }

  async getGlobal(tenant: TenantContext, { subscriberId }: Owner): Promise<InboxPreferenceResponse> {
    return showGlobalInboxPreference(await this.preferences.getGlobal(tenant, subscriberId));
  }

  /** A body without switches and schedule changes nothing. */
  async setGlobal(
    tenant: TenantContext,
    subscriber: Owner,
    { schedule, ...switches }: UpdateInboxPreferenceDto,
    via = VIA,
  ): Promise<InboxPreferenceResponse> {
    const change = { preferences: switchesIn(switches), schedule };
    return showGlobalInboxPreference(await this.preferences.setGlobal(tenant, subscriber.subscriberId, change, via));
  }

  /** A body without switches changes nothing. */
  async setForWorkflow(
    tenant: TenantContext,
    { subscriberId }: Owner,
    workflowId: string,
    switches: InboxChannelsDto,
    via = VIA,
  ): Promise<InboxPreferenceResponse> {
    const workflow = await this.workflows.findByIdOrIdentifier(tenant, workflowId);
    if (workflow === undefined) throw new WorkflowNotFound(workflowId);
    const channels = Object.fromEntries(switchesIn(switches).map(({ type, enabled }) => [type, enabled]));
    const preference = await this.preferences.setForWorkflow(tenant, subscriberId, workflow.id, { channels }, via);
    const summary = (await this.summariesOf(tenant, [preference])).get(workflow.id);
    if (summary === undefined) throw new WorkflowNotFound(workflowId);
    return showInboxPreference(preference, summary);
  }

  /** In the order of the request. Changes nothing if a workflow does not exist or is critical. */
  async setForWorkflows(
    tenant: TenantContext,
    subscriber: Owner,
    changes: readonly InboxWorkflowChannelsDto[],
    via = VIA,
  ): Promise<InboxPreferenceResponse[]> {
    for (const { workflowId } of changes) {
      const workflow = await this.workflows.findByIdOrIdentifier(tenant, workflowId);
      if (workflow === undefined) throw new WorkflowNotFound(workflowId);
      if (workflow.critical) throw new PreferenceOfCriticalWorkflow();
    }
    const changed: InboxPreferenceResponse[] = [];
    for (const { workflowId, ...switches } of changes) {
      changed.push(await this.setForWorkflow(tenant, subscriber, workflowId, switches, via));
    }
    return changed;
  }

  private summariesOf(
    tenant: TenantContext,
    preferences: readonly WorkflowPreferenceResponse[],
  ): Promise<Map<string, WorkflowSummary>> {
    return this.workflows.summariesByIds(
      tenant,
      preferences.map(({ template }) => template._id),
    );
  }
}

function switchesIn(switches: InboxChannelsDto): { type: Channel; enabled: boolean | null }[] {
  return CHANNELS.flatMap((type) => {
    const enabled = switches[type];
    return enabled === undefined ? [] : [{ type, enabled }];
  });
}

function matches({ critical, tags, severity = 'none' }: WorkflowSummary, query: ListInboxPreferencesQuery): boolean {
  const { criticality } = query;
  if (criticality !== 'all' && critical !== (criticality === 'critical')) return false;
  const { tags: groups = [], severity: levels } = toFilter({ tags: query.tags, severity: query.severity });
  return groups.every((group) => group.some((tag) => tags.includes(tag))) && levels?.includes(severity) !== false;
}
