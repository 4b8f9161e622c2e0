import type { ProviderCallback } from '../core/provider.js';
import { textAt } from '../declarative/json-path.js';
import { jsonBody } from './callback-events.js';
import { sameText, secretOf } from './signature.js';

const START = /^\/start(?:@\w+)? ([\w-]{1,64})$/;

/** Telegram reports what people write to the bot, and nothing of messages that the bot has sent. */
export const telegramCallback: ProviderCallback = {
  verify: ({ headers }, credentials) => {
    const secret = secretOf(credentials, 'callbackSecret');
    const given = headers['x-telegram-bot-api-secret-token'];
    return secret !== undefined && given !== undefined && sameText(secret, given);
  },
  connection: (request) => {
    const json = jsonBody(request);
    const token = START.exec(textAt(json, 'message.text')?.trim() ?? '')?.[1];
    const channel = textAt(json, 'message.chat.id');
    return token === undefined || channel === undefined ? undefined : { token, credentials: { channel } };
  },
  parse: (request) => {
    jsonBody(request);
    return [];
  },
};
