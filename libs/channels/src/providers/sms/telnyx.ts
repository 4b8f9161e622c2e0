import { telnyxCallback } from '../../callbacks/sms-callbacks.js';
import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { senderOf } from './sms-fields.js';

export const telnyx = defineHttpProvider({
  id: 'telnyx',
  channel: 'sms',
  base: 'https://api.telnyx.com',
  request: ({ message, c }) => ({
    path: '/v2/messages',
    headers: { authorization: bearer(c('apiKey')) },
    json: {
      from: senderOf(message, c),
      to: message.to,
      text: message.content,
      messaging_profile_id: c('messageProfileId'),
      ...message.customData,
    },
  }),
  answer: { id: 'data.id', error: ['errors.0.detail', 'errors.0.title'] },
  check: (c) => ({
    path: `/v2/messaging_profiles/${c.segment('messageProfileId')}`,
    headers: { authorization: bearer(c('apiKey')) },
  }),
  callback: telnyxCallback,
});
