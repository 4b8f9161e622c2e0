import type { Verdict } from '../../declarative/answer.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { byCode, GONE, LIMITED, PASSING } from '../../declarative/verdicts.js';
import { webhookOf } from './chat-fields.js';

/** https://discord.com/developers/docs/topics/opcodes-and-status-codes */
const judged = byCode(
  // Unknown webhook or channel, and a webhook with another token: somebody has removed it.
  [GONE, '10015 10003 50027'],
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
  request: ({ message }) => ({
    url: webhookOf(message),
    // Otherwise the answer precedes the storage of the message and has no id.
    query: { wait: 'true' },
    json: { content: message.content, ...message.customData },
  }),
  answer: { id: 'id', date: 'timestamp', error: ['message'], verdict },
});
