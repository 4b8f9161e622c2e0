import { Injectable } from '@nestjs/common';
import { EventBus } from '#libs/common';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { AwaitingRuns } from '../delivery/index.js';
import { EventsService } from '../events/index.js';
import { QuestionCopies } from '../messages/marks/index.js';
import { callerOf, QuestionAsking } from './question-asking.js';
import { AgentRequestApproved, QuestionAnswerGiven, QuestionSettled } from './question.events.js';
import { showSettled } from './question.response.js';
import { APPROVE, labelOf } from './question-rules.js';
import type { Question } from './question.schema.js';

/** The signal that tells those who wait for it. */
export const ANSWERED = 'question.answered';

/** Tells everybody of answers and of the outcome: each part again is the same. */
@Injectable()
export class QuestionClosing {
  constructor(
    private readonly asking: QuestionAsking,
    private readonly events: EventsService,
    private readonly copies: QuestionCopies,
    private readonly waits: AwaitingRuns,
    private readonly subscribers: SubscribersService,
    private readonly bus: EventBus,
  ) {}

  /** The audit log gets what it does not have. */
  async tell(row: Question): Promise<void> {
    for (const answer of row.answers.slice(row.told)) {
      await this.bus.publish(new QuestionAnswerGiven(callerOf(row), row._id.toHexString(), row.kind, answer));
    }
  }

  /** @throws {CancellationPending} while a worker holds a message of it */
  async close(row: Question): Promise<void> {
    const caller = callerOf(row);
    const transactions = await this.asking.stop(row);
    // Nobody is asked any more. What is stored by then says who decided.
    for (const id of transactions) await this.events.cancel(caller, id);
    await this.copies.close(caller, transactions, { text: await this.textOf(row), question: resultOf(row) });
    if (row.request !== undefined && row.outcome?.value === APPROVE)
      await this.bus.publish(new AgentRequestApproved(row));
    await this.bus.publish(new QuestionSettled(caller, showSettled(row)));
    await this.waits.signal(caller, { name: ANSWERED, payload: resultOf(row) });
  }

  private async textOf(row: Question): Promise<string> {
    const { status, outcome } = row;
    if (status === 'canceled') return 'The question was canceled.';
    if (outcome?.value === undefined) return `The question ended without an answer.`;
    const label = labelOf(row, outcome.value);
    const id = outcome.by?.type === 'subscriber' ? outcome.by.id : undefined;
    if (outcome.by?.name !== undefined) return `Answered by ${outcome.by.name}: ${label}`;
    if (id === undefined) return `Nobody answered in time: ${label}`;
    const person = await this.subscribers.findById(callerOf(row), id);
    const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ');
    return `Answered by ${name === '' ? (person?.subscriberId ?? 'somebody who was deleted') : name}: ${label}`;
  }
}

/** What waits, later steps and messages get of an outcome. */
export function resultOf({ _id, status, outcome }: Question): Record<string, unknown> {
  const { value, by, at } = outcome ?? {};
  return {
    questionId: _id.toHexString(),
    status,
    ...(value !== undefined && { value }),
    ...(by && { by: { type: by.type, ...(by.subscriberId !== undefined && { subscriberId: by.subscriberId }) } }),
    ...(at && { at: at.toISOString() }),
  };
}
