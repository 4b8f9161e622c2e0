import { Injectable } from '@nestjs/common';
import { AppException } from '#libs/http-kit';
import { localTimeOf, SUBSCRIBER_ZONE } from '#libs/schedule';
import {
  type DryRunResponse,
  DryRunService,
  EventsService,
  parseRecipients,
  TriggerEventDto,
  type TriggerResponse,
} from '../events/index.js';
import { callerOf } from './occurrences.js';
import type { LastOccurrence, Schedule } from './schedule.schema.js';

/** Triggers the workflow of a schedule as a client would. */
@Injectable()
export class ScheduleTrigger {
  constructor(
    private readonly events: EventsService,
    private readonly dryRuns: DryRunService,
  ) {}

  /** @param occurrence absent: now, whatever the rule @throws what a trigger throws */
  trigger(schedule: Schedule, transactionId: string, occurrence?: Date): Promise<TriggerResponse> {
    const isOfSubscribers = schedule.timezone === SUBSCRIBER_ZONE;
    const localTime = occurrence && isOfSubscribers ? localTimeOf(occurrence) : undefined;
    return this.events.triggerAt(callerOf(schedule), eventOf(schedule, transactionId), localTime);
  }

  /** @param limit recipients to show @throws what a trigger throws @throws {RenderingIsBusy} */
  dryRun(schedule: Schedule, limit: number): Promise<DryRunResponse> {
    return this.dryRuns.run(callerOf(schedule), eventOf(schedule), limit);
  }

  async isAccepted(schedule: Schedule, transactionId: string): Promise<boolean> {
    return this.events.isAccepted(callerOf(schedule), transactionId);
  }

  /** Refusals are outcomes, too: the next occurrence comes nevertheless. @throws if the store is not available */
  async outcomeOf(schedule: Schedule, at: Date, transactionId: string): Promise<LastOccurrence> {
    try {
      const { status, hint } = await this.trigger(schedule, transactionId, at);
      return { at, status, transactionId, ...(status !== 'processed' && hint !== undefined && { error: hint }) };
    } catch (error) {
      if (!(error instanceof AppException)) throw error;
      return { at, status: 'error', transactionId, error: [error.messages].flat().join('; ').slice(0, 1_000) };
    }
  }
}

function eventOf(
  { workflow, payload, tenant, actor, subscribers, topics }: Schedule,
  transactionId?: string,
): TriggerEventDto {
  const event = new TriggerEventDto();
  event.name = workflow;
  event.to = parseRecipients([...subscribers, ...topics.map((topicKey) => ({ type: 'Topic', topicKey }))]);
  event.payload = payload;
  if (transactionId !== undefined) event.transactionId = transactionId;
  if (tenant !== undefined) event.tenant = tenant;
  if (actor !== undefined) event.actor = actor;
  return event;
}
