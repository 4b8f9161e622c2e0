import type { Verdict } from '../../declarative/answer.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { customFields, digits, needsUnicode, senderOf } from './sms-fields.js';

/** Failures have HTTP 200 and a status of their own. */
const STATUS: Readonly<Record<string, Verdict>> = {
  '1': { code: 'rate_limited', retryable: true },
  '4': { code: 'unauthorized', retryable: false },
  '5': { code: 'unavailable', retryable: true },
  '14': { code: 'unauthorized', retryable: false },
};

export const nexmo = defineHttpProvider({
  id: 'nexmo',
  channel: 'sms',
  base: 'https://rest.nexmo.com',
  request: ({ message, c }) => ({
    path: '/sms/json',
    form: {
      api_key: c('apiKey'),
      api_secret: c('secretKey'),
      from: senderOf(message, c),
      to: digits(message.to),
      text: message.content,
      type: needsUnicode(message.content) ? 'unicode' : 'text',
      'client-ref': message.id,
      ...customFields(message, 'to'),
    },
  }),
  answer: {
    id: 'messages.0.message-id',
    error: ['messages.0.error-text', 'error-text'],
    refusesInBody: true,
    // One entry per part of a long text. If one part was accepted, a repeat would deliver it twice.
    verdict: (json) => {
      const parts = at(json, 'messages');
      const status = textAt(json, 'messages.0.status');
      const isTaken = Array.isArray(parts) && parts.some((part: unknown) => textAt(part, 'status') === '0');
      if (status === undefined || isTaken) return undefined;
      const message = textAt(json, 'messages.0.error-text') ?? `status ${status}`;
      return { message, ...(STATUS[status] ?? { code: 'rejected', retryable: false }) };
    },
  },
  check: (c) => ({ path: '/account/get-balance', query: { api_key: c('apiKey'), api_secret: c('secretKey') } }),
});
