import { defineError } from '#libs/http-kit';

export const CaughtMessageNotFound = defineError(
  404,
  'caught_message_not_found',
  (id: string) => `No message '${id}' was caught in this environment. List them with GET /v1/catcher/messages.`,
  ['{messageId}'],
);
