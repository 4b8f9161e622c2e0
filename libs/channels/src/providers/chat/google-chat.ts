import { defineHttpProvider } from '../../declarative/http-provider.js';
import { GONE } from '../../declarative/verdicts.js';
import { assertLength } from '../../declarative/limits.js';
import { contentObject, webhookOf } from './chat-fields.js';

const MAX_BYTES = 32_000;

export const googleChat = defineHttpProvider({
  id: 'google-chat',
  channel: 'chat',
  request: ({ message, context }) => {
    const json = { ...(contentObject(message.content) ?? { text: message.content }), ...message.customData };
    assertLength(Buffer.byteLength(JSON.stringify(json)), MAX_BYTES, 'bytes');
    return {
      url: webhookOf(message),
      query: {
        requestId: context.idempotencyKey || undefined,
        messageReplyOption: 'thread' in json ? 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD' : undefined,
      },
      json,
    };
  },
  answer: {
    id: 'name',
    date: 'createTime',
    error: ['error.message'],
    // Somebody has removed the webhook, or the space.
    verdict: (_json, { status }) => (status === 404 ? GONE : undefined),
  },
});
