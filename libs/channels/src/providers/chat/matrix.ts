import type { ChatMessage } from '../../core/messages.js';
import { shortDigest } from '../../declarative/digests.js';
import { bearer, type HttpCall } from '../../declarative/http-call.js';
import { defineHttpProvider, type CallInput } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { Lookups } from '../../declarative/lookups.js';
import type { OutboundResponse } from '../../http/outbound-http.types.js';
import { neededRoom } from './chat-fields.js';

const API = '/_matrix/client/v3';
const rooms = new Lookups();

type Input = CallInput<ChatMessage>;

function isMissing(answer: OutboundResponse): boolean {
  return answer.status === 404 && textAt(answer.json(), 'errcode') === 'M_NOT_FOUND';
}

function isTaken(answer: OutboundResponse): boolean {
  return answer.status === 400 && textAt(answer.json(), 'errcode') === 'M_ROOM_IN_USE';
}

async function roomBehind(alias: string, authorization: string, { ask }: Input): Promise<string | undefined> {
  const path = `${API}/directory/room/${encodeURIComponent(alias)}`;
  const answer = await ask({ path, headers: { authorization } }, isMissing);
  return textAt(answer.json(), 'room_id');
}

/** The alias of a direct room makes sure that a person has one, whichever process creates it. */
async function directRoom(person: string, authorization: string, input: Input): Promise<string | undefined> {
  const own = await input.ask({ path: `${API}/account/whoami`, headers: { authorization } });
  const user = textAt(own.json(), 'user_id') ?? '';
  const name = `herald-${shortDigest(`${user} ${person}`)}`;
  const alias = `#${name}:${user.slice(user.indexOf(':') + 1)}`;
  const known = await roomBehind(alias, authorization, input);
  if (known !== undefined) return known;
  const json = { room_alias_name: name, preset: 'trusted_private_chat', is_direct: true, invite: [person] };
  const call: HttpCall = { method: 'POST', path: `${API}/createRoom`, headers: { authorization }, json };
  const created = await input.ask(call, isTaken);
  return textAt(created.json(), 'room_id') ?? roomBehind(alias, authorization, input);
}

async function roomId(authorization: string, input: Input): Promise<string> {
  const room = neededRoom(input.message, 'room or user id');
  if (!room.startsWith('#') && !room.startsWith('@')) return room;
  const key = `${input.context.baseUrl ?? input.c('baseUrl')} ${authorization} ${room}`;
  const found = await rooms.find(key, input.context.now(), () =>
    room.startsWith('@') ? directRoom(room, authorization, input) : roomBehind(room, authorization, input),
  );
  return found ?? room;
}

/** Clients that do not understand a relation show the text before it. */
function content({ content: body, replaces, replyTo, customData }: ChatMessage): object {
  const own = { msgtype: 'm.text', body, ...customData };
  if (replaces !== undefined) {
    const relation = { rel_type: 'm.replace', event_id: replaces };
    return { ...own, body: `* ${body}`, 'm.new_content': own, 'm.relates_to': relation };
  }
  if (replyTo === undefined) return own;
  const relation = { rel_type: 'm.thread', event_id: replyTo, is_falling_back: true };
  return { ...own, 'm.relates_to': { ...relation, 'm.in_reply_to': { event_id: replyTo } } };
}

export const matrix = defineHttpProvider({
  id: 'matrix',
  channel: 'chat',
  userBase: (c) => c('baseUrl'),
  request: async (input) => {
    const authorization = bearer(input.c('token'));
    const room = encodeURIComponent(await roomId(authorization, input));
    const txn = encodeURIComponent(input.context.idempotencyKey || input.message.id);
    return {
      method: 'PUT',
      path: `${API}/rooms/${room}/send/m.room.message/${txn}`,
      headers: { authorization },
      json: content(input.message),
    };
  },
  answer: {
    id: 'event_id',
    error: ['error'],
    verdict: (json, { status }) => {
      if (status < 400) return undefined;
      const wait = at(json, 'retry_after_ms');
      if (typeof wait === 'number') return { code: 'rate_limited', retryable: true, retryAfterMs: wait };
      const code = textAt(json, 'errcode');
      if (code === 'M_FORBIDDEN' || code === 'M_NOT_FOUND') return { code: 'invalid_target', retryable: false };
      return code === 'M_TOO_LARGE' ? { code: 'message_incomplete', retryable: false } : {};
    },
  },
  check: (c) => ({ path: `${API}/account/whoami`, headers: { authorization: bearer(c('token')) } }),
});
