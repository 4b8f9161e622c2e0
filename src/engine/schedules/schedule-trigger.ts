import { Injectable } from '@nestjs/common';
import { AppException } from '#libs/http-kit';
import { localTimeOf, SUBSCRIBER_ZONE } from '#libs/schedule';
import { EventsService, parseRecipients, TriggerEventDto, type TriggerResponse } from '../events/index.js';
import { callerOf } from './occurrences.js';
import type { LastOccurrence, Schedule } from './schedule.schema.js';

/** Triggers the workflow of a schedule as a client would. */
@Injectable()
export class ScheduleTrigger {
  constructor(private readonly events: EventsService) {}

  /** @param occurrence absent: now, whatever the rule @throws what a trigger throws */
  trigger(schedule: Schedule, transactionId: string, occurrence?: Date): Promise<TriggerResponse> {
    const { workflow: name, payload, tenant, actor, timezone } = schedule;
    const topics = schedule.topics.map((topicKey) => ({ type: 'Topic', topicKey }));
    const event = Object.assign(new TriggerEventDto(), {
      name,
      to: parseRecipients([...schedule.subscribers, ...topics]),
      payload,
      transactionId,
      ...(tenant !== undefined && { tenant }),
      ...(actor !== undefined && { actor }),
    });
    const localTime = occurrence && timezone === SUBSCRIBER_ZONE ? localTimeOf(occurrence) : undefined;
    return this.events.triggerAt(callerOf(schedule), event, localTime);
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
