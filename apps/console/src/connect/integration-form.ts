import type { Schemas } from '../api/client.js';

export type Provider = Schemas['ProviderResponse'];
export type CredentialField = Schemas['CredentialFieldResponse'];
export type Integration = Schemas['IntegrationResponse'];
type Credentials = Integration['credentials'];

/** What the fields of a form hold: texts, and whether boxes are ticked. */
export type FormValues = Readonly<Record<string, string | boolean>>;

/** Secrets are not shown again: an empty field keeps the stored one. */
export function valuesOf(fields: readonly CredentialField[], stored: Credentials | undefined): FormValues {
  const values = (stored ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.map(({ key, type, secret }): [string, string | boolean] => {
      const value = values[key];
      if (type === 'boolean') return [key, value === true];
      if (secret || value === undefined || value === null) return [key, ''];
      return [key, typeof value === 'string' ? value : JSON.stringify(value)];
    }),
  );
}

export interface ReadForm {
  readonly credentials: Readonly<Record<string, unknown>>;
  /** By the key of the field. */
  readonly faults: Readonly<Record<string, string>>;
}

/**
 * The credentials that a form describes. They replace the stored ones as a whole, so what the form does not show is kept.
 * @param isComplete whether an active integration needs all of them
 */
export function readForm(
  fields: readonly CredentialField[],
  values: FormValues,
  stored: Credentials | undefined,
  isComplete: boolean,
): ReadForm {
  const credentials: Record<string, unknown> = { ...stored };
  const faults: Record<string, string> = {};
  for (const field of fields) {
    const { key, type, secret } = field;
    const value = values[key] ?? '';
    if (typeof value === 'boolean') {
      credentials[key] = value;
      continue;
    }
    const text = value.trim();
    if (text !== '') {
      const read = type === 'object' ? objectIn(text) : text;
      if (read === undefined) faults[key] = 'Enter a JSON object, such as {"name": "value"}.';
      else if (type === 'number-string' && !/^\d+$/.test(text)) faults[key] = 'Enter a whole number.';
      else credentials[key] = read;
    } else if (!secret) delete credentials[key];
  }
  const isNeeded = ({ required, unless }: CredentialField): boolean =>
    required || unless?.every((other) => isEmpty(credentials[other])) === true;
  for (const field of isComplete ? fields : []) {
    if (isNeeded(field) && isEmpty(credentials[field.key])) faults[field.key] ??= 'An active integration needs this.';
  }
  return { credentials, faults };
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
