import { discordCallback } from '../../callbacks/chat-callbacks.js';
import type { ChatMessage } from '../../core/messages.js';
import type { Verdict } from '../../declarative/answer.js';
import type { CredentialReader } from '../../declarative/credential-reader.js';
import type { HttpCall } from '../../declarative/http-call.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { byCode, GONE, LIMITED, PASSING, WRONG_TARGET } from '../../declarative/verdicts.js';
import { buttonFields, givenWebhook, messageIdOf, partsOf, roomOf, webhookOf } from './chat-fields.js';
import { discordButtons } from './discord-buttons.js';

/** https://discord.com/developers/docs/topics/opcodes-and-status-codes */
const judged = byCode(
  // Unknown webhook or channel, and a webhook with another token: somebody has removed it.
  [GONE, '10015 10003 50027'],
  // The bot is not in the channel or may not write there, or the person takes no messages of it.
  [WRONG_TARGET, '50001 50007 50013'],
  [LIMITED, '20016 20022 20028 20029 31001 31002'],
  // The API or the thread is overloaded.
  [PASSING, '130000 131012'],
);

function verdict(json: unknown, { status }: { status: number }): Verdict | undefined {
  if (status < 400) return undefined;
  // More precise than the header, which some proxies drop.
  const wait = Number(textAt(json, 'retry_after') ?? Number.NaN);
  if (status === 429 && Number.isFinite(wait)) return { ...LIMITED, retryAfterMs: Math.ceil(wait * 1_000) };
  return judged(textAt(json, 'code'));
}

export const discord = defineHttpProvider({
  id: 'discord',
  channel: 'chat',
  base: 'https://discord.com/api/v10',
  request: ({ message, c }) => ({
    ...placeOf(message, c),
    json: { content: message.content, ...buttonFields(discordButtons, message), ...message.customData },
  }),
  answer: {
    // Only messages of bots are named together with their channel.
    id: (json) =>
      messageIdOf(
        textAt(json, 'webhook_id') === undefined ? textAt(json, 'channel_id') : undefined,
        textAt(json, 'id'),
      ),
    date: 'timestamp',
    error: ['message'],
    verdict,
  },
  callback: discordCallback,
  buttons: discordButtons,
});

/** The webhook, or a channel in which the bot writes. */
function placeOf(message: ChatMessage, c: CredentialReader): HttpCall {
  const token = c('apiToken');
  const { replaces } = message;
  const room = roomOf(message);
  if (givenWebhook(message) === undefined && token !== '' && room !== undefined) {
    const [channel, id] = partsOf(replaces) ?? [room];
    const path = `/channels/${encodeURIComponent(channel)}/messages`;
    const headers = { authorization: `Bot ${token}` };
    return id === undefined
      ? { path, headers }
      : { method: 'PATCH', path: `${path}/${encodeURIComponent(id)}`, headers };
  }
  const url = webhookOf(message);
  // Otherwise the answer precedes the storage of the message and has no id.
  if (replaces === undefined) return { url, query: { wait: 'true' } };
  const [address = '', query] = url.split('?', 2);
  const changed = `${address}/messages/${encodeURIComponent(replaces)}`;
  return { method: 'PATCH', url: query === undefined ? changed : `${changed}?${query}` };
}
