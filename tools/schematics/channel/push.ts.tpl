import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { without } from './push-fields.js';

export const __name__ = defineHttpProvider({
  id: '__file__',
  channel: 'push',
  base: '__base__',
  targetsPerRequest: 100,
  request: ({ message, c }) => ({
    path: '/v1/notifications',
    headers: { authorization: bearer(c('__key__')) },
    json: {
      to: message.target,
      title: message.title,
      body: message.content,
      data: message.payload,
      ...without(message.overrides, 'deviceTokens'),
    },
  }),
  answer: { id: 'id', error: ['error.message'] },
});
