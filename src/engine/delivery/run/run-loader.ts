import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { IntegrationsService } from '../../../channels/integrations/index.js';
import { type Branding, BrandingsService } from '../../../platform/organizations/index.js';
import { PreferencesService, type SubscriberPreferences } from '../../../content/preferences/index.js';
import { RecipientLinks } from '../../../platform/recipient-links/index.js';
import { type ResolvedSubscriber, SubscribersService } from '../../../audience/subscribers/index.js';
import { TenantsService } from '../../../audience/tenants/index.js';
import { WorkflowOverridesService } from '../../../content/workflow-overrides/index.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { ownDescription } from '../records/descriptions.js';
import { type NotificationRecord } from '../records/notification.js';
import { type RunTenant, type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { type RunWorkflow, WorkflowSnapshots } from '../records/workflow-version.js';
import { planRun, type Run, type RunFacts, tenantOf } from './run.js';
import { Effects } from './step-recorder.js';
import { requestCancellation } from './transitions.js';

export interface EventFacts extends Pick<
  RunFacts,
  'branding' | 'links' | 'tenant' | 'isTenantMissing' | 'actor' | 'override'
> {
  readonly event: TriggerEventRecord;
  readonly workflow: RunWorkflow;
}

@Injectable()
export class EventFactsReader {
  constructor(
    private readonly snapshots: WorkflowSnapshots,
    private readonly tenants: TenantsService,
    private readonly subscribers: SubscribersService,
    private readonly overrides: WorkflowOverridesService,
    private readonly brandings: BrandingsService,
    private readonly recipientLinks: RecipientLinks,
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

  /** Of an event that is not stored. */
  async readFor(event: TriggerEventRecord, workflow: RunWorkflow): Promise<EventFacts> {
    return this.readOne(event, workflow, await this.readBrandings([event]));
  }

  private async actorOf(
    event: TriggerEventRecord,
    found: ReadonlyMap<string, ResolvedSubscriber> | undefined,
  ): Promise<ResolvedSubscriber | undefined> {
    const actor = event.actor && found?.get(event.actor.subscriberId);
    if (event.actor === undefined || actor === undefined || event.forThisEventOnly !== true) return actor;
    return this.subscribers.describedAs(tenantOf(event), actor, event.actor);
  }

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
    const shared = { branding: brandings.get(caller.environmentId) ?? {} };
    const { actor: sampleActor, tenant: sampleTenant } = event.test ?? {};
    if (event.test)
      return {
        event,
        workflow,
        ...shared,
        ...this.linksFor(sampleTenant),
        ...(sampleActor && { actor: sampleActor }),
        ...(sampleTenant && { tenant: sampleTenant }),
      };
    // The usual event names neither and costs no query.
    if (event.tenant === undefined && event.actor === undefined) {
      return { event, workflow, ...shared, ...this.linksFor(undefined) };
    }
    const [tenant, actor] = await Promise.all([
      event.tenant === undefined ? undefined : this.tenants.findByIdentifier(caller, event.tenant),
      event.actor && this.subscribers.findByExternalIds(caller, [event.actor.subscriberId]),
    ]);
    const override = tenant && (await this.overrides.effective(caller, workflow, tenant));
    const resolvedActor = await this.actorOf(event, actor);
    return {
      event,
      workflow,
      ...shared,
      ...this.linksFor(tenant),
      ...(tenant && { tenant }),
      ...(event.tenant !== undefined && !tenant && { isTenantMissing: true }),
      ...(resolvedActor && { actor: resolvedActor }),
      ...(override?.id !== undefined &&
        override.preferenceSettings && { override: { id: override.id, channels: override.preferenceSettings } }),
    };
  }

  private linksFor(tenant: RunTenant | undefined): Pick<EventFacts, 'links'> {
    const links = this.recipientLinks.at(tenant?.publicUrl);
    return links === undefined ? {} : { links };
  }
}

const CACHED_EVENTS = 2_000;

export interface PlannedEvent {
  readonly facts: EventFacts;
  readonly recipients: readonly ResolvedSubscriber[];
  /** Of the recipients, by record id; read for the plan where they are absent. */
  readonly preferences?: ReadonlyMap<string, SubscriberPreferences>;
}

export interface LoadedRuns {
  readonly runs: Run[];
  readonly lost: {
    readonly record: NotificationRecord;
    readonly reason: 'event_missing' | 'workflow_version_missing';
  }[];
}

/** Puts records together with what their steps may use, a whole batch with few queries. */
@Injectable()
export class RunLoader {
  /** An accepted event changes only in its expansion, which runs do not use. */
  private readonly events = new LRUCache<string, TriggerEventRecord>({ max: CACHED_EVENTS });

  constructor(
    private readonly eventStore: TriggerEventStore,
    private readonly eventFacts: EventFactsReader,
    private readonly subscribers: SubscribersService,
    private readonly preferences: PreferencesService,
    private readonly integrations: IntegrationsService,
    private readonly queues: DeliveryQueues,
  ) {}

  async plan(planned: readonly PlannedEvent[], lease: string, now: Date): Promise<Run[]> {
    const runs: Run[] = [];
    const unread: Run[] = [];
    for (const { facts, recipients, preferences } of planned) {
      const pushProvider = await this.pushProviderOf(facts);
      const described =
        facts.event.forThisEventOnly === true ? await this.describedAll(facts.event, recipients) : recipients;
      for (const run of this.planEvent(facts, described, lease, now)) {
        for (const step of run.record.steps) if (step.type === 'push' && pushProvider) step.providerId = pushProvider;
        if (preferences === undefined) unread.push(run);
        else prefer(run, preferences.get(run.facts.subscriber._id));
        runs.push(run);
      }
    }
    await this.attachPreferences(unread);
    return runs;
  }

  /** Provider of the integration that push steps use, whether or not a subscriber can be reached by it. */
  private async pushProviderOf({ workflow, event }: EventFacts): Promise<string | undefined> {
    if (!workflow.steps.some(({ type }) => type === 'push')) return undefined;
    const [first] = await this.integrations.candidates(tenantOf(event), 'push');
    return first?.providerId;
  }

  private planEvent(facts: EventFacts, recipients: Iterable<ResolvedSubscriber>, lease: string, now: Date): Run[] {
    const { event, workflow, ...own } = facts;
    const runs: Run[] = [];
    for (const subscriber of recipients) {
      runs.push({
        record: planRun(workflow, event, subscriber, now),
        isStored: false,
        wasClaimed: false,
        lease,
        seenAt: this.queues.events.grantedAt(event),
        event,
        workflow,
        facts: { ...own, subscriber },
        effects: new Effects(),
      });
    }
    return runs;
  }

  /** Plans the runs of some recipients of an event again. @param ids record ids of subscribers; deleted ones have none */
  async planFor(event: TriggerEventRecord, ids: readonly string[]): Promise<Run[]> {
    const facts = (await this.eventFacts.read([event])).get(event._id.toHexString());
    if (facts === undefined) return [];
    const recipients = await this.subscribers.findByIds(tenantOf(event), ids);
    const lease = this.queues.notifications.newLease();
    return this.plan([{ facts, recipients: [...recipients.values()] }], lease, this.queues.now());
  }

  async load(records: readonly NotificationRecord[]): Promise<LoadedRuns> {
    const events = await this.findEvents(records);
    const facts = await this.eventFacts.read([...events.values()]);
    const subscribers = await this.findSubscribers(records, events);
    const loaded: LoadedRuns = { runs: [], lost: [] };
    for (const record of records) {
      const shared = facts.get(record._eventId.toHexString());
      const subscriber = shared?.event.test?.subscriber ?? subscribers.get(record._subscriberId.toHexString());
      if (shared === undefined) {
        const isEventKept = events.has(record._eventId.toHexString());
        loaded.lost.push({ record, reason: isEventKept ? 'workflow_version_missing' : 'event_missing' });
      } else if (subscriber !== undefined)
        loaded.runs.push(toRun(record, shared, await this.described(shared.event, subscriber), this.seenAt(record)));
      else loaded.runs.push(endingRun(record, shared, this.seenAt(record)));
    }
    await this.attachPreferences(loaded.runs);
    return loaded;
  }

  private describedAll(
    event: TriggerEventRecord,
    recipients: readonly ResolvedSubscriber[],
  ): Promise<ResolvedSubscriber[]> {
    return Promise.all(recipients.map(async (recipient) => this.described(event, recipient)));
  }

  private described(
    event: TriggerEventRecord,
    subscriber: ResolvedSubscriber,
  ): ResolvedSubscriber | Promise<ResolvedSubscriber> {
    const description = ownDescription(event, subscriber.subscriberId);
    return description === undefined
      ? subscriber
      : this.subscribers.describedAs(tenantOf(event), subscriber, description);
  }

  private seenAt(record: NotificationRecord): Date {
    return this.queues.notifications.grantedAt(record);
  }

  /** The facts of events that are about to be expanded, by event id. */
  factsOf(events: readonly TriggerEventRecord[]): Promise<Map<string, EventFacts>> {
    return this.eventFacts.read(events);
  }

  /** Keeps events in memory for their runs. Their expansion has ended: all runs are stored, and a cancellation marks them. */
  remember(events: Iterable<TriggerEventRecord>): void {
    for (const event of events) this.events.set(event._id.toHexString(), event);
  }

  forget(event: TriggerEventRecord): void {
    this.events.delete(event._id.toHexString());
  }

  private async findEvents(records: readonly NotificationRecord[]): Promise<Map<string, TriggerEventRecord>> {
    const found = new Map<string, TriggerEventRecord>();
    const missing = new Map<string, NotificationRecord>();
    for (const record of records) {
      const id = record._eventId.toHexString();
      const known = this.events.get(id);
      if (known) found.set(id, known);
      else missing.set(id, record);
    }
    for (const event of await this.eventStore.findOf([...missing.values()])) {
      // An event that is being expanded can still be canceled, so it is not cached.
      if (event.wakeAt === undefined) this.remember([event]);
      found.set(event._id.toHexString(), event);
    }
    return found;
  }

  /** Reads the preferences of subscribers: one query for each workflow of each environment; critical workflows need none. */
  private async attachPreferences(runs: readonly Run[]): Promise<void> {
    const groups = new Map<string, Run[]>();
    for (const run of runs) {
      if (run.workflow.critical) continue;
      const key = `${run.event._environmentId.toHexString()}:${run.workflow.id}`;
      const group = groups.get(key);
      if (group) group.push(run);
      else groups.set(key, [run]);
    }
    await Promise.all([...groups.values()].map((group) => this.attachGroup(group)));
  }

  private async attachGroup(group: readonly Run[]): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const ids = [...new Set(group.map(({ facts }) => facts.subscriber._id))];
    const found = await this.preferences.forSubscribers(tenantOf(first.event), ids, first.workflow.id);
    for (const run of group) prefer(run, found.get(run.facts.subscriber._id));
  }

  private async findSubscribers(
    records: readonly NotificationRecord[],
    events: ReadonlyMap<string, TriggerEventRecord>,
  ): Promise<Map<string, ResolvedSubscriber>> {
    const wanted = new Map<string, { event: TriggerEventRecord; ids: Set<string> }>();
    for (const record of records) {
      const event = events.get(record._eventId.toHexString());
      if (event === undefined) continue;
      const environment = record._environmentId.toHexString();
      const entry = wanted.get(environment) ?? { event, ids: new Set() };
      entry.ids.add(record._subscriberId.toHexString());
      wanted.set(environment, entry);
    }
    const maps = await Promise.all(
      [...wanted.values()].map(({ event, ids }) => this.subscribers.findByIds(tenantOf(event), [...ids])),
    );
    return new Map(maps.flatMap((map) => [...map]));
  }
}

function prefer({ facts }: Run, { global, workflow }: SubscriberPreferences = {}): void {
  if (global) facts.globalPreference = global;
  if (workflow) facts.workflowPreference = workflow;
}

/** It was stored after the cancellation had marked the runs of its event. Runs that are replayed are active again. */
function isStoredTooLate({ digestForOthers, steps }: NotificationRecord, { status }: TriggerEventRecord): boolean {
  return status === 'canceled' && digestForOthers !== true && steps.every(({ replays }) => replays === undefined);
}

/** The run of a deleted subscriber, which is canceled. */
function endingRun(record: NotificationRecord, shared: EventFacts, seenAt: Date): Run {
  const { _subscriberId, subscriberId } = record;
  const nobody = { _id: _subscriberId.toHexString(), subscriberId, channels: [], badAddresses: {} };
  const run = toRun(record, shared, nobody, seenAt);
  requestCancellation(record);
  return { ...run, facts: { ...run.facts, isSubscriberDeleted: true } };
}

function toRun(record: NotificationRecord, shared: EventFacts, subscriber: ResolvedSubscriber, seenAt: Date): Run {
  if (record.lease === undefined) throw new Error('A run was claimed without a lease.');
  const { event, workflow, ...own } = shared;
  if (isStoredTooLate(record, event)) requestCancellation(record);
  return {
    record,
    isStored: true,
    wasClaimed: true,
    lease: record.lease,
    seenAt,
    event,
    workflow,
    facts: { ...own, subscriber },
    ...(event.test?.digestEvents && { digestEvents: event.test.digestEvents }),
    effects: new Effects(),
  };
}
