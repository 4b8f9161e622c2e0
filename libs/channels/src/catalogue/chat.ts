import { declare } from './declare.js';

export const CHAT_DECLARATIONS = [
  declare('chat', 'slack', 'Slack', 'applicationId* clientId* secretKey* redirectUrl hmac', {
    supports: { userUrl: true },
    docs: 'https://api.slack.com/messaging/webhooks',
    note: "Sends through the subscriber's incoming webhook; the credentials belong to the OAuth application that hands those out.",
  }),
  declare('chat', 'discord', 'Discord', '', {
    supports: { userUrl: true },
    docs: 'https://discord.com/developers/docs/resources/webhook#execute-webhook',
  }),
  declare('chat', 'msteams', 'MSTeams', '', {
    supports: { userUrl: true },
    docs: 'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using',
    note: 'Text becomes an Adaptive Card for workflow URLs and plain text for connector URLs; content that is a JSON object is sent as it is.',
  }),
  declare('chat', 'mattermost', 'Mattermost', '', {
    supports: { userUrl: true },
    docs: 'https://developers.mattermost.com/integrate/webhooks/incoming/',
  }),
  declare('chat', 'ryver', 'Ryver', '', {
    supports: { userUrl: true },
    docs: 'https://api.ryver.com/ryvhooks_simple_incoming.html',
  }),
  declare('chat', 'zulip', 'Zulip', '', {
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
    supports: { userUrl: true },
    docs: 'https://developer.rocket.chat/apidocs/introduction-to-messaging',
    describe: { token: 'Personal access token', user: 'User id of the token' },
    note: "The subscriber's webhookUrl is the address of the server, channel the room id.",
  }),
  declare('chat', 'whatsapp-business', 'WhatsApp Business', 'apiToken* phoneNumberIdentification*', {
    supports: { check: true },
    docs: 'https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages',
    note: 'Text reaches recipients who wrote within the last 24 hours; others need a template, which overrides set as type and template.',
  }),
];
