import { signedHeaders } from '#libs/secrets';
import type { ChatMessage } from '../../core/messages.js';
import { asText } from '../email/email-fields.js';
import type { HttpCall } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { ProviderError } from '../../errors/provider-error.js';

const METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];
/** Set by HTTP itself, or by Herald. */
const RESERVED = /^(host|content-length|connection|transfer-encoding|webhook-(id|timestamp|signature))$/i;

function unusable(reason: string): ProviderError {
  return new ProviderError(reason, { code: 'credentials_incomplete', retryable: false });
}

function methodOf({ rendered = {} }: ChatMessage): string {
  const method = (asText(rendered['method'] ?? '').trim() || 'POST').toUpperCase();
  if (METHODS.includes(method)) return method;
  throw unusable(`credentials.method is not one of ${METHODS.join(', ')}.`);
}

function headersOf({ rendered = {} }: ChatMessage): Record<string, string> {
  const given = Object.entries(rendered['headers'] ?? {}).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    asText(value)
      .replace(/[\r\n]+/g, ' ')
      .trim(),
  ]);
  const wrong = given.find(([name]) => RESERVED.test(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (wrong) throw unusable(`credentials.headers has a header '${wrong[0]}', which cannot be set.`);
  return Object.fromEntries(given);
}

/** The body of the template, else the message with everything that is known of it. */
function bodyOf(message: ChatMessage): Pick<HttpCall, 'json' | 'text'> {
  const { id, content, severity, subscriberCredentials: { channel } = {}, customData, rendered = {} } = message;
  const body = rendered['body'];
  if (typeof body === 'string' && body !== '') return { text: body };
  if (typeof body === 'object' && body !== null) return { json: body };
  return { json: { id, content, severity, channel, ...customData } };
}

export const chatWebhook = defineHttpProvider({
  id: 'chat-webhook',
  channel: 'chat',
  request: ({ message, c }) => {
    const method = methodOf(message);
    const url = message.webhookUrl || message.subscriberCredentials?.webhookUrl || c('webhookUrl');
    if (url === '') throw unusable('Neither the integration nor the subscriber has a webhookUrl.');
    const headers = headersOf(message);
    if (method === 'GET') return { method, url, headers };
    const body = bodyOf(message);
    const type = body.text === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8' };
    return { method, url, headers: { ...type, ...headers }, ...body };
  },
  sign: ({ body = '' }, c, context) => {
    const secret = c('secretKey');
    if (secret === '') return Promise.resolve({});
    if (!secret.startsWith('whsec_')) throw unusable('credentials.secretKey must be whsec_ and a key in base64.');
    const timestamp = Math.floor(context.now().getTime() / 1_000);
    return Promise.resolve(signedHeaders({ id: context.idempotencyKey, timestamp, body: String(body) }, [secret]));
  },
  answer: { id: 'id', idIsOptional: true, error: ['message', 'error.message', 'error'] },
});
