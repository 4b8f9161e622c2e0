import { declare } from './declare.js';

export const CHAT_DECLARATIONS = [
  declare('chat', 'slack', 'Slack', 'applicationId* clientId* secretKey* redirectUrl hmac'),
  declare('chat', 'discord', 'Discord', ''),
  declare('chat', 'msteams', 'MSTeams', ''),
  declare('chat', 'mattermost', 'Mattermost', ''),
  declare('chat', 'ryver', 'Ryver', ''),
  declare('chat', 'zulip', 'Zulip', ''),
  declare('chat', 'grafana-on-call', 'Grafana On Call Webhook', 'alertUid title imageUrl state externalLink'),
  declare('chat', 'getstream', 'GetStream', 'apiKey*'),
  declare('chat', 'rocket-chat', 'Rocket.Chat', 'token* user*'),
  declare('chat', 'whatsapp-business', 'WhatsApp Business', 'apiToken* phoneNumberIdentification*'),
];
