import { defineError } from '#libs/http-kit';

/** @param decision who decided, and what */
export const QuestionEnded = defineError(
  409,
  'question_ended',
  (decision: string, at: string) => `The question has ended: ${decision} at ${at}. No further answer counts.`,
  ["'ada' decided 'approve'", '2026-01-31T12:00:00.000Z'],
);

export const QuestionAlreadyAnswered = defineError(
  409,
  'question_already_answered',
  (subscriberId: string, value: string) =>
    `The subscriber '${subscriberId}' has answered '${value}' already. An answer cannot be changed.`,
  ['ada', 'approve'],
);
