import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { type Caller, Clock, OnDomainEvent, type TenantContext } from '#libs/common';
import { AppException, ValidationFailed } from '#libs/http-kit';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { QuestionButtonUsed } from '../messages/records/index.js';
import { AnswerSignatures } from './answer-signature.js';
import { QuestionDrafts } from './question-draft.js';
import { optionsOf } from './question-rules.js';
import type { AnswerValue, AnswerWay, Question } from './question.schema.js';
import { QuestionStore } from './question-store.js';
import { QuestionWorker } from './question-worker.js';
import {
  decisionOf,
  QuestionAlreadyAnswered,
  QuestionEnded,
  QuestionNotFound,
  SubscriberNotAsked,
} from './questions.errors.js';

/** Who answers, by the record of the subscriber. */
export interface Answering {
  readonly subscriber: { readonly _id: string; readonly subscriberId: string };
  readonly value: AnswerValue;
  readonly via: AnswerWay;
  /** Of who answers for the subscriber. */
  readonly apiKeyId?: string;
  /** In a chat. */
  readonly account?: string;
}

/** Takes answers. The same answer of the same person again is the same; whoever is too late is told who decided. */
@Injectable()
export class QuestionAnswers {
  constructor(
    private readonly store: QuestionStore,
    private readonly subscribers: SubscribersService,
    private readonly drafts: QuestionDrafts,
    private readonly worker: QuestionWorker,
    private readonly signatures: AnswerSignatures,
    private readonly clock: Clock,
  ) {}

  /** A server answers for a subscriber. @throws what `answer` throws */
  async answerFor(caller: Caller, id: string, subscriberId: string, value: AnswerValue): Promise<Question> {
    const subscriber = (await this.subscribers.findByExternalIds(caller, [subscriberId])).get(subscriberId);
    if (subscriber === undefined) throw new SubscriberNotAsked(subscriberId);
    return this.answer(caller, id, { subscriber, value, via: 'api', apiKeyId: caller.apiKeyId });
  }

  /**
   * @returns the question with the answer
   * @throws {QuestionNotFound} @throws {SubscriberNotAsked} @throws {QuestionEnded} @throws {QuestionAlreadyAnswered} @throws {ValidationFailed}
   */
  async answer(tenant: Pick<TenantContext, 'environmentId'>, id: string, answering: Answering): Promise<Question> {
    const { subscriber, value, via, apiKeyId, account } = answering;
    for (;;) {
      const row = await this.store.find(tenant, id);
      if (row === undefined) throw new QuestionNotFound(id);
      if (!row.people.some(({ _id }) => _id.equals(subscriber._id)))
        throw new SubscriberNotAsked(subscriber.subscriberId);
      const own = row.answers.find(({ _subscriberId }) => _subscriberId.equals(subscriber._id));
      if (own?.value === value) return row;
      const ended = decisionOf(row);
      if (ended !== undefined) throw new QuestionEnded(...ended);
      if (own !== undefined) throw new QuestionAlreadyAnswered(subscriber.subscriberId, String(own.value));
      const fault = await this.drafts.faultOf(tenant, row, value);
      if (fault !== undefined) throw new ValidationFailed([`value ${fault}`]);
      const at = this.clock.now();
      // Whoever comes after the time limit ends the question by it, as a worker would.
      if (row.expiresAt <= at) {
        await this.store.expire(row);
        continue;
      }
      const _subscriberId = new Types.ObjectId(subscriber._id);
      const said = { _subscriberId, value, via, at, ...(apiKeyId !== undefined && { apiKeyId }) };
      const signature = this.signatures.sign(row._id, said);
      const { subscriberId } = subscriber;
      if (
        await this.store.answer(row, { ...said, subscriberId, signature, ...(account !== undefined && { account }) })
      ) {
        this.worker.wake();
      }
    }
  }

  /** Before the message shows that the button was used. */
  @OnDomainEvent(QuestionButtonUsed)
  async buttonUsed(used: QuestionButtonUsed): Promise<void> {
    const { tenant, questionId, subscriber, button, isUndone } = used;
    const before = await this.store.find(tenant, questionId);
    // It is no longer kept; the button of its message is one like others.
    if (before === undefined) return;
    const value = optionsOf(before)[button === 'primary' ? 0 : 1]?.id;
    const isRefused = isUndone || (value !== undefined && (await this.isRefused(used, value)));
    const row = isRefused ? await this.store.find(tenant, questionId) : undefined;
    const own = row?.answers.find(({ _subscriberId }) => _subscriberId.equals(subscriber._id));
    const ended = row && decisionOf(row);
    if (own !== undefined) used.answered = String(own.value);
    else if (ended !== undefined) used.ended = ended;
  }

  private async isRefused(
    { tenant, questionId, subscriber }: QuestionButtonUsed,
    value: AnswerValue,
  ): Promise<boolean> {
    try {
      await this.answer(tenant, questionId, { subscriber, value, via: 'inbox' });
      return false;
    } catch (error) {
      if (!(error instanceof AppException) || error.status >= 500) throw error;
      return true;
    }
  }
}
