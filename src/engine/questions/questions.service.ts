import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Caller, TenantContext } from '#libs/common';
import { Page } from '#libs/http-kit';
import { isDuplicateKey, NEWEST_FIRST, type TenantModel, withoutNullish } from '#libs/persistence';
import { AnswerSignatures } from './answer-signature.js';
import type { CreateQuestionDto, Decision, ListQuestionsQuery } from './question.dto.js';
import { type Origin, QuestionDrafts } from './question-draft.js';
import { type QuestionResponse, showQuestion } from './question.response.js';
import { Question, type QuestionOutcome } from './question.schema.js';
import { QuestionStore } from './question-store.js';
import { QuestionWaits } from './question-waits.js';
import { QuestionWorker } from './question-worker.js';
import {
  DecisionNeedsPerson,
  decisionOf,
  QuestionEnded,
  QuestionIsForAsked,
  QuestionNotFound,
} from './questions.errors.js';

@Injectable()
export class QuestionsService {
  constructor(
    @InjectModel(Question.name) private readonly questions: TenantModel<Question>,
    private readonly store: QuestionStore,
    private readonly drafts: QuestionDrafts,
    private readonly worker: QuestionWorker,
    private readonly signatures: AnswerSignatures,
    private readonly waits: QuestionWaits,
  ) {}

  /** A worker asks it: nothing is sent before it is stored. @throws {ValidationFailed} */
  async create(caller: Caller, dto: CreateQuestionDto, origin: Origin = {}): Promise<QuestionResponse> {
    const { id } = origin;
    const known = id && (await this.store.find(caller, id.toHexString()));
    if (known !== undefined) return this.show(known);
    const draft = await this.drafts.draft(caller, dto, origin);
    try {
      const row = await this.questions.create({ ...draft, ...(id && { _id: id }) });
      this.worker.wake();
      return this.show(row.toObject());
    } catch (error) {
      if (id === undefined || !isDuplicateKey(error)) throw error;
      return this.get(caller, id.toHexString());
    }
  }

  /** Newest first. */
  async list(tenant: TenantContext, query: ListQuestionsQuery): Promise<Page<QuestionResponse>> {
    const { page, limit, subscriberId, status } = query;
    const where = withoutNullish({ 'people.subscriberId': subscriberId, status });
    const { rows, hasMore } = await this.questions.page(tenant, where, { page, limit, sort: NEWEST_FIRST });
    return new Page(
      rows.map((row) => this.show(row)),
      page,
      limit,
      hasMore,
    );
  }

  /** @throws {QuestionNotFound} */
  async get(tenant: TenantContext, id: string): Promise<QuestionResponse> {
    return this.show(await this.find(tenant, id));
  }

  /** @returns as soon as it has its outcome, and at the end of the time what it is then @throws {QuestionNotFound} */
  async wait(tenant: TenantContext, id: string, seconds: number): Promise<QuestionResponse> {
    const until = performance.now() + seconds * 1_000;
    for (;;) {
      const row = await this.find(tenant, id);
      const left = until - performance.now();
      if (row.status !== 'open' || left <= 0 || !(await this.waits.end(id, left))) return this.show(row);
    }
  }

  /** @throws {QuestionNotFound} @throws {QuestionEnded} */
  async cancel(caller: Caller, id: string): Promise<QuestionResponse> {
    for (;;) {
      const row = await this.find(caller, id);
      if (row.status === 'canceled') return this.show(row);
      const ended = decisionOf(row);
      if (ended !== undefined) throw new QuestionEnded(...ended);
      if (await this.store.cancel(row, byCaller(caller))) this.worker.wake();
    }
  }

  /**
   * A person of the console decides about the request of an agent.
   * @throws {QuestionNotFound} @throws {QuestionEnded} @throws {DecisionNeedsPerson} @throws {QuestionIsForAsked}
   */
  async decide(caller: Caller, id: string, value: Decision): Promise<QuestionResponse> {
    if (caller.person === undefined) throw new DecisionNeedsPerson();
    for (;;) {
      const row = await this.find(caller, id);
      if (row.request === undefined) throw new QuestionIsForAsked();
      const by = byCaller(caller);
      if (row.outcome?.value === value && row.outcome.by?.id === by.id) return this.show(row);
      const ended = decisionOf(row);
      if (ended !== undefined) throw new QuestionEnded(...ended);
      if (await this.store.decide(row, value, by)) this.worker.wake();
    }
  }

  /** @throws {QuestionNotFound} */
  private async find(tenant: TenantContext, id: string): Promise<Question> {
    const row = await this.store.find(tenant, id);
    if (row === undefined) throw new QuestionNotFound(id);
    return row;
  }

  /** Undefined if there is none. */
  look(tenant: Pick<TenantContext, 'environmentId'>, id: string): Promise<Question | undefined> {
    return this.store.find(tenant, id);
  }

  show(row: Question): QuestionResponse {
    return showQuestion(row, (answer) => this.signatures.isValid(row._id, answer));
  }
}

function byCaller({ person, apiKeyId }: Caller): NonNullable<QuestionOutcome['by']> {
  return person === undefined
    ? { type: 'api_key', id: apiKeyId }
    : { type: 'user', id: person.userId, name: person.name };
}
