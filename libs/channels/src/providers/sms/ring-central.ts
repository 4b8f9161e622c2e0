import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ChannelProvider, SendContext } from '../../core/provider.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import { basic, bearer, type HttpCall } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { type AccessToken, tokenOf } from '../../declarative/token-answer.js';
import { textAt } from '../../declarative/json-path.js';
import { customData, senderOf } from './sms-fields.js';

const PRODUCTION = 'https://platform.ringcentral.com';
const SANDBOX = 'https://platform.devtest.ringcentral.com';
const EXTENSION = '/restapi/v1.0/account/~/extension/~';

/** Failures that a success can report. */
const FAILED = new Set(['SendingFailed', 'DeliveryFailed']);

function baseOf(c: CredentialReader): string {
  return c.flag('secure') ? SANDBOX : PRODUCTION;
}

/** Exchanges the JWT of a user for an access token. */
async function login(c: CredentialReader, context: SendContext): Promise<AccessToken> {
  const now = context.now();
  const answer = await context.http.request({
    url: `${context.baseUrl ?? baseOf(c)}/restapi/oauth/token`,
    method: 'POST',
    headers: {
      authorization: basic(c('clientId'), c('secretKey')),
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: c('token'),
    }).toString(),
    signal: context.signal,
    trusted: true,
  });
  return tokenOf(answer, now, 'RingCentral refused the login');
}

/** RingCentral allows few logins a minute, so tokens are cached until shortly before they expire. */
export function createRingCentral(): ChannelProvider {
  const tokens = new LRUCache<string, { token: string; until: number }>({ max: 100 });
  const headers = async (c: CredentialReader, context: SendContext): Promise<HttpCall['headers']> => {
    const parts = [c('clientId'), c('secretKey'), c('token'), context.baseUrl ?? baseOf(c)];
    const key = createHash('sha256').update(parts.join('\n')).digest('base64');
    const known = tokens.get(key);
    const valid = known && known.until > context.now().getTime() ? known : await login(c, context);
    tokens.set(key, valid);
    return { authorization: bearer(valid.token) };
  };
  return defineHttpProvider({
    id: 'ring-central',
    channel: 'sms',
    base: baseOf,
    request: async ({ message, c, context }) => ({
      path: `${EXTENSION}/sms`,
      headers: await headers(c, context),
      json: {
        from: { phoneNumber: senderOf(message, c) },
        to: [{ phoneNumber: message.to }],
        text: message.content,
        ...customData(message, 'to'),
      },
    }),
    answer: {
      id: 'id',
      date: 'creationTime',
      error: ['message', 'errors.0.message'],
      verdict: (json, { status }) => {
        const state = textAt(json, 'messageStatus') ?? '';
        if (status >= 300 || !FAILED.has(state)) return undefined;
        return { message: state, code: 'rejected', retryable: false };
      },
    },
    check: async (c, context) => ({ path: EXTENSION, headers: await headers(c, context) }),
  });
}
