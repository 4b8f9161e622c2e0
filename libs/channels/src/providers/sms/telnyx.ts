import { telnyxCallback } from '../../callbacks/sms-callbacks.js';
import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { byCode, GONE, LIMITED, REJECTED, UNAUTHORIZED } from '../../declarative/verdicts.js';
import { customData, senderOf } from './sms-fields.js';

/** https://developers.telnyx.com/docs/messaging/troubleshooting/error-codes */
const judged = byCode(
  // The person has answered STOP; the number is none, or takes no text messages.
  [GONE, '40300 40310 40001 40002'],
  // The queue is full; too many requests.
  [LIMITED, '40318 40011 10011'],
  [UNAUTHORIZED, '10009 10010 20002'],
);

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
    verdict: (json, { status }) => {
      if (status >= 400) return judged(textAt(json, 'errors.0.code'));
      if (status >= 300 || !FAILED.has(textAt(json, 'data.to.0.status') ?? '')) return undefined;
      const message = textAt(json, 'data.errors.0.detail') ?? 'sending failed';
      return { message, ...(judged(textAt(json, 'data.errors.0.code')) ?? REJECTED) };
    },
  },
  check: (c) => ({
    path: `/v2/messaging_profiles/${c.segment('messageProfileId')}`,
    headers: { authorization: bearer(c('apiKey')) },
  }),
  callback: telnyxCallback,
});
