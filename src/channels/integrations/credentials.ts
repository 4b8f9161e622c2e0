import { credentialKeys } from '#libs/channels';
import { type Fields, operatorKeyFaults } from '#libs/http-kit';
import { foreignSecretFaults } from '#libs/secrets';

export type IntegrationCredentials = Record<string, string | boolean | Record<string, unknown>>;

export const CREDENTIAL_KEYS = credentialKeys();
const { strings: STRINGS, booleans: BOOLEANS, objects: OBJECTS } = CREDENTIAL_KEYS;

export const CREDENTIAL_FIELDS: Fields = Object.fromEntries(
  [...STRINGS, ...BOOLEANS, ...OBJECTS].map((key) => [key, true]),
);

/** May be sent as text, as forms of the compatible system do. */
const SWITCHES = new Set(['secure', 'requireTls', 'ignoreTls']);
const TRUE_OR_FALSE = new Set<unknown>(['true', 'false']);

/** Large enough for a key file. */
export const MAX_CREDENTIAL_LENGTH = 32_768;

/** No text repeats a value. */
export function credentialFaults(value: unknown, path: string): string[] {
  if (!isPlainObject(value)) return [`${path} must be an object`];
  return Object.entries(value).flatMap(([key, entry]) =>
    entry === null || entry === undefined ? [] : faultsOf(key, entry, `${path}.${key}`),
  );
}

function faultsOf(key: string, entry: unknown, path: string): string[] {
  if (STRINGS.includes(key)) {
    if (typeof entry !== 'string') return [`${path} must be a string`];
    return entry.length > MAX_CREDENTIAL_LENGTH
      ? [`${path} must be shorter than or equal to ${MAX_CREDENTIAL_LENGTH} characters`]
      : foreignSecretFaults(entry, path);
  }
  if (BOOLEANS.includes(key)) {
    const isBoolean = typeof entry === 'boolean' || (SWITCHES.has(key) && TRUE_OR_FALSE.has(entry));
    return isBoolean ? [] : [`${path} must be a boolean value`];
  }
  if (OBJECTS.includes(key)) {
    if (!isPlainObject(entry)) return [`${path} must be an object`];
    return [...operatorKeyFaults(entry, path), ...foreignSecretFaults(entry, path)];
  }
  return [];
}

/** Drops unknown keys and nulls, and turns switches into booleans. */
export function readCredentials(value: Readonly<Record<string, unknown>>): IntegrationCredentials {
  const known = [...STRINGS, ...BOOLEANS, ...OBJECTS].filter((key) => Object.hasOwn(value, key) && value[key] != null);
  return Object.fromEntries(
    known.map((key) => {
      const entry = value[key];
      return [key, SWITCHES.has(key) && typeof entry === 'string' ? entry === 'true' : entry];
    }),
  ) as IntegrationCredentials;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
