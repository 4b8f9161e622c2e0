import type { Verdict } from '../../declarative/answer.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { webhookOf } from './chat-fields.js';

/** Unknown Webhook: somebody has removed it. */
const GONE = '10015';

function verdict(json: unknown, { status }: { status: number }): Verdict | undefined {
  return status === 404 && textAt(json, 'code') === GONE
    ? { code: 'invalid_target', retryable: false, isGone: true }
    : undefined;
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
