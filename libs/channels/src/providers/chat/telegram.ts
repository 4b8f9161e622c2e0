import type { CredentialReader } from '../../declarative/credential-reader.js';
import { telegramCallback } from '../../callbacks/telegram-callback.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { ProviderError } from '../../errors/provider-error.js';
import { telegramButtons } from './telegram-buttons.js';
import { buttonFields, messageIdOf, neededRoom, partsOf } from './chat-fields.js';

/** The person left, or the chat is not there. */
const GONE = /chat not found|bot was blocked|user is deactivated|bot was kicked/i;
/** The person has to write first, the chat has another id now, or the bot may not write there. */
const UNREACHABLE =
  /bot can't initiate|group chat was upgraded|not enough rights|have no rights|bot is not a member|PEER_ID_INVALID|CHAT_WRITE_FORBIDDEN|message thread not found|TOPIC_CLOSED/i;

function method(c: CredentialReader, name: string): string {
  const token = c('apiToken');
  if (/^\d+:[\w-]+$/.test(token)) return `/bot${token}/${name}`;
  throw new ProviderError('credentials.apiToken is no bot token: @BotFather shows it as 123456:ABC…', {
    code: 'credentials_incomplete',
    retryable: false,
  });
}

export const telegram = defineHttpProvider({
  id: 'telegram',
  channel: 'chat',
  base: 'https://api.telegram.org',
  request: ({ message, c }) => {
    const earlier = partsOf(message.replaces);
    const answered = partsOf(message.replyTo)?.[1];
    return {
      path: method(c, earlier ? 'editMessageText' : 'sendMessage'),
      json: {
        chat_id: earlier?.[0] ?? neededRoom(message, 'chat id'),
        ...(earlier && { message_id: Number(earlier[1]) }),
        text: message.content,
        ...(answered !== undefined && {
          reply_parameters: { message_id: Number(answered), allow_sending_without_reply: true },
        }),
        ...buttonFields(telegramButtons, message),
        ...message.customData,
      },
    };
  },
  answer: {
    id: (json) => messageIdOf(textAt(json, 'result.chat.id'), textAt(json, 'result.message_id')),
    error: ['description'],
    verdict: (json, { status }) => {
      const words = textAt(json, 'description') ?? '';
      if (status < 400 || at(json, 'ok') !== false) return undefined;
      const wait = Number(textAt(json, 'parameters.retry_after') ?? Number.NaN);
      if (Number.isFinite(wait)) return { code: 'rate_limited', retryable: true, retryAfterMs: wait * 1_000 };
      if (GONE.test(words)) return { code: 'invalid_target', retryable: false, isGone: true };
      if (UNREACHABLE.test(words)) return { code: 'invalid_target', retryable: false };
      // This is how a token is refused that no bot has.
      return status === 404 ? { code: 'unauthorized', retryable: false } : {};
    },
  },
  check: (c) => ({ path: method(c, 'getMe') }),
  connect: async ({ c, ask }, token) => {
    const answer = await ask({ path: method(c, 'getMe') });
    return `https://t.me/${textAt(answer.json(), 'result.username') ?? ''}?start=${token}`;
  },
  callback: telegramCallback,
  buttons: telegramButtons,
});
