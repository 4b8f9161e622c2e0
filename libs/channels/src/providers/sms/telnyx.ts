import { telnyxCallback } from '../../callbacks/sms-callbacks.js';
import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { customData, senderOf } from './sms-fields.js';

/** Failures that a success can report. */
const FAILED = new Set(['sending_failed', 'delivery_failed']);

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
      ...customData(message, 'to'),
    },
  }),
  answer: {
    id: 'data.id',
    error: ['errors.0.detail', 'errors.0.title'],
    verdict: (json, { status }) =>
      status < 300 && FAILED.has(textAt(json, 'data.to.0.status') ?? '')
        ? { message: textAt(json, 'data.errors.0.detail') ?? 'sending failed', code: 'rejected', retryable: false }
        : undefined,
  },
  check: (c) => ({
    path: `/v2/messaging_profiles/${c.segment('messageProfileId')}`,
    headers: { authorization: bearer(c('apiKey')) },
  }),
  callback: telnyxCallback,
});
