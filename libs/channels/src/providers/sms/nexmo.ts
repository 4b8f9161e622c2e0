import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { byCode, GONE, LIMITED, PASSING, REJECTED, UNAUTHORIZED, WRONG_TARGET } from '../../declarative/verdicts.js';
import { customFields, digits, dltFields, needsUnicode, senderOf } from './sms-fields.js';

/** Failures have HTTP 200 and a status of their own. */
const judged = byCode(
  // Throttled, too many binds.
  [LIMITED, '1 10'],
  [PASSING, '5'],
  // Credentials, account barred, no access by HTTP, signature, secret and signature at once.
  [UNAUTHORIZED, '4 8 11 14 32'],
  // The number is barred, or not in use any more.
  [GONE, '7 33'],
  [WRONG_TARGET, '29'],
);

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
      ...dltFields(message, { entityId: 'entity-id', templateId: 'content-id' }),
      ...customFields(message, 'to', 'dlt'),
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
      return { message, ...(judged(status) ?? REJECTED) };
    },
  },
  check: (c) => ({ path: '/account/get-balance', query: { api_key: c('apiKey'), api_secret: c('secretKey') } }),
});
