import { bearer, definePlugin, defineProvider } from 'herald/plugin';

const acmeSms = defineProvider({
  id: 'acme-sms',
  channel: 'sms',
  displayName: 'Acme SMS',
  docs: 'https://acme.example/docs',
  credentials: {
    apiKey: { required: true, description: 'API key' },
    acmeProject: { required: true, secret: false, description: 'Project that is billed' },
    from: { secret: false, description: 'Sender' },
  },
  // A repeat with the same Idempotency-Key is not sent again.
  supports: { idempotency: true },
  http: {
    // PROVIDER_BASE_URLS=acme-sms=http://127.0.0.1:4000 replaces it.
    base: 'https://api.acme.example',
    request: ({ message, c, context }) => ({
      path: `/projects/${c.segment('acmeProject')}/messages`,
      headers: { authorization: bearer(c('apiKey')), 'idempotency-key': context.idempotencyKey },
      json: { to: message.to, from: message.from, text: message.content },
    }),
    // Where the answer has the id of the message and the text of an error.
    answer: { id: 'message.id', error: ['error.text'] },
    check: (c) => ({ path: `/projects/${c.segment('acmeProject')}`, headers: { authorization: bearer(c('apiKey')) } }),
  },
});

export default definePlugin({
  name: 'herald-plugin-example-provider',
  apiVersion: 1,
  providers: [acmeSms],
  helpers: {
    /** `{{masked order.card}}`: all but the last four characters are hidden. */
    masked: ([value]) => String(value ?? '').replace(/.(?=.{4})/g, '•'),
  },
});
