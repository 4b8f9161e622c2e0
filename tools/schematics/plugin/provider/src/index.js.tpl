import { bearer, definePlugin, defineProvider } from 'herald/plugin';

const __name__ = defineProvider({
  id: '__file__',
  channel: 'sms',
  displayName: '__Text__',
  // Texts, optional and secret unless they say otherwise.
  credentials: {
    apiKey: { required: true, description: 'API key' },
    from: { secret: false, description: 'Sender' },
  },
  // If a repeat with the same key is not sent again, unclear answers are safe to repeat.
  supports: { idempotency: true },
  http: {
    // PROVIDER_BASE_URLS=__file__=http://127.0.0.1:4000 replaces it.
    base: 'https://api.__file__.example',
    request: ({ message, c, context }) => ({
      path: '/messages',
      headers: { authorization: bearer(c('apiKey')), 'idempotency-key': context.idempotencyKey },
      json: { to: message.to, from: message.from, text: message.content },
    }),
    // Where the answer has the id of the message and the text of an error.
    answer: { id: 'id', error: ['error.message'] },
    // The request of an integration with "check": true. It must send nothing.
    check: (c) => ({ path: '/account', headers: { authorization: bearer(c('apiKey')) } }),
  },
});

export default definePlugin({ name: '__package__', apiVersion: __apiVersion__, providers: [__name__] });
