import { defineError } from '#libs/http-kit';
import type { Question } from './question.schema.js';

export { QuestionAlreadyAnswered, QuestionEnded } from '../messages/marks/index.js';

export const QuestionNotFound = defineError(
  404,
  'question_not_found',
  (id: string) => `This environment has no question with the id '${id}'. List them with GET /v1/questions.`,
  ['{questionId}'],
);

export const SubscriberNotAsked = defineError(
  403,
  'subscriber_not_asked',
  (subscriberId: string) =>
    `The subscriber '${subscriberId}' is not asked this question. Answer for one of those whom GET /v1/questions/{questionId} names in people.`,
  ['eve'],
);

export const QuestionIsForAsked = defineError(
  409,
  'question_is_for_asked',
  'Only the people who are asked can answer this question. Those of the console decide about requests of agents.',
);

export const DecisionNeedsPerson = defineError(
  403,
  'decision_needs_person',
  'A person decides about the request of an agent: sign in to the console. API keys cannot.',
);

/** What `QuestionEnded` says; undefined while the question is open. */
export function decisionOf({ status, outcome }: Pick<Question, 'status' | 'outcome'>): [string, string] | undefined {
  if (status === 'open' || outcome === undefined) return undefined;
  const { value, by, at } = outcome;
  const said = value === undefined ? '' : ` '${value}'`;
  const WORDS: Record<Exclude<Question['status'], 'open'>, string> = {
    answered: `${nameOf(by)} decided${said}`,
    undecided: 'everybody has answered, without a decision,',
    expired:
      value === undefined ? 'nobody decided in time, and it expired' : `nobody decided in time, so${said} was taken`,
    canceled: 'it was canceled',
  };
  return [WORDS[status], at.toISOString()];
}

function nameOf(by: NonNullable<Question['outcome']>['by']): string {
  const name = by?.subscriberId ?? by?.name;
  return name === undefined ? 'somebody' : `'${name}'`;
}
