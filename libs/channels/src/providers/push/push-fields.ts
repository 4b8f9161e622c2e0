import { createHash } from 'node:crypto';
import type { PushMessage } from '../../core/messages.js';
import { asText } from '../email/email-fields.js';

type Values = Readonly<Record<string, unknown>>;

/** Empty if the overrides have no object at the key. */
export function overrideObject(overrides: Values | undefined, key: string): Record<string, unknown> {
  const value = overrides?.[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function without(overrides: Values | undefined, ...keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(overrides ?? {}).filter(([key]) => !keys.includes(key)));
}

/** Values as text, for services whose data payloads hold strings only. */
export function stringValues(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, asText(value)]));
}

const TOPIC_LENGTH = 32;
/** What push services take as a topic; Apple and OneSignal take 64 bytes. */
export const TOPIC = /^[\w-]{1,32}$/;

/** A topic for any text. */
export function digestTopic(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, TOPIC_LENGTH);
}

/** The key of what a message replaces, as every provider takes it. */
export function collapseKey({ replaces }: PushMessage): string | undefined {
  return replaces === undefined || TOPIC.test(replaces) ? replaces : digestTopic(replaces);
}
