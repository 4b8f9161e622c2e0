import type { ChatMessage } from '../../core/messages.js';
import type { ChannelProvider } from '../../core/provider.js';
import type { AnswerSpec, Verdict } from '../../declarative/answer.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { assertBlocks, roomOf, webhookOf } from './chat-fields.js';

/** Sends JSON to the subscriber's webhook, without credentials. */
function webhookProvider(id: string, body: (message: ChatMessage) => object, answer: AnswerSpec = {}): ChannelProvider {
  return defineHttpProvider({
    id,
    channel: 'chat',
    needs: [],
    request: ({ message }) => ({ url: webhookOf(message), json: { ...body(message), ...message.customData } }),
    answer: { error: ['message', 'msg', 'error'], ...answer },
  });
}

/** Slack and compatible services refuse with `ok: false` if they answer JSON. */
function slackRefusal(json: unknown, { status }: { status: number }): Verdict | undefined {
  return status < 300 && at(json, 'ok') === false ? { message: textAt(json, 'error') ?? 'error' } : undefined;
}

/** What the page of a webhook says when the webhook, its channel or its workspace is not there any more. */
const GONE_AT_SLACK = /^(no_service|no_service_id|no_team|team_disabled|channel_not_found|channel_is_archived)$/;

function slackBody(message: ChatMessage): object {
  assertBlocks(message);
  return { text: message.content, channel: roomOf(message) };
}

export const slack = webhookProvider('slack', slackBody, {
  verdict: (json, answer) =>
    answer.status >= 400 && GONE_AT_SLACK.test(answer.text.trim())
      ? { message: answer.text.trim(), code: 'invalid_target', retryable: false, isGone: true }
      : slackRefusal(json, answer),
});

export const mattermost = webhookProvider('mattermost', (message) => ({
  text: message.content,
  channel: roomOf(message),
}));

export const ryver = webhookProvider('ryver', (message) => ({ body: message.content }));

/** Zulip's Slack-compatible webhook; its URL contains stream and topic. */
export const zulip = webhookProvider('zulip', (message) => ({ text: message.content, channel: roomOf(message) }), {
  verdict: (json, answer) =>
    answer.status < 300 && textAt(json, 'result') === 'error'
      ? { message: textAt(json, 'msg') ?? 'error' }
      : slackRefusal(json, answer),
});
