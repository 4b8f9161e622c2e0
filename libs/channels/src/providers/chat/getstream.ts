import { defineHttpProvider } from '../../declarative/http-provider.js';
import { webhookOf } from './chat-fields.js';

export const getstream = defineHttpProvider({
  id: 'getstream',
  channel: 'chat',
  request: ({ message, c }) => ({
    url: webhookOf(message),
    headers: { 'x-api-key': c('apiKey') },
    json: { text: message.content, ...message.customData },
  }),
  answer: { id: 'header:x-webhook-id', error: ['message', 'error'] },
});
