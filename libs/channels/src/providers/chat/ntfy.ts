import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { bySeverity, neededRoom } from './chat-fields.js';

export const ntfy = defineHttpProvider({
  id: 'ntfy',
  channel: 'chat',
  base: 'https://ntfy.sh',
  userBase: (c) => c('baseUrl'),
  request: ({ message, c }) => ({
    path: '/',
    headers: { authorization: c('token') === '' ? undefined : bearer(c('token')) },
    json: {
      topic: neededRoom(message, 'topic'),
      message: message.content,
      priority: bySeverity(message, { low: 2, medium: 4, high: 5 }),
      ...message.customData,
    },
  }),
  answer: { id: 'id', error: ['error'] },
  check: (c) => ({
    path: '/v1/account',
    headers: { authorization: c('token') === '' ? undefined : bearer(c('token')) },
  }),
});
