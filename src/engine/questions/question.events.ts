import type { TenantContext } from '#libs/common';
import type { SettledQuestionResponse } from './question.response.js';
import type { Question, QuestionAnswer, QuestionKind } from './question.schema.js';

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

/** A person has said yes to what an agent wants to do. Published again after a crash. */
export class AgentRequestApproved {
  constructor(readonly question: Question) {}
}

/** What an agent wanted to do is carried out, or was refused. Published again after a crash, always the same. */
export class AgentRequestCarriedOut {
  constructor(
    readonly owner: Owner,
    readonly question: Question,
    readonly errorCode: string | undefined,
  ) {}
}

/** A question has its outcome. Published again after a crash, always the same. */
export class QuestionSettled {
  constructor(
    readonly owner: Owner,
    readonly question: SettledQuestionResponse,
  ) {}
}
