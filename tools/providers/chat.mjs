import { WITHOUT_LIBRARY } from './unchecked.mjs';

const SLACK_HOOK = 'https://hooks.slack.com/services/T000/B000/secret';
const DISCORD_HOOK = `https://discord.com/api/webhooks/123456789012345678/${'s'.repeat(68)}`;
const BLOCKS = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello *Ada*' } }];
const CARD = { cardsV2: [{ cardId: 'c', card: { header: { title: 'Order 7' } } }] };
const to = (channel) => ({ subscriberCredentials: { channel } });

export const CHAT_ROWS = [
  {
    id: 'slack',
    channel: 'chat',
    library: '@slack/webhook@8.0.2',
    credentials: {},
    headers: ['content-type'],
    message: { webhookUrl: SLACK_HOOK },
    messages: { rich: { customData: { blocks: BLOCKS } } },
    answers: { '*': { headers: { 'content-type': 'text/html' }, body: 'ok' } },
    async send(load, { content, customData }) {
      await new (load('@slack/webhook').IncomingWebhook)(SLACK_HOOK).send({ text: content, ...customData });
    },
  },
  {
    id: 'slack-app',
    channel: 'chat',
    library: '@slack/web-api@8.2.0',
    specification: {
      file: 'slack.json',
      date: '2021-09-07',
      operations: ['POST /chat.postMessage'],
      differs: {
        'headers.token': 'the specification is older than the header Authorization',
        'body.blocks': 'the specification describes a form, in which lists are JSON as text',
      },
    },
    differs: Object.fromEntries(
      ['headers.content-type', 'body.blocks', 'body.unfurl_links'].map((place) => [
        place,
        'the library sends a form, in which lists are JSON as text; the API takes both',
      ]),
    ),
    credentials: { apiToken: 'xoxb-token' },
    message: to('C0123456789'),
    messages: { rich: { customData: { blocks: BLOCKS, unfurl_links: false } } },
    answers: { '*': { body: { ok: true, channel: 'C0123456789', ts: '1.2' } } },
    async send(load, { content, customData }) {
      const { WebClient } = load('@slack/web-api');
      await new WebClient('xoxb-token').chat.postMessage({ channel: 'C0123456789', text: content, ...customData });
    },
  },
  {
    id: 'discord',
    channel: 'chat',
    library: 'discord.js@14.28.1',
    specification: {
      file: 'discord.json',
      date: '2026-07-18',
      operations: ['POST /webhooks/{webhook_id}/{webhook_token}'],
    },
    credentials: {},
    headers: ['content-type'],
    differs: {
      path: 'the URL of a webhook has no version, and the service takes both',
      'body.tts': 'false is what the service assumes',
      'body.enforce_nonce': 'false is what the service assumes',
    },
    message: { webhookUrl: DISCORD_HOOK },
    messages: { rich: { customData: { embeds: [{ title: 'Order 7', color: 255 }], username: 'Herald' } } },
    answers: {
      '*': { body: { id: '1', channel_id: '2', timestamp: '2026-01-01T00:00:00Z', content: '', author: { id: '1' } } },
    },
    async send(load, { content, customData }) {
      await new (load('discord.js').WebhookClient)({ url: DISCORD_HOOK }).send({ content, ...customData });
    },
  },
  {
    id: 'telegram',
    channel: 'chat',
    specification: { file: 'telegram.json', date: '2026-06-18', operations: ['sendMessage'] },
    credentials: { apiToken: '123456:ABC-DEF' },
    message: to('123456789'),
    messages: { rich: { customData: { parse_mode: 'HTML', disable_notification: true } } },
    answers: { '*': { body: { ok: true, result: { message_id: 1, chat: { id: 123456789 } } } } },
  },
  {
    id: 'google-chat',
    channel: 'chat',
    specification: { file: 'google-chat.json', date: '2026-11-07', operations: ['Message'] },
    credentials: {},
    message: { webhookUrl: 'https://chat.googleapis.com/v1/spaces/S/messages?key=K&token=T' },
    messages: { rich: { content: JSON.stringify(CARD) } },
    answers: { '*': { body: { name: 'spaces/S/messages/1' } } },
  },
  {
    id: 'matrix',
    channel: 'chat',
    specification: {
      file: 'matrix.json',
      date: '2026-07-21',
      operations: ['PUT /rooms/{roomId}/send/{eventType}/{txnId}'],
    },
    credentials: { baseUrl: 'https://matrix.example.com', token: 'syt' },
    message: to('!room:example.com'),
    messages: { rich: { customData: { format: 'org.matrix.custom.html', formatted_body: '<b>Hello</b>' } } },
    answers: { '*': { body: { event_id: '$1' } } },
  },
  {
    id: 'gotify',
    channel: 'chat',
    specification: { file: 'gotify.json', date: '2026-07-24', operations: ['POST /message'] },
    credentials: { baseUrl: 'https://gotify.example.com', token: 'A1' },
    messages: { rich: { severity: 'high', customData: { title: 'Order 7' } } },
    answers: { '*': { body: { id: 1 } } },
  },
  {
    id: 'apprise',
    channel: 'chat',
    specification: { file: 'apprise.json', date: '2026-08-20', operations: ['POST /notify/{key}', 'POST /notify'] },
    credentials: { baseUrl: 'https://apprise.example.com', token: 'family' },
    message: to('ada'),
    messages: { rich: { severity: 'high', customData: { title: 'Order 7' } } },
  },
  ...[
    'msteams',
    'mattermost',
    'whatsapp-business',
    'ryver',
    'grafana-on-call',
    'getstream',
    'rocket-chat',
    'ntfy',
    'chat-webhook',
  ].map((id) => ({
    id,
    channel: 'chat',
    unchecked: id === 'chat-webhook' ? 'its receivers decide what they take' : WITHOUT_LIBRARY,
  })),
  {
    id: 'zulip',
    channel: 'chat',
    unchecked: 'its webhook takes the requests of Slack, which its specification does not describe',
  },
];
