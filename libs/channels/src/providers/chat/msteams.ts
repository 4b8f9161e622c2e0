import type { ChatMessage } from '../../core/messages.js';
import { outcomeOf } from '../../declarative/answer.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { assertLength } from '../../declarative/limits.js';
import { contentObject, webhookOf } from './chat-fields.js';

/** Of the whole request. */
const MAX_BYTES = 28 * 1_024;

/** Retired connectors accept plain text; workflows, their successors, accept Adaptive Cards only. */
function isConnector(url: string): boolean {
  return URL.canParse(url) && /(^|\.)(webhook\.office\.com|outlook\.office\.com)$/i.test(new URL(url).hostname);
}

function card(text: string, answerUrl: string | undefined): object {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          body: [{ type: 'TextBlock', text, wrap: true }],
          // Webhooks and workflows cannot take an answer, so the button leads to the page.
          ...(answerUrl !== undefined && { actions: [{ type: 'Action.OpenUrl', title: 'Answer', url: answerUrl }] }),
        },
      },
    ],
  };
}

function body(message: ChatMessage): object {
  const text = { text: message.content };
  return (
    contentObject(message.content) ??
    (isConnector(webhookOf(message)) ? text : card(message.content, message.answerUrl))
  );
}

export const msteams = defineHttpProvider({
  id: 'msteams',
  channel: 'chat',
  request: ({ message }) => {
    const json = { ...body(message), ...message.customData };
    assertLength(Buffer.byteLength(JSON.stringify(json)), MAX_BYTES, 'bytes');
    return { url: webhookOf(message), json };
  },
  answer: {
    refusesInBody: true,
    error: ['error.message', 'message'],
    // Connectors report failures of the service behind them with status 200.
    verdict: (json, { status: http, text }) => {
      if (http === 410 || textAt(json, 'error.code') === 'WorkflowNotFound') {
        return { code: 'invalid_target', retryable: false, isGone: true };
      }
      if (http >= 300 || !text.startsWith('Webhook message delivery failed')) return undefined;
      const status = Number(/HTTP error (\d{3})/.exec(text)?.[1] ?? 500);
      const code = status === 429 ? 'rate_limited' : 'unavailable';
      return { message: text.slice(0, 200), code, retryable: true, outcome: outcomeOf(status) };
    },
  },
});
