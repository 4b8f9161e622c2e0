import { defineError } from '#libs/http-kit';

export const MessageNotFound = defineError(
  404,
  'message_not_found',
  (id: string) => `This environment has no message with the id '${id}'. List them with GET /v1/messages.`,
  ['{messageId}'],
);

export const MessageNotOfSubscriber = defineError(
  404,
  'message_not_found',
  (id: string, subscriberId: string) =>
    `The subscriber '${subscriberId}' has no message with the id '${id}'. List the subscriber's messages with GET /v1/messages?subscriberId=…`,
  ['{messageId}', '{subscriberId}'],
);

export const NoMessageOfTransaction = defineError(
  404,
  'message_not_found',
  (transactionId: string) =>
    `No such message exists for the transaction '${transactionId}'. Check the id and the channel.`,
  ['{transactionId}'],
);
