import { Injectable } from '@nestjs/common';
import { Clock, OnDomainEvent, type TenantContext } from '#libs/common';
import { NotificationStore, RunsEnded, type TriggerEventRecord, TriggerEventStore } from '../delivery/index.js';
import { EventOutcomes, MS_PER_NOTIFICATION } from './event-outcomes.js';
import { type EventResponse, showAcceptedEvent } from './event.response.js';

const BATCH = 50;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** An event that waits for long may be canceled, notification by notification. */
const LONGEST_MS = 60 * MINUTE_MS;

interface EndedEvent {
  readonly owner: Pick<TenantContext, 'organizationId' | 'environmentId'>;
  readonly event: TriggerEventRecord;
  /** As GET /v1/events/trigger/{transactionId} shows it. */
  readonly shown: EventResponse;
}

/**
 * Finds events that have ended, in environments that ask for it; events of others store nothing. Several processes may check the same event,
 * so telling must be idempotent.
 */
@Injectable()
export class EventEnds {
  private isWanted: (environmentId: string) => Promise<boolean> = () => Promise.resolve(false);

  constructor(
    private readonly events: TriggerEventStore,
    private readonly notifications: NotificationStore,
    private readonly outcomes: EventOutcomes,
    private readonly clock: Clock,
  ) {}

  tellWhere(isWanted: (environmentId: string) => Promise<boolean>): void {
    this.isWanted = isWanted;
  }

  /** What a new event of an environment stores. */
  async markFor({ environmentId }: TenantContext): Promise<Pick<TriggerEventRecord, 'lookForEndAt'>> {
    return (await this.isWanted(environmentId)) ? { lookForEndAt: this.clock.now() } : {};
  }

  /** Those of large events end one after the other, and are not counted each time. */
  @OnDomainEvent(RunsEnded)
  async onRunsEnded({ events }: RunsEnded): Promise<void> {
    const now = this.clock.now().getTime();
    await this.events.collection.bulkWrite(
      events.map(({ _id, _environmentId, transactionId, expanded = 0 }) => ({
        updateOne: {
          filter: { _id, _environmentId, transactionId, lookForEndAt: { $exists: true } },
          // Later than now: a look that has not seen this end sets another time only where this one is not set.
          update: { $set: { lookForEndAt: new Date(now + Math.ceil(1 + expanded * MS_PER_NOTIFICATION)) } },
        },
      })),
      { ordered: false },
    );
  }

  /** Looks at the events whose time has come. @returns whether there may be more */
  async look(tell: (ended: EndedEvent) => Promise<void>): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.events.collection
      .find({ lookForEndAt: { $lte: now } })
      .sort({ lookForEndAt: 1 })
      .limit(BATCH)
      .toArray();
    await Promise.all(due.map((event) => this.lookAt(event, now, tell)));
    return due.length === BATCH;
  }

  private async lookAt(
    event: TriggerEventRecord,
    now: Date,
    tell: (ended: EndedEvent) => Promise<void>,
  ): Promise<void> {
    // While it is expanded, nothing needs to be counted.
    const outcome = event.wakeAt === undefined ? await this.outcomes.now(event) : undefined;
    if (outcome?.ended === true) {
      const { _environmentId, _organizationId } = event;
      const owner = { organizationId: _organizationId.toHexString(), environmentId: _environmentId.toHexString() };
      await tell({ owner, event, shown: showAcceptedEvent(event, outcome) });
    }
    const next = outcome?.ended === true ? undefined : await this.nextLook(event, now);
    const { _id, _environmentId, transactionId, lookForEndAt } = event;
    await this.events.collection.updateOne(
      { _id, _environmentId, transactionId, ...(lookForEndAt && { lookForEndAt }) },
      next === undefined ? { $unset: { lookForEndAt: 1 } } : { $set: { lookForEndAt: next } },
    );
  }

  /**
   * For what ends without a word, because a process died: the older the event, the later; not before the first of its notifications
   * is due.
   */
  private async nextLook({ _environmentId, transactionId, createdAt }: TriggerEventRecord, now: Date): Promise<Date> {
    const ageMs = now.getTime() - createdAt.getTime();
    const soon = now.getTime() + Math.min(Math.max(ageMs / 4, SECOND_MS), MINUTE_MS);
    const [first] = await this.notifications.collection
      .find({ _environmentId, transactionId, status: 'active', wakeAt: { $exists: true } })
      .project<{ wakeAt: Date }>({ wakeAt: 1 })
      .sort({ wakeAt: 1 })
      .limit(1)
      .toArray();
    if (first === undefined) return new Date(soon);
    return new Date(Math.max(soon, Math.min(first.wakeAt.getTime() + SECOND_MS, now.getTime() + LONGEST_MS)));
  }
}
