import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { without } from './push-fields.js';

export const pushpad = defineHttpProvider({
  id: 'pushpad',
  channel: 'push',
  base: 'https://pushpad.xyz',
  request: ({ message, c }) => ({
    path: `/api/v1/projects/${c.segment('applicationId')}/notifications`,
    headers: { authorization: bearer(c('apiKey')) },
    json: {
      title: message.title,
      body: message.content,
      ...without(message.overrides, 'deviceTokens'),
      uids: message.target,
    },
  }),
  answer: { id: 'id', error: ['error', 'message', 'errors.0'] },
  check: (c) => ({
    path: `/api/v1/projects/${c.segment('applicationId')}`,
    headers: { authorization: bearer(c('apiKey')) },
  }),
});
