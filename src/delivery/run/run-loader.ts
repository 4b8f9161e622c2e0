import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { IntegrationsService } from '../../integrations/index.js';
import { type NotificationRecord } from '../records/notification.record.js';
import { type TriggerEventRecord } from '../records/trigger-event.record.js';
import { TriggerEventStore } from '../records/trigger-event-store.js';
import { type ResolvedSubscriber, SubscribersService } from '../../subscribers/index.js';
import { planRun } from './plan-run.js';
import { Effects, type Run, tenantOf } from './run.js';
import { type EventFacts, EventFactsReader } from './event-facts.js';
import { PreferenceFacts } from './preference-facts.js';

/** Events that are kept at hand for runs that come back later. */
const CACHED_EVENTS = 2_000;

/** Records that cannot be run any more, and why. */
export interface LoadedRuns {
  readonly runs: Run[];
  readonly lost: { readonly record: NotificationRecord; readonly reason: 'event_missing' | 'subscriber_missing' }[];
}

/** Makes runs: puts records together with what their steps may know, a whole batch with few queries. */
@Injectable()
export class RunLoader {
  /** What was accepted never changes but in its expansion, which runs do not look at. */
  private readonly events = new LRUCache<string, TriggerEventRecord>({ max: CACHED_EVENTS });

  constructor(
    private readonly eventStore: TriggerEventStore,
    private readonly eventFacts: EventFactsReader,
    private readonly subscribers: SubscribersService,
    private readonly preferences: PreferenceFacts,
    private readonly integrations: IntegrationsService,
  ) {}

  /** Runs of recipients of events, not stored yet. */
  async plan(
    planned: readonly { facts: EventFacts; recipients: Iterable<ResolvedSubscriber> }[],
    lease: string,
    now: Date,
  ): Promise<Run[]> {
    const runs: Run[] = [];
    for (const { facts, recipients } of planned) {
      const pushProvider = await this.pushProviderOf(facts);
      for (const run of this.planEvent(facts, recipients, lease, now)) {
        for (const step of run.record.steps) if (step.type === 'push' && pushProvider) step.providerId = pushProvider;
        runs.push(run);
      }
    }
    await this.preferences.attach(runs);
    return runs;
  }

  /** Provider of the integration that push steps are meant for, whether or not a subscriber can be reached by it. */
  private async pushProviderOf({ workflow, event }: EventFacts): Promise<string | undefined> {
    if (!workflow.steps.some(({ type }) => type === 'push')) return undefined;
    const [first] = await this.integrations.candidates(tenantOf(event), 'push');
    return first?.providerId;
  }

  private planEvent(facts: EventFacts, recipients: Iterable<ResolvedSubscriber>, lease: string, now: Date): Run[] {
    const runs: Run[] = [];
    for (const subscriber of recipients) {
      runs.push({
        record: planRun(facts.workflow, facts.event, subscriber, now),
        isStored: false,
        wasClaimed: false,
        lease,
        event: facts.event,
        workflow: facts.workflow,
        facts: { ...sharedFacts(facts), subscriber },
        effects: new Effects(),
      });
    }
    return runs;
  }

  /** Runs of records that were claimed. */
  async load(records: readonly NotificationRecord[]): Promise<LoadedRuns> {
    const events = await this.findEvents(records);
    const facts = await this.eventFacts.read([...events.values()]);
    const subscribers = await this.findSubscribers(records, events);
    const loaded: LoadedRuns = { runs: [], lost: [] };
    for (const record of records) {
      const shared = facts.get(record._eventId.toHexString());
      const subscriber = subscribers.get(record._subscriberId.toHexString());
      if (shared === undefined) loaded.lost.push({ record, reason: 'event_missing' });
      else if (subscriber === undefined) loaded.lost.push({ record, reason: 'subscriber_missing' });
      else loaded.runs.push(toRun(record, shared, subscriber));
    }
    await this.preferences.attach(loaded.runs);
    return loaded;
  }

  /** Keeps an event at hand, for runs that come back soon. */
  remember(event: TriggerEventRecord): void {
    this.events.set(event._id.toHexString(), event);
  }

  /** Has an event read anew: it was called off. */
  forget(event: TriggerEventRecord): void {
    this.events.delete(event._id.toHexString());
  }

  private async findEvents(records: readonly NotificationRecord[]): Promise<Map<string, TriggerEventRecord>> {
    const found = new Map<string, TriggerEventRecord>();
    const missing = new Map<string, NotificationRecord['_eventId']>();
    for (const { _eventId } of records) {
      const id = _eventId.toHexString();
      const known = this.events.get(id);
      if (known) found.set(id, known);
      else missing.set(id, _eventId);
    }
    for (const event of await this.eventStore.findByIds([...missing.values()])) {
      // While somebody is at it, it may still be called off.
      if (event.wakeAt === undefined) this.remember(event);
      found.set(event._id.toHexString(), event);
    }
    return found;
  }

  /** By record id. */
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

function toRun(record: NotificationRecord, shared: EventFacts, subscriber: ResolvedSubscriber): Run {
  if (record.lease === undefined) throw new Error('A run was taken up without a lease.');
  // It was stored after the cancellation had gone through the runs, and the second look is still to come.
  const isCanceled = shared.event.status === 'canceled' && shared.event.wakeAt !== undefined;
  if (isCanceled && record.digestForOthers !== true) record.cancelRequested = true;
  return {
    record,
    isStored: true,
    wasClaimed: true,
    lease: record.lease,
    event: shared.event,
    workflow: shared.workflow,
    facts: { ...sharedFacts(shared), subscriber },
    effects: new Effects(),
  };
}

function sharedFacts({
  branding,
  tenant,
  isTenantMissing,
  actor,
  override,
}: EventFacts): Omit<Run['facts'], 'subscriber' | 'globalPreference' | 'workflowPreference'> {
  return {
    branding,
    ...(tenant && { tenant }),
    ...(isTenantMissing && { isTenantMissing }),
    ...(actor && { actor }),
    ...(override && { override }),
  };
}
