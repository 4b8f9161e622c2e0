import { Injectable } from '@nestjs/common';
import { EventBus } from '#libs/common';
import { AwaitingRuns } from '../delivery/index.js';
import { EventsService } from '../events/index.js';
import { QuestionCopies } from '../messages/marks/index.js';
import { callerOf, QuestionAsking } from './question-asking.js';
import { AgentRequestApproved, QuestionAnswerGiven, QuestionSettled } from './question.events.js';
import { QuestionChats } from './question-chats.js';
import { showSettled } from './question.response.js';
import { APPROVE } from './question-rules.js';
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
    private readonly chats: QuestionChats,
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
    const text = await this.chats.endOf(row);
    await this.copies.close(caller, transactions, { text, question: resultOf(row) });
    if (row.request !== undefined && row.outcome?.value === APPROVE)
      await this.bus.publish(new AgentRequestApproved(row));
    await this.bus.publish(new QuestionSettled(caller, showSettled(row)));
    await this.waits.signal(caller, { name: ANSWERED, payload: resultOf(row) });
    this.chats.sayToAll(row, transactions, text);
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
