import { bodySignature } from '../../declarative/digests.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';

export const pushWebhook = defineHttpProvider({
  id: 'push-webhook',
  channel: 'push',
  request: ({ message, c, context }) => ({
    url: c('webhookUrl'),
    headers: { 'idempotency-key': context.idempotencyKey || undefined },
    json: {
      id: message.id,
      target: message.target,
      title: message.title,
      content: message.content,
      replaces: message.replaces,
      overrides: message.overrides ?? {},
      payload: { ...message.payload, subscriber: message.subscriber, step: message.step },
    },
  }),
  sign: ({ body }, c) => Promise.resolve({ 'x-novu-signature': bodySignature(body, c('secretKey')) }),
  answer: { id: 'id', idIsOptional: true, error: ['message', 'error'] },
});
