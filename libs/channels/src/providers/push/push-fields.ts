import { createHash } from 'node:crypto';
import { asText } from '../email/email-fields.js';

type Values = Readonly<Record<string, unknown>>;

/** The object at a key of the overrides; empty when there is none. */
export function overrideObject(overrides: Values | undefined, key: string): Record<string, unknown> {
  const value = overrides?.[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Overrides without the keys that the adapter handles itself. */
export function without(overrides: Values | undefined, ...keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(overrides ?? {}).filter(([key]) => !keys.includes(key)));
}

/** Values as text, for services whose data payloads hold strings only. */
export function stringValues(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, asText(value)]));
}

/** A UUID that depends on the key alone, for services that take only UUIDs as idempotency keys. */
export function uuidOf(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex');
  const variant = ((parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(18, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
