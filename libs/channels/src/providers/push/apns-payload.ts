import type { PushMessage } from '../../core/messages.js';
import { uuidOf } from '../../declarative/digests.js';
import { collapseKey, overrideObject } from './push-fields.js';

type Overrides = Readonly<Record<string, unknown>>;

/** Overrides in camel case and the keys of Apple's `aps` dictionary that they set. */
const APS_KEYS: Readonly<Record<string, string>> = {
  badge: 'badge',
  sound: 'sound',
  category: 'category',
  threadId: 'thread-id',
  interruptionLevel: 'interruption-level',
  relevanceScore: 'relevance-score',
};

function flag(value: unknown): 1 | undefined {
  return value === true || value === 1 ? 1 : undefined;
}

/** Without a notification: the app gets the data in the background. The words are those of FCM. */
const isDataOnly = (overrides: Overrides): boolean => overrides['type'] === 'data';

/** The JSON body: Apple's `aps` dictionary and the payload of the trigger. */
export function apnsPayload({ title, content, payload, overrides = {} }: PushMessage): string {
  if (isDataOnly(overrides)) {
    // Apple refuses to wake an app for what has an alert, a badge or a sound.
    const aps = { ...overrideObject(overrides, 'aps'), 'content-available': 1 };
    return JSON.stringify({ ...payload, title, body: content, ...overrideObject(overrides, 'data'), aps });
  }
  const set = Object.entries(APS_KEYS).map(([name, key]): [string, unknown] => [key, overrides[name]]);
  return JSON.stringify({
    ...payload,
    aps: {
      alert: { title, body: content },
      ...Object.fromEntries(set),
      'mutable-content': flag(overrides['mutableContent']),
      'content-available': flag(overrides['contentAvailable']),
      ...overrideObject(overrides, 'aps'),
    },
  });
}

function text(overrides: Overrides, key: string): string | undefined {
  const value = overrides[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

export function apnsHeaders(
  message: PushMessage,
  bundleId: string,
  idempotencyKey: string,
  token: string,
): Record<string, string> {
  const { overrides = {} } = message;
  const optional = {
    'apns-expiration': text(overrides, 'expiry'),
    'apns-collapse-id': text(overrides, 'collapseId') ?? collapseKey(message),
  };
  const [type, priority] = isDataOnly(overrides) ? ['background', '5'] : ['alert', '10'];
  return {
    'apns-topic': text(overrides, 'topic') ?? bundleId,
    'apns-push-type': text(overrides, 'pushType') ?? type,
    'apns-priority': text(overrides, 'priority') ?? priority,
    // Apple returns this id. It is the same on every attempt.
    'apns-id': uuidOf(`${idempotencyKey}:${token}`),
    ...Object.fromEntries(
      Object.entries(optional).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  };
}
