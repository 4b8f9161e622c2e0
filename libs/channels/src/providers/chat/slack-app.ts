import type { ChatMessage } from '../../core/messages.js';
import type { Verdict } from '../../declarative/answer.js';
import { bearer } from '../../declarative/http-call.js';
import { defineHttpProvider, type CallInput } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { byCode, GONE, LIMITED, PASSING, UNAUTHORIZED, WRONG_TARGET } from '../../declarative/verdicts.js';
import { slackCallback } from '../../callbacks/chat-callbacks.js';
import { Lookups } from '../../declarative/lookups.js';
import { slackButtons } from './slack-buttons.js';
import { assertBlocks, buttonFields, incomplete, messageIdOf, partsOf, roomOf } from './chat-fields.js';

/** https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const judged = byCode(
  [LIMITED, 'ratelimited rate_limited message_limit_exceeded'],
  [PASSING, 'service_unavailable team_added_to_org request_timeout'],
  // Slack says that a part of the work may be done.
  [{ ...PASSING, outcome: 'uncertain' }, 'internal_error fatal_error'],
  [UNAUTHORIZED, 'invalid_auth not_authed account_inactive token_revoked token_expired missing_scope no_permission'],
  [UNAUTHORIZED, 'not_allowed_token_type access_denied accesslimited ekm_access_denied org_login_required'],
  // They may mean that the application is not invited yet, or has no rights.
  [WRONG_TARGET, 'channel_not_found not_in_channel users_not_found user_not_found'],
  [GONE, 'is_archived user_disabled'],
);
const people = new Lookups();

function refusal(json: unknown): Verdict | undefined {
  if (at(json, 'ok') !== false) return undefined;
  const name = textAt(json, 'error') ?? 'error';
  return { message: name, ...judged(name) };
}

/** A channel, a person, or a person by the email address: that of the entry, else of the subscriber. */
async function channelOf({ message, c, context, ask }: CallInput<ChatMessage>): Promise<string> {
  const room = roomOf(message) ?? message.email;
  if (room === undefined) {
    throw incomplete('The subscriber has neither a channel for this provider nor an email address; set one of them.');
  }
  if (!room.includes('@')) return room;
  const authorization = bearer(c('apiToken'));
  const found = await people.find(`${authorization} ${room}`, context.now(), async () => {
    const answer = await ask({ path: '/users.lookupByEmail', query: { email: room }, headers: { authorization } });
    return textAt(answer.json(), 'user.id');
  });
  return found ?? room;
}

export const slackApp = defineHttpProvider({
  id: 'slack-app',
  channel: 'chat',
  base: 'https://slack.com/api',
  request: async (input) => {
    const { message, c } = input;
    const earlier = partsOf(message.replaces);
    assertBlocks(message);
    return {
      path: earlier ? '/chat.update' : '/chat.postMessage',
      headers: { authorization: bearer(c('apiToken')) },
      json: {
        channel: earlier?.[0] ?? (await channelOf(input)),
        ts: earlier?.[1],
        thread_ts: partsOf(message.replyTo)?.[1],
        text: message.content,
        ...buttonFields(slackButtons, message),
        ...message.customData,
      },
    };
  },
  answer: {
    id: (json) => messageIdOf(textAt(json, 'channel'), textAt(json, 'ts')),
    refusesInBody: true,
    error: ['error'],
    verdict: refusal,
  },
  callback: slackCallback,
  buttons: slackButtons,
  check: (c) => ({ method: 'POST', path: '/auth.test', headers: { authorization: bearer(c('apiToken')) } }),
});
