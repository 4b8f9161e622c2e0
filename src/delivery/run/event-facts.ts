import { Injectable } from '@nestjs/common';
import { type Branding, BrandingsService } from '../../organizations/index.js';
import { type ResolvedSubscriber, SubscribersService } from '../../subscribers/index.js';
import { TenantsService } from '../../tenants/index.js';
import { WorkflowOverridesService } from '../../workflow-overrides/index.js';
import type { ChannelSwitches } from '../../workflows/index.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import { type RunWorkflow, WorkflowSnapshots } from '../records/workflow-version.js';
import { type RunTenant, tenantOf } from './run.js';

/** What all runs of one event share. */
export interface EventFacts {
  readonly event: TriggerEventRecord;
  readonly workflow: RunWorkflow;
  readonly branding: Branding;
  readonly tenant?: RunTenant;
  readonly isTenantMissing?: boolean;
  readonly actor?: ResolvedSubscriber;
  readonly override?: { readonly id: string; readonly channels: Partial<ChannelSwitches> };
}

/** Reads what all runs of an event share: its workflow's version, its tenant, its actor, the tenant's override, the branding. */
@Injectable()
export class EventFactsReader {
  constructor(
    private readonly snapshots: WorkflowSnapshots,
    private readonly tenants: TenantsService,
    private readonly subscribers: SubscribersService,
    private readonly overrides: WorkflowOverridesService,
    private readonly brandings: BrandingsService,
  ) {}

  /** By event id. Events whose workflow version is no longer stored are absent. */
  async read(events: readonly TriggerEventRecord[]): Promise<Map<string, EventFacts>> {
    const workflows = await this.snapshots.find(events.map(({ snapshotId }) => snapshotId));
    const brandings = await this.readBrandings(events);
    const facts = await Promise.all(
      events.map(async (event): Promise<[string, EventFacts][]> => {
        const workflow = workflows.get(event.snapshotId);
        return workflow ? [[event._id.toHexString(), await this.readOne(event, workflow, brandings)]] : [];
      }),
    );
    return new Map(facts.flat());
  }

  /** By environment: a batch of events asks once for each. */
  private async readBrandings(events: readonly TriggerEventRecord[]): Promise<Map<string, Branding>> {
    const owners = new Map(events.map((event) => [event._environmentId.toHexString(), tenantOf(event)]));
    const entries = [...owners].map(async ([id, owner]) => [id, await this.brandings.of(owner)] as const);
    return new Map(await Promise.all(entries));
  }

  private async readOne(
    event: TriggerEventRecord,
    workflow: RunWorkflow,
    brandings: ReadonlyMap<string, Branding>,
  ): Promise<EventFacts> {
    const caller = tenantOf(event);
    const branding = brandings.get(caller.environmentId) ?? {};
    // The usual event names neither and costs no query.
    if (event.tenant === undefined && event.actor === undefined) return { event, workflow, branding };
    const [tenant, actor] = await Promise.all([
      event.tenant === undefined ? undefined : this.tenants.findByIdentifier(caller, event.tenant),
      event.actor && this.subscribers.findByExternalIds(caller, [event.actor.subscriberId]),
    ]);
    const override = tenant && (await this.overrides.effective(caller, workflow, tenant));
    const resolvedActor = event.actor && actor?.get(event.actor.subscriberId);
    return {
      event,
      workflow,
      branding,
      ...(tenant && { tenant }),
      ...(event.tenant !== undefined && !tenant && { isTenantMissing: true }),
      ...(resolvedActor && { actor: resolvedActor }),
      ...(override?.id !== undefined &&
        override.preferenceSettings && { override: { id: override.id, channels: override.preferenceSettings } }),
    };
  }
}
