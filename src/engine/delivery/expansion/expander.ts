import { Injectable } from '@nestjs/common';
import { FailPoint } from '#libs/common';
import { toObjectId } from '#libs/persistence';
import type { ResolvedSubscriber } from '../../../audience/subscribers/index.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { storedEntries } from '../records/descriptions.js';
import { type NotificationKey, NotificationStore } from '../records/notification.js';
import { type Checkpoint, START, type TriggerEventRecord, TriggerEventStore } from '../records/trigger-event.js';
import { type EventFacts, type PlannedEvent, RunLoader } from '../run/run-loader.js';
import { notificationIdFor, type Run } from '../run/run.js';
import { RunEngine } from '../run/run-engine.js';
import { PAGE, type RecipientPage, sourceAfter } from './group-pages.js';
import { PAGES_IN_FLIGHT, PagesInFlight } from './pages-in-flight.js';
import type { KnownRecipients } from './read-ahead.js';
import { RecipientPages, recipientsOf } from './recipient-pages.js';

/** Before events are expanded. */
export const EXPANDING = new FailPoint<readonly TriggerEventRecord[]>('event.expand');

/**
 * Turns accepted events into runs. It can be repeated from the last checkpoint at any time: runs that are stored already
 * stay as they are. Needs the lease of the events.
 */
@Injectable()
export class Expander {
  constructor(
    private readonly pages: RecipientPages,
    private readonly loader: RunLoader,
    private readonly engine: RunEngine,
    private readonly events: TriggerEventStore,
    private readonly notifications: NotificationStore,
    private readonly queues: DeliveryQueues,
  ) {}

  async expand(events: readonly TriggerEventRecord[]): Promise<TriggerEventRecord[]> {
    await EXPANDING.pass(events);
    // The actor of an event is created or updated like a recipient.
    await Promise.all(
      events.map(
        async (event) => event.actor && this.pages.resolve([{ event, entries: storedEntries(event, [event.actor]) }]),
      ),
    );
    const facts = await this.loader.factsOf(events);
    const small: EventFacts[] = [];
    const large: EventFacts[] = [];
    for (const event of events) {
      const shared = facts.get(event._id.toHexString());
      if (shared !== undefined) (isSmall(event) ? small : large).push(shared);
    }
    const unfinished = await this.expandTogether(small);
    for (const shared of large) unfinished.push(...(await this.expandAlone(shared)));
    return unfinished;
  }

  private async expandTogether(facts: readonly EventFacts[]): Promise<TriggerEventRecord[]> {
    if (facts.length === 0) return [];
    const planned = await this.resolveTogether(facts);
    const active = await this.launch(planned);
    const counts = new Map(
      planned.map(({ facts: { event }, recipients }) => [event._id.toHexString(), recipients.length]),
    );
    const events = facts.map(({ event }) => event);
    return this.finish(events, counts, active);
  }

  /**
   * Ends expansions that have reached everybody. An event that this worker no longer holds may be canceled, so it is read again for
   * its runs.
   * @param active events with runs that continue later
   * @returns those that were canceled
   */
  private async finish(
    events: readonly TriggerEventRecord[],
    counts: ReadonlyMap<string, number>,
    active: Iterable<TriggerEventRecord>,
  ): Promise<TriggerEventRecord[]> {
    const missed = await this.events.finish(events, counts, this.queues.now());
    if (missed > 0) return this.events.findCanceled(events);
    for (const event of active) event.expanded = counts.get(event._id.toHexString()) ?? event.expanded;
    this.loader.remember(active);
    return [];
  }

  private async resolveTogether(facts: readonly EventFacts[]): Promise<PlannedEvent[]> {
    const byEnvironment = new Map<string, EventFacts[]>();
    for (const shared of facts) {
      const key = shared.event._environmentId.toHexString();
      const group = byEnvironment.get(key);
      if (group) group.push(shared);
      else byEnvironment.set(key, [shared]);
    }
    const groups = await Promise.all([...byEnvironment.values()].map((group) => this.resolveGroup(group)));
    return this.withoutStored(groups.flat());
  }

  private async resolveGroup(group: readonly EventFacts[]): Promise<PlannedEvent[]> {
    const [first] = group;
    if (first === undefined) return [];
    const read = await Promise.all(
      group.map(async (facts) => {
        const known = await this.pages.readAhead(facts.event);
        return known && planOf(facts, known);
      }),
    );
    // An event of the group may describe a recipient that another one only names.
    const plans = read.filter((plan) => plan !== undefined);
    if (plans.length === group.length) return plans;
    const found = await this.pages.resolve(
      group.map(({ event }) => ({ event, entries: storedEntries(event, event.recipients.list) })),
    );
    return group.map((facts) => ({ facts, recipients: recipientsOf(facts.event, facts.event.recipients.list, found) }));
  }

  /** A large event is expanded page by page, each with a checkpoint, so that others get their turn in between. */
  private async expandAlone(facts: EventFacts): Promise<TriggerEventRecord[]> {
    const { event } = facts;
    const inFlight = new PagesInFlight(PAGES_IN_FLIGHT);
    try {
      const expanded = await this.expandPages(facts, inFlight);
      if (expanded === undefined) {
        await inFlight.abandon();
        return await this.events.findCanceled([event]);
      }
      return await this.finish([event], new Map([[event._id.toHexString(), expanded]]), [event]);
    } finally {
      await inFlight.abandon();
    }
  }

  /** @returns the number of recipients, or undefined when the event was canceled or its lease is lost */
  private async expandPages(facts: EventFacts, inFlight: PagesInFlight): Promise<number | undefined> {
    const { event } = facts;
    let at: Checkpoint | undefined = event.checkpoint ?? START;
    let expanded = event.expanded;
    while (at !== undefined) {
      if (inFlight.isFull && !(await inFlight.settleOldest())) return undefined;
      const page = await this.pages.read(event, at);
      // A recipient of this page may also be on one that is not stored yet.
      if (page.mayRepeat && !(await inFlight.settleAll())) return undefined;
      const mayBeStored = page.mayRepeat || isRepeated(event);
      const recipients = mayBeStored ? await this.notYetStored(event, page.recipients) : page.recipients;
      expanded += page.mayRepeat ? recipients.length : page.recipients.length;
      inFlight.add({
        stored: this.launch([{ facts, recipients }], timesOf(page, recipients)),
        checkpoint: this.checkpointOf(event, page.next, expanded),
      });
      at = page.next;
    }
    // A cancellation refuses the checkpoints, but all recipients are reached.
    if (!(await inFlight.settleAll())) await inFlight.settleStored();
    return expanded;
  }

  /** @param next where the following page begins; absent after the last one, which ends the expansion instead */
  private checkpointOf(
    event: TriggerEventRecord,
    next: Checkpoint | undefined,
    expanded: number,
  ): () => Promise<boolean> {
    if (next === undefined) return () => Promise.resolve(true);
    return () => this.events.checkpoint(event, next, expanded, this.queues.events.leaseEnd());
  }

  /**
   * Begins the runs of recipients, and resolves when they are stored. Where an event is expanded again, a worker may have
   * died over its steps: such runs are stored before their first step, and each is claimed on its own.
   * @returns the events with runs that continue later
   */
  private async launch(
    planned: readonly PlannedEvent[],
    times?: ReadonlyMap<string, Date>,
  ): Promise<Set<TriggerEventRecord>> {
    const runs = await this.loader.plan(planned, this.queues.notifications.newLease(), this.queues.now());
    if (times !== undefined) for (const run of runs) setBeginning(run, times.get(run.record.subscriberId));
    const repeated = runs.filter(({ event }) => isRepeated(event));
    const fresh = runs.filter(({ event }) => !isRepeated(event));
    if (repeated.length > 0) await this.engine.enqueue(repeated);
    if (fresh.length > 0) await this.engine.begin(fresh);
    return new Set(runs.filter(({ record }) => record.status === 'active').map(({ event }) => event));
  }

  private async withoutStored(planned: PlannedEvent[]): Promise<PlannedEvent[]> {
    const repeated = planned.filter(({ facts }) => isRepeated(facts.event));
    if (repeated.length === 0) return planned;
    const keys = repeated.flatMap(({ facts, recipients }) => recipients.map(keyFor(facts.event)));
    const existing = await this.notifications.existing(keys);
    return planned.map(({ facts, recipients, ...rest }) => ({
      ...rest,
      facts,
      recipients: recipients.filter((recipient) => !existing.has(keyFor(facts.event)(recipient)._id.toHexString())),
    }));
  }

  private async notYetStored(
    event: TriggerEventRecord,
    recipients: readonly ResolvedSubscriber[],
  ): Promise<ResolvedSubscriber[]> {
    const existing = await this.notifications.existing(recipients.map(keyFor(event)));
    return recipients.filter((recipient) => !existing.has(keyFor(event)(recipient)._id.toHexString()));
  }
}

/** When the runs of a page begin, by the client's own ids. */
function timesOf(
  { recipients: all, beginAt }: RecipientPage,
  recipients: readonly ResolvedSubscriber[],
): ReadonlyMap<string, Date> | undefined {
  if (beginAt === undefined) return undefined;
  const places = new Map(all.map(({ subscriberId }, place) => [subscriberId, place]));
  return new Map(recipients.map(({ subscriberId }) => [subscriberId, beginAt(places.get(subscriberId) ?? 0)]));
}

function setBeginning(run: Run, at: Date | undefined): void {
  if (at !== undefined) run.beginAt = at;
}

function planOf(facts: EventFacts, { subscribers, preferences }: KnownRecipients): PlannedEvent {
  const recipients = facts.event.recipients.list.flatMap(({ subscriberId }) => subscribers.get(subscriberId) ?? []);
  return { facts, recipients, preferences };
}

function keyFor({
  _id: eventId,
  _environmentId,
}: TriggerEventRecord): (recipient: ResolvedSubscriber) => NotificationKey {
  return ({ _id, subscriberId }) => ({
    _id: notificationIdFor(eventId, subscriberId),
    _environmentId,
    _subscriberId: toObjectId(_id),
  });
}

/** Events whose recipients are all named and few. Others are expanded page by page. */
export function isSmall({ recipients }: TriggerEventRecord): boolean {
  const { everybody, list } = recipients;
  return everybody !== true && sourceAfter(0, recipients) === undefined && list.length <= PAGE;
}

/** A worker has begun to expand it before, and may have died over it. */
export function isRepeated({ claims }: TriggerEventRecord): boolean {
  return claims > 0;
}
