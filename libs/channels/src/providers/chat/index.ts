import type { ChannelProvider } from '../../core/provider.js';
import { apprise } from './apprise.js';
import { chatWebhook } from './chat-webhook.js';
import { googleChat } from './google-chat.js';
import { gotify } from './gotify.js';
import { matrix } from './matrix.js';
import { ntfy } from './ntfy.js';
import { slackApp } from './slack-app.js';
import { telegram } from './telegram.js';
import { discord } from './discord.js';
import { getstream } from './getstream.js';
import { grafanaOnCall } from './grafana-on-call.js';
import { msteams } from './msteams.js';
import { rocketChat } from './rocket-chat.js';
import { mattermost, ryver, slack, zulip } from './webhooks.js';
import { whatsappBusiness } from './whatsapp-business.js';

export const CHAT_PROVIDERS: readonly ChannelProvider[] = [
  discord,
  getstream,
  grafanaOnCall,
  mattermost,
  msteams,
  rocketChat,
  ryver,
  slack,
  whatsappBusiness,
  apprise,
  chatWebhook,
  googleChat,
  gotify,
  matrix,
  ntfy,
  slackApp,
  telegram,
  zulip,
];
