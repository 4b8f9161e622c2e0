import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { assertLength, bySeverity, neededRoom } from './chat-fields.js';

const MAX_BYTES = 4_096;

export const ntfy = defineHttpProvider({
  id: 'ntfy',
  channel: 'chat',
  base: 'https://ntfy.sh',
  userBase: (c) => c('baseUrl'),
  request: ({ message, c }) => {
    // The server would turn a longer message into a file.
    assertLength(Buffer.byteLength(message.content), MAX_BYTES, 'bytes');
    return {
      path: '/',
      headers: { authorization: c('token') === '' ? undefined : bearer(c('token')) },
      json: {
        topic: neededRoom(message, 'topic'),
        message: message.content,
        priority: bySeverity(message, { low: 2, medium: 4, high: 5 }),
        ...message.customData,
      },
    };
  },
  answer: { id: 'id', error: ['error'] },
  check: (c) => ({
    path: '/v1/account',
    headers: { authorization: c('token') === '' ? undefined : bearer(c('token')) },
  }),
});
