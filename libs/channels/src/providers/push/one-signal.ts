import type { PushMessage } from '../../core/messages.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { at, textAt } from '../../declarative/json-path.js';
import { uuidOf } from '../../declarative/digests.js';
import { collapseKey, without } from './push-fields.js';

/** Subscriptions that no longer exist. The key differs between versions of the API. */
function deadTokens(json: unknown, targets: readonly string[]): string[] {
  const lists = ['errors.invalid_player_ids', 'errors.invalid_subscription_ids'].map((path) => at(json, path));
  const dead = lists.flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  return targets.filter((target) => dead.includes(target));
}

/** Current keys have a prefix; older ones need the older scheme. */
function authorization(key: string): string {
  return `${key.startsWith('os_v2_') ? 'Key' : 'Basic'} ${key}`;
}

/**
 * Overrides under the names that all push providers share, and the parameters that they set. Others are parameters
 * already.
 */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  sound: ['ios_sound', 'android_sound'],
  icon: ['small_icon', 'large_icon', 'chrome_icon', 'firefox_icon'],
  channelId: ['android_channel_id'],
  categoryId: ['ios_category'],
  mutableContent: ['mutable_content'],
};

function parameters(overrides: PushMessage['overrides']): Record<string, unknown> {
  const entries = Object.entries(without(overrides, 'deviceTokens')).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'subtitle' && typeof value === 'string') return [[key, { en: value }]];
    const names = Object.hasOwn(SHARED, key) ? SHARED[key] : undefined;
    return (names ?? [key]).map((name) => [name, value]);
  });
  return Object.fromEntries(entries);
}

export const oneSignal = defineHttpProvider({
  id: 'one-signal',
  channel: 'push',
  base: 'https://api.onesignal.com',
  targetsPerRequest: 2_000,
  request: ({ message, c, context }) => ({
    path: '/notifications',
    headers: { authorization: authorization(c('apiKey')) },
    json: {
      app_id: c('applicationId'),
      target_channel: 'push',
      include_subscription_ids: message.target,
      headings: { en: message.title },
      contents: { en: message.content },
      data: message.payload,
      collapse_id: collapseKey(message),
      ...parameters(message.overrides),
      idempotency_key: context.idempotencyKey === '' ? undefined : uuidOf(context.idempotencyKey),
    },
  }),
  answer: {
    id: 'id',
    error: ['errors.0'],
    refusesInBody: true,
    // An empty id, or errors without an id, mean that no device was reached.
    verdict: (json, { status }, targets) => {
      const id = at(json, 'id');
      const hasErrors = (at(json, 'errors') ?? null) !== null;
      if (status >= 300 || (id !== '' && (id !== undefined || !hasErrors))) return undefined;
      const invalidTokens = deadTokens(json, targets);
      const message = textAt(json, 'errors.0') ?? 'no target could be reached';
      return { message, code: 'invalid_target', retryable: false, ...(invalidTokens.length > 0 && { invalidTokens }) };
    },
    invalidTokens: deadTokens,
  },
  check: (c) => ({
    path: '/notifications',
    query: { app_id: c('applicationId'), limit: '1' },
    headers: { authorization: authorization(c('apiKey')) },
  }),
});
