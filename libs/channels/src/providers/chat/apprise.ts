import { defineHttpProvider } from '../../declarative/http-provider.js';
import { bySeverity, roomOf } from './chat-fields.js';

export const apprise = defineHttpProvider({
  id: 'apprise',
  channel: 'chat',
  userBase: (c) => c('baseUrl'),
  request: ({ message, c }) => {
    const urls = message.webhookUrl || message.subscriberCredentials?.webhookUrl;
    return {
      // Addresses of the subscriber, or those that the gateway has stored under the key.
      path: urls || c('token') === '' ? '/notify/' : `/notify/${c.segment('token')}`,
      json: {
        urls: urls || undefined,
        tag: urls ? undefined : roomOf(message),
        body: message.content,
        type: bySeverity(message, { low: 'info', medium: 'warning', high: 'failure' }) ?? 'info',
        ...message.customData,
      },
    };
  },
  answer: {
    error: ['error', 'details.0.1'],
    verdict: (_json, { status }) => {
      // No address has the tag, or the key has no configuration.
      if (status === 204) return { message: 'the gateway has nothing under this key and tag', code: 'invalid_target' };
      // At least one of the services failed, and others may have the message.
      return status === 424 ? { code: 'unavailable', retryable: true, outcome: 'uncertain' } : undefined;
    },
  },
  check: (c) => ({ path: c('token') === '' ? '/status' : `/json/urls/${c.segment('token')}`, query: { privacy: '1' } }),
});
