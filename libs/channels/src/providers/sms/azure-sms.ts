import { createHash, createHmac } from 'node:crypto';
import { ProviderError } from '../../errors/provider-error.js';
import { outcomeOf } from '../../declarative/answer.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { customData, senderOf } from './sms-fields.js';

/** The parts of a connection string: `endpoint=https://...;accesskey=...`. */
function connection(c: CredentialReader): { endpoint: string; key: Buffer } {
  const text = c('accessKey');
  const endpoint = /(?:^|;)\s*endpoint=([^;]+)/i.exec(text)?.[1]?.trim();
  const key = /(?:^|;)\s*accesskey=([^;]+)/i.exec(text)?.[1]?.trim();
  if (endpoint && key) return { endpoint, key: Buffer.from(key, 'base64') };
  throw new ProviderError(
    'credentials.accessKey must be the connection string of the resource: endpoint=...;accesskey=...',
    {
      code: 'credentials_incomplete',
      retryable: false,
    },
  );
}

export const azureSms = defineHttpProvider({
  id: 'azure-sms',
  channel: 'sms',
  userBase: (c) => connection(c).endpoint,
  request: ({ message, c }) => ({
    path: '/sms',
    query: { 'api-version': '2021-03-07' },
    json: {
      from: senderOf(message, c),
      smsRecipients: [{ to: message.to }],
      message: message.content,
      smsSendOptions: { enableDeliveryReport: true, tag: message.id },
      ...customData(message, 'smsRecipients', 'to'),
    },
  }),
  sign: ({ url, method, body }, c, context) => {
    const { host, pathname, search } = new URL(url);
    const date = context.now().toUTCString();
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('base64');
    const signed = `${method}\n${pathname}${search}\n${date};${host};${hash}`;
    const signature = createHmac('sha256', connection(c).key).update(signed).digest('base64');
    return Promise.resolve({
      'x-ms-date': date,
      'x-ms-content-sha256': hash,
      authorization: `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`,
    });
  },
  answer: {
    id: 'value.0.messageId',
    error: ['error.message', 'value.0.errorMessage'],
    refusesInBody: true,
    verdict: (json, { status }) => {
      if (status >= 300 || at(json, 'value.0.successful') !== false) return undefined;
      const code = Number(textAt(json, 'value.0.httpStatusCode'));
      const message = textAt(json, 'value.0.errorMessage') ?? `recipient refused (${code})`;
      return code === 429 || code >= 500
        ? { message, code: code === 429 ? 'rate_limited' : 'unavailable', retryable: true, outcome: outcomeOf(code) }
        : { message, code: 'rejected', retryable: false };
    },
  },
});
