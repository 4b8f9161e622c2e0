import { ProviderError } from '../../errors/provider-error.js';
import type { SendContext } from '../../core/provider.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { senderOf } from './sms-fields.js';

function keyHeaders(c: CredentialReader): Record<string, string> {
  const secretHeader = c('secretKeyRequestHeader');
  return {
    [c('apiKeyRequestHeader')]: c('apiKey'),
    ...(secretHeader === '' || c('secretKey') === '' ? {} : { [secretHeader]: c('secretKey') }),
  };
}

/** For gateways with tokens: POST to `domain`, then send with the token from its answer. */
async function tokenHeaders(c: CredentialReader, { http, signal }: SendContext): Promise<Record<string, string>> {
  const name = c('authenticationTokenKey');
  const call = { url: c('domain'), method: 'POST', headers: keyHeaders(c), signal, staysAtOrigin: true };
  const answer = await http.request(call);
  const json = answer.json();
  const token = textAt(json, `data.${name}`) ?? textAt(json, name);
  if (token !== undefined && answer.status < 300) return { [name]: token };
  throw new ProviderError(`The token URL answered ${answer.status} without a token under '${name}'.`, {
    code: answer.status >= 500 || answer.status === 429 ? 'unavailable' : 'unauthorized',
    retryable: answer.status >= 500 || answer.status === 429,
    statusCode: answer.status,
  });
}

export const genericSms = defineHttpProvider({
  id: 'generic-sms',
  channel: 'sms',
  request: async ({ message, c, context }) => ({
    url: c('baseUrl'),
    headers: c.flag('authenticateByToken') ? await tokenHeaders(c, context) : keyHeaders(c),
    json: {
      to: message.to,
      from: senderOf(message, c),
      sender: senderOf(message, c),
      content: message.content,
      id: message.id,
      customData: message.customData,
    },
  }),
  answer: (c) => ({
    id: c('idPath'),
    date: c('datePath') || 'data.date',
    error: ['message', 'error.message', 'error'],
  }),
});
