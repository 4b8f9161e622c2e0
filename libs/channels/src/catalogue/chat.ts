import { declare } from './declare.js';

export const CHAT_DECLARATIONS = [
  declare('chat', 'slack', 'Slack', 'applicationId clientId secretKey redirectUrl hmac', {
    limit: { most: 40_000, unit: 'characters' },
    supports: { userUrl: true },
    docs: 'https://api.slack.com/messaging/webhooks',
    setup: [
      'Open <https://api.slack.com/apps>, choose **Create New App**, **From scratch**, and the workspace.',
      'Under **Incoming Webhooks**, switch them on, choose **Add New Webhook to Workspace**, and the channel or person.',
      'Copy the **Webhook URL**: it is the `webhookUrl` of the subscriber whose messages go there.',
    ],
    note: "Sends through the subscriber's incoming webhook. That needs no credentials: they belong to the OAuth application that hands out webhooks.",
  }),
  declare('chat', 'discord', 'Discord', 'apiToken callbackSecret', {
    limit: { most: 2_000, unit: 'characters' },
    labels: { apiToken: 'Bot token', callbackSecret: 'Public key' },
    where: {
      apiToken: 'Discord: https://discord.com/developers/applications, your application, Bot, Reset Token',
      callbackSecret: 'On the page General Information of the application',
    },
    formats: { callbackSecret: 'hexKey' },
    supports: { userUrl: true, callbacks: true, replaces: true, buttons: true },
    address: ['webhookUrl', 'channel'],
    docs: 'https://discord.com/developers/docs/resources/webhook#execute-webhook',
    describe: {
      apiToken: 'Token of the bot, for channels and buttons; webhooks need none',
      callbackSecret:
        'Public key of the application, of 64 hexadecimal digits; needed for buttons that answer questions',
    },
    setup: [
      'For webhooks, nothing: open the settings of a channel, **Integrations**, **Webhooks**, and copy the URL. It is `webhookUrl` of the subscriber.',
      'For buttons, open <https://discord.com/developers/applications>, create an application, copy the **Public Key** as `callbackSecret`, and under **Bot** the token as `apiToken`. Add the bot to your server with the permission to send messages.',
      'Enter `https://herald.example.com/v1/provider-callbacks/<integrationId>` as **Interactions Endpoint URL**. Discord tests it when you save.',
      'With developer mode on, copy the id of the channel: it is `channel` of the subscriber.',
    ],
    note: 'Messages go to the `webhookUrl` of the subscriber; without one, the bot writes to `channel`. Only messages of the bot have buttons.',
  }),
  declare('chat', 'msteams', 'Microsoft Teams', '', {
    supports: { userUrl: true },
    docs: 'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using',
    note: 'Text becomes an Adaptive Card for workflow URLs and plain text for connector URLs; content that is a JSON object is sent as it is. A request of more than 28 kB is refused, not cut.',
  }),
  declare('chat', 'mattermost', 'Mattermost', '', {
    limit: { most: 16_383, unit: 'characters' },
    supports: { userUrl: true },
    docs: 'https://developers.mattermost.com/integrate/webhooks/incoming/',
  }),
  declare('chat', 'ryver', 'Ryver', '', {
    supports: { userUrl: true },
    docs: 'https://api.ryver.com/ryvhooks_simple_incoming.html',
  }),
  declare('chat', 'zulip', 'Zulip', '', {
    limit: { most: 10_000, unit: 'characters' },
    supports: { userUrl: true },
    docs: 'https://zulip.com/integrations/slack_incoming',
    note: 'Uses the Slack-compatible incoming webhook; its URL contains stream and topic.',
  }),
  declare('chat', 'grafana-on-call', 'Grafana On Call Webhook', 'alertUid title imageUrl state externalLink', {
    supports: { userUrl: true },
    docs: 'https://grafana.com/docs/oncall/latest/configure/integrations/references/webhook/',
    note: "A formatted webhook; the subscriber's own values win over those of the integration.",
  }),
  declare('chat', 'getstream', 'GetStream', 'apiKey*', {
    supports: { userUrl: true },
    docs: 'https://www.npmjs.com/package/@novu/getstream',
    note: 'Posts the text to the webhook URL with the key in X-API-KEY; the service does not document this webhook; the request is that of the compatible system.',
  }),
  declare('chat', 'rocket-chat', 'Rocket.Chat', 'token* user*', {
    labels: { token: 'Personal access token', user: 'User ID' },
    where: { token: 'Rocket.Chat: My Account, Personal Access Tokens' },
    supports: { userUrl: true },
    docs: 'https://developer.rocket.chat/apidocs/introduction-to-messaging',
    describe: { token: 'Personal access token', user: 'User id of the token' },
    note: "The subscriber's webhookUrl is the address of the server, channel the room id.",
  }),
  declare('chat', 'slack-app', 'Slack app', 'apiToken* callbackSecret', {
    limit: { most: 40_000, unit: 'characters' },
    labels: { apiToken: 'Bot User OAuth Token', callbackSecret: 'Signing secret' },
    where: {
      apiToken: 'Slack: https://api.slack.com/apps, your app, OAuth & Permissions; it begins with xoxb-',
      callbackSecret: 'Slack: https://api.slack.com/apps, your app, Basic Information, Signing Secret',
    },
    formats: { callbackSecret: 'header' },
    supports: { check: true, callbacks: true, replaces: true, threads: true, buttons: true },
    address: ['channel', 'email'],
    docs: 'https://docs.slack.dev/reference/methods/chat.postMessage',
    describe: {
      apiToken: 'Bot token, which begins with xoxb-',
      callbackSecret: 'Signing secret of the app; needed for buttons that answer questions',
    },
    setup: [
      'Open <https://api.slack.com/apps>, choose **Create New App**, **From scratch**, and the workspace.',
      'Under **OAuth & Permissions**, add the bot token scopes `chat:write`, and `users:read.email` to find people by their email address. `chat:write.public` lets the app write in public channels that it has not joined.',
      'Choose **Install to Workspace** and copy the **Bot User OAuth Token**: it is `apiToken`.',
      'Invite the app into private channels with `/invite @app`.',
      'For buttons that answer questions, copy the **Signing Secret** of **Basic Information** as `callbackSecret`, and under **Interactivity & Shortcuts** enter `https://herald.example.com/v1/provider-callbacks/<integrationId>` as **Request URL**.',
    ],
    note: "`channel` of the subscriber is the id of a channel (`C…`) or a person (`U…`), or an email address. Without it, messages go to the person with the subscriber's email address. `overrides.slack-app` adds `blocks`, `thread_ts`, `unfurl_links` and every other field of the request.",
  }),
  declare('chat', 'telegram', 'Telegram', 'apiToken* callbackSecret', {
    limit: { most: 4_096, unit: 'characters' },
    labels: { apiToken: 'Bot token' },
    where: { apiToken: 'Telegram: /newbot or /token to @BotFather' },
    formats: { callbackSecret: 'urlWord' },
    supports: { check: true, callbacks: true, replaces: true, threads: true, links: true, buttons: true },
    address: ['channel'],
    docs: 'https://core.telegram.org/bots/api#sendmessage',
    describe: {
      apiToken: 'Token of the bot, such as 123456:ABC-DEF',
      callbackSecret:
        'Secret of your choice that Telegram sends with each update; needed for links that connect people, and for buttons that answer questions',
    },
    setup: [
      'Open a chat with [@BotFather](https://t.me/BotFather) and send `/newbot`.',
      'Choose a name. The answer has the token: it is `apiToken`.',
      'Bots cannot write first: the person starts the bot, or you add it to the group.',
      'For links that connect people, and for buttons that answer questions, choose a `callbackSecret` of letters, digits, hyphens and underscores, and tell Telegram once where Herald is: `curl "https://api.telegram.org/bot<apiToken>/setWebhook" -d url=https://herald.example.com/v1/provider-callbacks/<integrationId> -d secret_token=<callbackSecret> -d \'allowed_updates=["message","callback_query"]\'`.',
    ],
    note: '`channel` of the subscriber is the id of the chat. `POST /v1/subscribers/{subscriberId}/chat-links` makes a link for the person, who opens it and presses **Start**: the chat becomes the `channel` of the subscriber. Text is sent as it is; `overrides.telegram` adds `parse_mode`, `reply_markup`, `disable_notification` and every other field of the request.',
  }),
  declare('chat', 'ntfy', 'ntfy', 'baseUrl token', {
    limit: { most: 4_096, unit: 'bytes' },
    labels: { baseUrl: 'Server', token: 'Access token' },
    supports: { check: true, userUrl: true },
    address: ['channel'],
    docs: 'https://docs.ntfy.sh/publish/#publish-as-json',
    describe: { baseUrl: 'URL of the server; default https://ntfy.sh', token: 'Access token, for protected topics' },
    setup: [
      'On ntfy.sh or a server of your own, open **Account** and choose **Create access token**. Public topics need none.',
      'Each subscriber subscribes to a topic in the app. Whoever knows the name of a public topic can read it.',
    ],
    note: '`channel` of the subscriber is the topic. The severity of the workflow becomes the priority: low 2, medium 4, high 5. `overrides.ntfy` adds `title`, `tags`, `actions`, `click`, `attach`, `icon` and every other field of the request.',
  }),
  declare('chat', 'gotify', 'Gotify', 'baseUrl* token*', {
    labels: { baseUrl: 'Server', token: 'Application token' },
    supports: { check: true, userUrl: true },
    address: ['webhookUrl', 'integration'],
    docs: 'https://gotify.net/docs/pushmsg',
    describe: { baseUrl: 'URL of the server', token: 'Token of the application' },
    setup: [
      'In Gotify, open **Apps** and choose **Create application**.',
      'Show its token with the eye: it is `token`. `baseUrl` is the address of the server.',
    ],
    note: 'Messages go to the user who owns the application. Where subscribers have users of their own, `webhookUrl` of the subscriber is `https://gotify.example.com/message?token=…` with the token of their application. The severity of the workflow becomes the priority: low 2, medium 5, high 8. `overrides.gotify` adds `title`, `extras` and `priority`.',
  }),
  declare('chat', 'matrix', 'Matrix', 'baseUrl* token*', {
    labels: { baseUrl: 'Homeserver', token: 'Access token' },
    supports: { check: true, userUrl: true, idempotency: true, replaces: true, threads: true },
    address: ['channel'],
    docs: 'https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid',
    describe: {
      baseUrl: 'URL of the homeserver, such as https://matrix.example.com',
      token: 'Access token of the account',
    },
    setup: [
      'Create an account for Herald on the homeserver.',
      'Sign in with Element, open **All settings**, **Help & About**, and copy **Access Token**: it is `token`. Do not sign out there, because that ends the token.',
      'Invite the account into the rooms, and let it join them.',
    ],
    note: '`channel` of the subscriber is a room (`!id:server`), an alias (`#name:server`), or a person (`@name:server`), for whom a direct room is created once. The id of the message is the transaction id, so a repeat sends nothing. Encrypted rooms get unencrypted messages. `overrides.matrix` adds fields of the event, such as `format` and `formatted_body`.',
  }),
  declare('chat', 'google-chat', 'Google Chat', '', {
    supports: { userUrl: true },
    docs: 'https://developers.google.com/workspace/chat/quickstart/webhooks',
    setup: [
      'In Google Chat, open the space, the menu beside its name, **Apps & integrations**, **Webhooks**, **Add webhook**.',
      'Copy the URL: it is `webhookUrl` of the subscriber. It needs Google Workspace.',
    ],
    note: 'Content that is a JSON object is sent as it is, for example with `cardsV2`. `overrides.google-chat` adds fields, such as `{"thread": {"threadKey": "order-7"}}` for a thread. A message of more than 32,000 bytes is refused, not cut.',
  }),
  declare('chat', 'apprise', 'Apprise API', 'baseUrl* token', {
    supports: { check: true, userUrl: true },
    address: ['webhookUrl', 'channel', 'integration'],
    docs: 'https://github.com/caronc/apprise-api',
    describe: { baseUrl: 'URL of the gateway', token: 'Key under which the gateway has stored addresses' },
    setup: [
      'Run the gateway, for example `docker run -p 8000:8000 caronc/apprise`.',
      'Open its page, store the addresses under a key, and give them tags: the key is `token`.',
    ],
    note: 'For every service that Apprise knows and Herald does not. `channel` of the subscriber is a tag; or `webhookUrl` is an Apprise address such as `tgram://…`, and the gateway needs no configuration. The severity of the workflow becomes the type: low info, medium warning, high failure. `overrides.apprise` adds `title` and `format`.',
  }),
  declare('chat', 'chat-webhook', 'Chat Webhook', 'webhookUrl secretKey method headers body', {
    supports: { userUrl: true },
    address: ['webhookUrl', 'integration'],
    docs: 'https://www.standardwebhooks.com/',
    describe: {
      webhookUrl: 'URL that receives the messages of subscribers without one of their own',
      secretKey: 'Key of the signature: whsec_ and the key in base64',
    },
    setup: ['Make a key with `echo "whsec_$(openssl rand -base64 24)"` and give it to the receiver.'],
    note: 'Any URL, in the form that the receiver wants. `method`, `headers` and `body` are [templates](../manual/templates.md) with the variables of the step, and `message.id`, `message.content`, `message.severity` and `message.channel`. A `body` that is JSON stays JSON: each text in it is a template. Without a `body`, JSON with `id`, `content`, `severity`, `channel` and the overrides is sent. Requests are signed as [outbound webhooks](../webhooks.md) are; `webhook-id` is the id of the message and the same on every attempt.',
  }),
  declare('chat', 'whatsapp-business', 'WhatsApp Business', 'apiToken* phoneNumberIdentification*', {
    limit: { most: 4_096, unit: 'characters' },
    labels: { apiToken: 'Access token', phoneNumberIdentification: 'Phone number ID' },
    where: {
      apiToken: 'Meta for Developers: your app, WhatsApp, API Setup; for production, the token of a system user',
      phoneNumberIdentification: 'On the same page, below the number',
    },
    supports: { check: true },
    address: ['phone'],
    docs: 'https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages',
    note: 'Text reaches recipients who wrote within the last 24 hours; others need an approved template: `overrides.whatsapp-business.template` is `{"name": "order_shipped", "language": "en_US", "parameters": ["Ada", "7"]}`; named parameters are an object. One with `components` is passed on as it is.',
  }),
];
