import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import type { Caller, TenantContext } from '#libs/common';
import { Page } from '#libs/http-kit';
import { isDuplicateKey, NEWEST_FIRST, type TenantModel, withoutNullish } from '#libs/persistence';
import { AnswerSignatures } from './answer-signature.js';
import type { CreateQuestionDto, ListQuestionsQuery } from './question.dto.js';
import { QuestionDrafts } from './question-draft.js';
import { type QuestionResponse, showQuestion } from './question.response.js';
import { Question, type QuestionOutcome } from './question.schema.js';
import { QuestionStore } from './question-store.js';
import { QuestionWaits } from './question-waits.js';
import { QuestionWorker } from './question-worker.js';
import { decisionOf, QuestionEnded, QuestionNotFound } from './questions.errors.js';

/** A question that a step asks: the same at each attempt. */
export interface AskedByStep {
  readonly id: Types.ObjectId;
  readonly depth: number;
}

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
  async create(caller: Caller, dto: CreateQuestionDto, step?: AskedByStep): Promise<QuestionResponse> {
    const known = step && (await this.store.find(caller, step.id.toHexString()));
    if (known !== undefined) return this.show(known);
    const draft = await this.drafts.draft(caller, dto, step?.depth ?? 0);
    try {
      const row = await this.questions.create({ ...draft, ...(step && { _id: step.id }) });
      this.worker.wake();
      return this.show(row.toObject());
    } catch (error) {
      if (step === undefined || !isDuplicateKey(error)) throw error;
      return this.get(caller, step.id.toHexString());
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
      const { person, apiKeyId } = caller;
      const by: QuestionOutcome['by'] =
        person === undefined ? { type: 'api_key', id: apiKeyId } : { type: 'user', id: person.userId };
      if (await this.store.cancel(row, by)) this.worker.wake();
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
