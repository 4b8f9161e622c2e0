import type { TenantContext } from '#libs/common';
import type { SettledQuestionResponse } from './question.response.js';
import type { QuestionAnswer, QuestionKind } from './question.schema.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

/** An answer is stored. Published again after a crash, always the same. */
export class QuestionAnswerGiven {
  constructor(
    readonly owner: Owner,
    readonly questionId: string,
    readonly kind: QuestionKind,
    readonly answer: QuestionAnswer,
  ) {}
}

/** A question has its outcome. Published again after a crash, always the same. */
export class QuestionSettled {
  constructor(
    readonly owner: Owner,
    readonly question: SettledQuestionResponse,
  ) {}
}
