import { basic } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { byCode, GONE, PASSING, REJECTED, UNAUTHORIZED, WRONG_TARGET } from '../../declarative/verdicts.js';
import { customData, customFields, digits, needsUnicode, senderOf } from './sms-fields.js';

/** Failures have HTTP 200 and a code of their own. */
const judged = byCode([PASSING, '600'], [UNAUTHORIZED, '900 902 903']);

/** seven.io, formerly sms77. */
export const sms77 = defineHttpProvider({
  id: 'sms77',
  channel: 'sms',
  base: 'https://gateway.seven.io',
  request: ({ message, c }) => ({
    path: '/api/sms',
    headers: { 'x-api-key': c('apiKey') },
    json: { to: message.to, text: message.content, from: senderOf(message, c), ...customData(message, 'to') },
  }),
  answer: {
    id: 'messages.0.id',
    error: ['messages.0.error_text', 'error'],
    refusesInBody: true,
    verdict: (json, { status, text }) => {
      if (status >= 300) return undefined;
      // The answer to an invalid key is the bare code.
      const code = textAt(json, 'success') ?? (/^\d{3}$/.test(text.trim()) ? text.trim() : undefined);
      if (code === undefined || code === '100' || code === '101') return undefined;
      const message = textAt(json, 'messages.0.error_text') ?? `code ${code}`;
      return { message, ...(judged(code) ?? REJECTED) };
    },
  },
});

export const fortySixElks = defineHttpProvider({
  id: 'forty-six-elks',
  channel: 'sms',
  base: 'https://api.46elks.com',
  request: ({ message, c }) => ({
    path: '/a1/sms',
    headers: { authorization: basic(c('user'), c('password')) },
    form: { from: senderOf(message, c), to: message.to, message: message.content, ...customFields(message, 'to') },
  }),
  answer: {
    id: 'id',
    date: 'created',
    error: ['message'],
    verdict: (json, { status }) =>
      status < 300 && textAt(json, 'status') === 'failed'
        ? { message: 'the message failed', code: 'rejected', retryable: false }
        : undefined,
  },
  check: (c) => ({ path: '/a1/me', headers: { authorization: basic(c('user'), c('password')) } }),
});

export const termii = defineHttpProvider({
  id: 'termii',
  channel: 'sms',
  base: 'https://api.ng.termii.com',
  request: ({ message, c }) => ({
    path: '/api/sms/send',
    json: {
      api_key: c('apiKey'),
      to: digits(message.to),
      from: senderOf(message, c),
      sms: message.content,
      type: 'plain',
      channel: 'generic',
      ...customData(message, 'to'),
    },
  }),
  answer: {
    id: 'message_id',
    error: ['message'],
    refusesInBody: true,
    verdict: (json, { status }) => {
      const code = textAt(json, 'code');
      if (status >= 300 || code === undefined || code.toLowerCase() === 'ok') return undefined;
      return { message: textAt(json, 'message') ?? code, code: 'rejected', retryable: false };
    },
  },
  check: (c) => ({ path: '/api/get-balance', query: { api_key: c('apiKey') } }),
});

/** https://developers.africastalking.com/docs/sms/sending/bulk: no number, not to be texted, on the list of those who want nothing. */
const judgedInAfrica = byCode([WRONG_TARGET, '403 404 409'], [GONE, '406'], [PASSING, '500 501']);

/** Codes of accepted messages: processed, sent, queued. */
const TAKEN = new Set(['100', '101', '102']);

export const africasTalking = defineHttpProvider({
  id: 'africas-talking',
  channel: 'sms',
  base: (c) => (c('user') === 'sandbox' ? 'https://api.sandbox.africastalking.com' : 'https://api.africastalking.com'),
  request: ({ message, c }) => ({
    path: '/version1/messaging',
    headers: { apikey: c('apiKey') },
    form: {
      username: c('user'),
      to: message.to,
      message: message.content,
      from: senderOf(message, c),
      ...customFields(message, 'to'),
    },
  }),
  answer: {
    id: 'SMSMessageData.Recipients.0.messageId',
    error: ['SMSMessageData.Message', 'error'],
    refusesInBody: true,
    verdict: (json, { status }) => {
      const code = textAt(json, 'SMSMessageData.Recipients.0.statusCode');
      if (status >= 300 || at(json, 'SMSMessageData') === undefined || TAKEN.has(code ?? '')) return undefined;
      const message =
        textAt(json, 'SMSMessageData.Recipients.0.status') ?? textAt(json, 'SMSMessageData.Message') ?? 'no recipient';
      return { message, ...(judgedInAfrica(code) ?? REJECTED) };
    },
  },
  check: (c) => ({ path: '/version1/user', query: { username: c('user') }, headers: { apikey: c('apiKey') } }),
});

export const brevoSms = defineHttpProvider({
  id: 'brevo-sms',
  channel: 'sms',
  base: 'https://api.brevo.com',
  request: ({ message, c }) => ({
    path: '/v3/transactionalSMS/sms',
    headers: { 'api-key': c('apiKey') },
    json: {
      sender: senderOf(message, c),
      recipient: message.to,
      content: message.content,
      type: 'transactional',
      unicodeEnabled: needsUnicode(message.content),
      ...customData(message, 'recipient'),
    },
  }),
  answer: { id: 'messageId', error: ['message'] },
  check: (c) => ({ path: '/v3/account', headers: { 'api-key': c('apiKey') } }),
});
