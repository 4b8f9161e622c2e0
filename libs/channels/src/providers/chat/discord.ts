import { defineHttpProvider } from '../../declarative/http-provider.js';
import { webhookOf } from './chat-fields.js';

export const discord = defineHttpProvider({
  id: 'discord',
  channel: 'chat',
  request: ({ message }) => ({
    url: webhookOf(message),
    // Otherwise the answer precedes the storage of the message and has no id.
    query: { wait: 'true' },
    json: { content: message.content, ...message.customData },
  }),
  answer: { id: 'id', date: 'timestamp', error: ['message'] },
});
