import { defineHttpProvider } from '../../declarative/http-provider.js';
import { webhookOf } from './chat-fields.js';

/** Takes one JSON POST at the subscriber's own webhook and needs no credentials for it. */
export const __name__ = defineHttpProvider({
  id: '__file__',
  channel: 'chat',
  needs: [],
  request: ({ message }) => ({ url: webhookOf(message), json: { text: message.content, ...message.customData } }),
  answer: { id: 'id', error: ['error.message'] },
});
