import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { customData, senderOf } from './sms-fields.js';

export const __name__ = defineHttpProvider({
  id: '__file__',
  channel: 'sms',
  base: '__base__',
  request: ({ message, c }) => ({
    path: '/v1/messages',
    headers: { authorization: bearer(c('__key__')) },
    json: { to: message.to, from: senderOf(message, c), text: message.content, ...customData(message, 'to') },
  }),
  answer: { id: 'id', error: ['error.message'] },
});
