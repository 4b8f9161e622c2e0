/** Values that show what belongs there. */
const VALUES = {
  from: { email: 'shop@example.com', sms: '+15005550006' },
  senderName: 'Shop',
  host: 'smtp.example.com',
  port: '587',
  domain: 'mg.example.com',
  region: 'eu-central-1',
  baseUrl: 'https://api.example.com',
  webhookUrl: 'https://example.com/hooks/herald',
  serviceAccount: '{"project_id":"…","client_email":"…","private_key":"…"}',
};

/** Those of one provider, also for credentials that it does not require. */
const OWN_VALUES = {
  outlook365: { password: '<password>' },
  gotify: { baseUrl: 'https://gotify.example.com' },
  matrix: { baseUrl: 'https://matrix.example.com' },
  apprise: { baseUrl: 'https://apprise.example.com', token: 'family' },
  'slack-app': { apiToken: 'xoxb-…' },
  telegram: { apiToken: '123456:ABC-DEF' },
  'chat-webhook': {
    webhookUrl: 'https://example.com/rooms',
    secretKey: 'whsec_…',
    headers: { authorization: 'Bearer <token>' },
    body: '{"text": "{{message.content}}", "person": "{{subscriber.firstName}}"}',
  },
};

/** What the subscriber needs, where an email address or a phone number is not enough. */
const TARGETS = {
  'slack-app': { channel: 'C0123456789' },
  telegram: { channel: '123456789' },
  ntfy: { channel: 'alerts-of-ada' },
  gotify: {},
  matrix: { channel: '!room:example.com' },
  'google-chat': { webhookUrl: 'https://chat.googleapis.com/v1/spaces/SPACE/messages?key=KEY&token=TOKEN' },
  apprise: { channel: 'ada' },
  'chat-webhook': {},
  'rocket-chat': { webhookUrl: 'https://chat.example.com', channel: 'GENERAL' },
  'one-signal': { deviceTokens: ['<subscription id>'] },
  pushpad: { deviceTokens: ['<user id>'] },
  'pusher-beams': { deviceTokens: ['<user id>'] },
};

/** Messages go to the phone number of the subscriber, to browsers that register themselves, and nowhere. */
const WITHOUT_TARGET = ['whatsapp-business', 'web-push', 'catcher-chat', 'catcher-push'];

/** The body of `POST /v1/integrations` with the required credentials of a provider. */
export function exampleIntegration({ id, channel, credentials }) {
  const own = OWN_VALUES[id] ?? {};
  const shown = credentials.filter(({ key, required }) => required || key in own);
  const pairs = shown.map(({ key }) => {
    const value = own[key] ?? VALUES[key] ?? `<${key}>`;
    return [key, typeof value === 'string' || key in own ? value : (value[channel] ?? `<${key}>`)];
  });
  return { providerId: id, channel, active: true, credentials: Object.fromEntries(pairs) };
}

/** The body of `PUT /v1/subscribers/{subscriberId}/credentials`, or undefined where the subscriber needs none. */
export function exampleTarget({ id, channel }) {
  if (WITHOUT_TARGET.includes(id) || !['chat', 'push'].includes(channel)) return undefined;
  const usual =
    channel === 'chat' ? { webhookUrl: 'https://example.com/hooks/ada' } : { deviceTokens: ['<device token>'] };
  return { providerId: id, credentials: TARGETS[id] ?? usual };
}

const request = (method, path, body) => `\`\`\`sh
curl -X ${method} "http://127.0.0.1:3000/v1/${path}" \\
  -H "Authorization: ApiKey $HERALD_API_KEY" -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body, undefined, 2).replaceAll('\n', '\n  ')}'
\`\`\``;

/** Markdown that connects a provider by the API. */
export function providerExample(declaration) {
  if (declaration.channel === 'in_app') return 'In-app messages need no integration.';
  const target = exampleTarget(declaration);
  const parts = [
    'Create an integration, on the page Integrations of the console or with the API:',
    request('POST', 'integrations', exampleIntegration(declaration)),
  ];
  if (target !== undefined) {
    parts.push(
      `Then store where the messages of a subscriber go:`,
      request('PUT', 'subscribers/ada/credentials', target),
    );
  } else if (declaration.id === 'web-push') {
    parts.push('Browsers register themselves: [Browser clients](../browser-clients.md).');
  }
  return parts.join('\n\n');
}
