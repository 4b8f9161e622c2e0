import type { CredentialField, ProviderDeclaration } from '../core/declaration.js';

const EXPECTED = {
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  'number-string': 'a whole number written as a string',
} as const;

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function hasType(value: unknown, { type }: CredentialField): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'number-string':
      return typeof value === 'string' && /^\d{1,9}$/.test(value.trim());
  }
}

function fault(field: CredentialField, credentials: Readonly<Record<string, unknown>>): string | undefined {
  const value = Object.hasOwn(credentials, field.key) ? credentials[field.key] : undefined;
  if (isAbsent(value)) {
    if (field.unless?.every((key) => isAbsent(credentials[key])) === true) {
      const others = field.unless.map((key) => `credentials.${key}`).join(' or ');
      return `credentials.${field.key} is required (${field.description}) unless ${others} is given`;
    }
    return field.required ? `credentials.${field.key} is required (${field.description})` : undefined;
  }
  return hasType(value, field) ? undefined : `credentials.${field.key} must be ${EXPECTED[field.type]}`;
}

/** Absent, empty or wrongly typed keys. Faults begin with `credentials.<key>` and contain no value. */
export function missingCredentials(
  declaration: Pick<ProviderDeclaration, 'credentials'>,
  credentials: Readonly<Record<string, unknown>>,
): string[] {
  return declaration.credentials.map((field) => fault(field, credentials)).filter((text) => text !== undefined);
}
