import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { type ForeseenSubscriber, SubscribersService } from '../../../audience/subscribers/index.js';
import type { ResolvedWorkflow } from '../../../content/workflows/index.js';
import { type GroupCounts, GroupPages, sourceAfter } from '../expansion/group-pages.js';
import { RecipientPages } from '../expansion/recipient-pages.js';
import type { Checkpoint, NewEvent, RunTenant, TriggerEventRecord } from '../records/trigger-event.js';
import { toRunWorkflow } from '../records/workflow-version.js';
import { type EventFacts, EventFactsReader } from '../run/run-loader.js';
import { tenantOf } from '../run/run.js';
import type { RehearsalChoices } from '../run/step-handler.js';
import { Rehearsal, type RehearsedRun } from './rehearsal.js';

export interface EventToRehearse {
  readonly event: NewEvent;
  readonly workflow: ResolvedWorkflow;
  /** The tenant as the trigger would leave it. */
  readonly tenant?: RunTenant;
  readonly choices?: RehearsalChoices;
}

export interface RehearsedRecipient extends RehearsedRun {
  readonly change: ForeseenSubscriber['change'];
}

export interface RehearsedEvent extends GroupCounts {
  readonly recipients: readonly RehearsedRecipient[];
}

/** An event as it would be stored. */
export function acceptedNow(event: NewEvent, now: Date): TriggerEventRecord {
  return { ...event, status: 'expanding', claims: 0, expanded: 0, createdAt: now, updatedAt: now };
}

/** Rehearses events that are not accepted: their recipients, and what each of them would get. */
@Injectable()
export class EventRehearsals {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly groups: GroupPages,
    private readonly pages: RecipientPages,
    private readonly facts: EventFactsReader,
    private readonly rehearsal: Rehearsal,
    private readonly clock: Clock,
  ) {}

  /** @param limit how many recipients are rehearsed @throws {RenderingIsBusy} */
  async rehearse({ event, workflow, tenant, choices }: EventToRehearse, limit: number): Promise<RehearsedEvent> {
    const record = acceptedNow(event, this.clock.now());
    const facts = await this.factsOf(record, workflow, tenant);
    const recipients = await this.recipientsOf(record, limit);
    const changes = new Map(recipients.map(({ subscriber, change }) => [subscriber._id, change]));
    const runs = await this.rehearsal.rehearse(
      facts,
      recipients.map(({ subscriber }) => subscriber),
      choices,
    );
    return {
      ...(await this.groups.countsOf(record)),
      recipients: runs.map((run) => ({ ...run, change: changes.get(run.run.facts.subscriber._id) ?? 'none' })),
    };
  }

  private async factsOf(
    event: TriggerEventRecord,
    workflow: ResolvedWorkflow,
    tenant: RunTenant | undefined,
  ): Promise<EventFacts> {
    const facts = await this.facts.readFor(event, toRunWorkflow(workflow));
    const { actor } = event;
    const foreseen = actor && (await this.subscribers.foresee(tenantOf(event), [actor])).get(actor.subscriberId);
    return { ...facts, ...(tenant && { tenant }), ...(foreseen && { actor: foreseen.subscriber }) };
  }

  /** The first recipients in the order in which the expansion takes them. */
  private async recipientsOf(event: TriggerEventRecord, limit: number): Promise<ForeseenSubscriber[]> {
    const { list } = event.recipients;
    const listed = await this.subscribers.foresee(tenantOf(event), list.slice(0, limit));
    const found = new Map([...listed.values()].map((one) => [one.subscriber._id, asStored(event, one)]));
    let at: Checkpoint | undefined = sourceAfter(0, event.recipients);
    while (at !== undefined && found.size < limit) {
      const page = await this.pages.read(event, at);
      for (const subscriber of page.recipients) {
        if (found.size < limit && !found.has(subscriber._id)) found.set(subscriber._id, { subscriber, change: 'none' });
      }
      at = page.next;
    }
    return [...found.values()];
  }
}

/** An event that may not change subscribers stores their ids alone. */
function asStored(event: TriggerEventRecord, one: ForeseenSubscriber): ForeseenSubscriber {
  return event.forThisEventOnly === true && one.change === 'update' ? { ...one, change: 'none' } : one;
}
