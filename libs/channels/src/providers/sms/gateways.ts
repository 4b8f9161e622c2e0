import { defineHttpProvider } from '../../declarative/http-provider.js';
import { byCode, PASSING, REJECTED, UNAUTHORIZED } from '../../declarative/verdicts.js';
import { customFields, digits, dltFields, needsUnicode, senderOf } from './sms-fields.js';

/** The first three parts of an answer such as `success | 919800000000 | 728014710863298817-1`. */
function gupshupParts(text: string): string[] {
  return text.split('|', 3).map((part) => part.trim());
}

/** All others are faults of the request. */
const judged = byCode([UNAUTHORIZED, '102'], [PASSING, '100']);

export const gupshup = defineHttpProvider({
  id: 'gupshup',
  channel: 'sms',
  base: 'https://enterprise.smsgupshup.com',
  request: ({ message, c }) => ({
    path: '/GatewayAPI/rest',
    form: {
      method: 'SendMessage',
      userid: c('user'),
      password: c('password'),
      auth_scheme: 'plain',
      v: '1.1',
      format: 'text',
      send_to: digits(message.to),
      msg: message.content,
      msg_type: needsUnicode(message.content) ? 'Unicode_text' : 'TEXT',
      mask: senderOf(message, c),
      ...dltFields(message, { entityId: 'principalEntityId', templateId: 'dltTemplateId' }),
      ...customFields(message, 'send_to', 'dlt'),
    },
  }),
  answer: {
    refusesInBody: true,
    id: (_json, { text }) => (/^success\b/i.test(text) ? gupshupParts(text)[2] : undefined),
    verdict: (_json, { status, text }) => {
      const [outcome = '', code = '', reason = ''] = gupshupParts(text);
      if (status >= 300 || outcome.toLowerCase() !== 'error') return undefined;
      return { message: `${reason} (${code})`, ...(judged(code) ?? REJECTED) };
    },
  },
});

/** Answers are `<code>:<count> <words>` without an id: 0 means queued, 1 an invalid key. */
export const firetext = defineHttpProvider({
  id: 'firetext',
  channel: 'sms',
  base: 'https://www.firetext.co.uk',
  request: ({ message, c }) => ({
    path: '/api/sendsms',
    form: {
      apiKey: c('apiKey'),
      message: message.content,
      from: senderOf(message, c),
      to: digits(message.to),
      ...customFields(message, 'to', 'group', 'groups'),
    },
  }),
  answer: {
    refusesInBody: true,
    verdict: (_json, { status, text }) => {
      const code = /^\s*(\d+)\s*:/.exec(text)?.[1];
      if (status >= 300 || code === undefined || code === '0') return undefined;
      return { message: text.trim(), code: code === '1' ? 'unauthorized' : 'rejected', retryable: false };
    },
  },
});
