import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt, at } from '../../declarative/json-path.js';
import { roomOf, webhookOf } from './chat-fields.js';

export const rocketChat = defineHttpProvider({
  id: 'rocket-chat',
  channel: 'chat',
  request: ({ message, c }) => ({
    // The subscriber's webhook URL is the address of the server.
    url: `${webhookOf(message).replace(/(?<!\/)\/+$/, '')}/api/v1/chat.sendMessage`,
    headers: { 'x-auth-token': c('token'), 'x-user-id': c('user') },
    json: { message: { rid: roomOf(message), msg: message.content, ...message.customData } },
  }),
  answer: {
    id: 'message._id',
    date: 'message.ts',
    error: ['error', 'message'],
    verdict: (json, { status }) =>
      status < 300 && at(json, 'success') === false ? { message: textAt(json, 'error') ?? 'error' } : undefined,
  },
});
