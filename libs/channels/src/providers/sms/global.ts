import { basic, bearer } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { customData, customFields, digits, needsUnicode, senderOf } from './sms-fields.js';

export const clicksend = defineHttpProvider({
  id: 'clicksend',
  channel: 'sms',
  base: 'https://rest.clicksend.com',
  request: ({ message, c }) => ({
    path: '/v3/sms/send',
    headers: { authorization: basic(c('user'), c('apiKey')) },
    json: {
      messages: [
        {
          to: message.to,
          from: senderOf(message, c),
          body: message.content,
          source: 'herald',
          custom_string: message.id,
          ...customData(message, 'to', 'list_id'),
        },
      ],
    },
  }),
  answer: {
    id: 'data.messages.0.message_id',
    error: ['response_msg'],
    refusesInBody: true,
    verdict: (json, { status }) => {
      const outcome = textAt(json, 'data.messages.0.status') ?? textAt(json, 'response_code');
      if (status >= 300 || outcome === undefined || outcome === 'SUCCESS') return undefined;
      return {
        message: outcome,
        code: outcome === 'INVALID_CREDENTIALS' ? 'unauthorized' : 'rejected',
        retryable: false,
      };
    },
  },
  check: (c) => ({ path: '/v3/account', headers: { authorization: basic(c('user'), c('apiKey')) } }),
});

export const bandwidth = defineHttpProvider({
  id: 'bandwidth',
  channel: 'sms',
  base: 'https://messaging.bandwidth.com',
  needs: ['user', 'password', 'accountSid', 'applicationId'],
  request: ({ message, c }) => ({
    path: `/api/v2/users/${c.segment('accountSid')}/messages`,
    headers: { authorization: basic(c('user'), c('password')) },
    json: {
      applicationId: c('applicationId'),
      to: [message.to],
      from: senderOf(message, c),
      text: message.content,
      tag: message.id,
      ...customData(message, 'to'),
    },
  }),
  answer: { id: 'id', date: 'time', error: ['description', 'fieldErrors.0.description'] },
});

/** The encoded token that the service shows, or `id:secret`. */
function bulkToken(token: string): string {
  return token.includes(':') ? basic(...split(token)) : `Basic ${token}`;
}

function split(pair: string): [string, string] {
  const index = pair.indexOf(':');
  return [pair.slice(0, index), pair.slice(index + 1)];
}

export const bulkSms = defineHttpProvider({
  id: 'bulk-sms',
  channel: 'sms',
  base: 'https://api.bulksms.com',
  request: ({ message, c }) => ({
    path: '/v1/messages',
    headers: { authorization: bulkToken(c('apiToken')) },
    json: {
      to: message.to,
      from: senderOf(message, c),
      body: message.content,
      encoding: needsUnicode(message.content) ? 'UNICODE' : 'TEXT',
      ...customData(message, 'to'),
    },
  }),
  answer: {
    id: '0.id',
    error: ['detail', 'title'],
    verdict: (json, { status }) =>
      status < 300 && textAt(json, '0.status.type') === 'FAILED'
        ? { message: textAt(json, '0.status.id') ?? 'failed', code: 'rejected', retryable: false }
        : undefined,
  },
  check: (c) => ({ path: '/v1/profile', headers: { authorization: bulkToken(c('apiToken')) } }),
});

export const clickatell = defineHttpProvider({
  id: 'clickatell',
  channel: 'sms',
  base: 'https://platform.clickatell.com',
  request: ({ message, c }) => ({
    path: '/v1/message',
    headers: { authorization: c('apiKey') },
    json: {
      messages: [
        {
          channel: 'sms',
          to: digits(message.to),
          content: message.content,
          from: senderOf(message, c),
          ...customData(message, 'to'),
        },
      ],
    },
  }),
  answer: {
    id: 'messages.0.apiMessageId',
    error: ['messages.0.error.description', 'error.description', 'error'],
    refusesInBody: true,
    verdict: (json, { status }) => {
      const hasNoMessage = at(json, 'messages.0') === undefined && (at(json, 'error') ?? null) !== null;
      if (status >= 300 || (at(json, 'messages.0.accepted') !== false && !hasNoMessage)) return undefined;
      const message = textAt(json, 'messages.0.error.description') ?? textAt(json, 'error.description');
      return { message: message ?? 'not accepted', code: 'rejected', retryable: false };
    },
  },
});

export const burstSms = defineHttpProvider({
  id: 'burst-sms',
  channel: 'sms',
  base: 'https://api.transmitsms.com',
  request: ({ message, c }) => ({
    path: '/send-sms.json',
    headers: { authorization: basic(c('apiKey'), c('secretKey')) },
    form: {
      message: message.content,
      to: digits(message.to),
      from: senderOf(message, c),
      ...customFields(message, 'to', 'list_id'),
    },
  }),
  answer: {
    id: 'message_id',
    error: ['error.description'],
    refusesInBody: true,
    verdict: (json, { status }) => {
      const code = textAt(json, 'error.code');
      if (status >= 300 || code === undefined || code === 'SUCCESS') return undefined;
      return { message: textAt(json, 'error.description') ?? code, code: 'rejected', retryable: false };
    },
  },
  check: (c) => ({ path: '/get-balance.json', headers: { authorization: basic(c('apiKey'), c('secretKey')) } }),
});

export const kannel = defineHttpProvider({
  id: 'kannel',
  channel: 'sms',
  userBase: (c) => `http://${c('host').split(/[/?#@]/, 1)[0] ?? ''}:${c('port')}`,
  request: ({ message, c }) => ({
    method: 'GET',
    path: '/cgi-bin/sendsms',
    query: {
      username: c('user') || undefined,
      password: c('password') || undefined,
      from: senderOf(message, c),
      // A space would start another number.
      to: message.to.replace(/\s+/g, ''),
      text: message.content,
      charset: 'UTF-8',
      coding: needsUnicode(message.content) ? '2' : '0',
      ...customFields(message, 'to', 'username', 'password'),
    },
  }),
  answer: {
    // The answer has no id. Older gateways refuse with a success status and an error text.
    verdict: (_json, { status, text }) => {
      if (status >= 300) return undefined;
      if (/^authorization failed/i.test(text.trim())) return { code: 'unauthorized', retryable: false };
      return /^temporal failure/i.test(text.trim()) ? { code: 'unavailable', retryable: true } : undefined;
    },
  },
});

export const simpletexting = defineHttpProvider({
  id: 'simpletexting',
  channel: 'sms',
  base: 'https://api-app2.simpletexting.com/v2',
  request: ({ message, c }) => ({
    path: '/api/messages',
    headers: { authorization: bearer(c('apiKey')) },
    json: {
      contactPhone: digits(message.to),
      accountPhone: digits(senderOf(message, c) ?? ''),
      mode: 'AUTO',
      text: message.content,
      ...customData(message, 'contactPhone', 'contact'),
    },
  }),
  answer: { id: 'id', error: ['details', 'message', 'code'] },
});
