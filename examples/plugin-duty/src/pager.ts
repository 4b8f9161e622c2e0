import { bearer, defineProvider } from 'herald/plugin';

export const pager = defineProvider({
  id: 'duty-pager',
  channel: 'sms',
  displayName: 'Duty pager',
  docs: 'https://pager.example/docs',
  credentials: { apiKey: { required: true, description: 'API key' } },
  // A repeat with the same key does not ring again.
  supports: { idempotency: true },
  http: {
    // PROVIDER_BASE_URLS=duty-pager=http://127.0.0.1:4000 replaces it.
    base: 'https://pager.example',
    request: ({ message, c, context }) => ({
      path: '/pages',
      headers: { authorization: bearer(c('apiKey')), 'idempotency-key': context.idempotencyKey },
      json: { number: message.to, text: message.content },
    }),
    answer: { id: 'page.id', error: ['error'] },
  },
});
