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
