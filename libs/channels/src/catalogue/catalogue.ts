import { pluginProviders } from '../core/plugin-providers.js';
import type { Channel } from '../core/messages.js';
import type { ProviderDeclaration, CredentialField } from '../core/declaration.js';
import { CATCHER_DECLARATIONS } from './catchers.js';
import { CHAT_DECLARATIONS } from './chat.js';
import { FORMATS } from './credential-formats.js';
import { declare } from './declare.js';
import { EMAIL_DECLARATIONS } from './email.js';
import { PUSH_DECLARATIONS } from './push.js';
import { SMS_DECLARATIONS } from './sms.js';

const IN_APP_DECLARATIONS = [
  declare('in_app', 'novu', 'Novu Inbox', 'hmac', {
    state: 'implemented',
    note: 'In-app messages are stored, not sent: the delivery engine writes them and no adapter is involved.',
  }),
];

/** The compatible interface's ids, including those that Herald cannot send through, and those of Herald. */
export const PROVIDER_CATALOGUE: readonly ProviderDeclaration[] = [
  ...IN_APP_DECLARATIONS,
  ...EMAIL_DECLARATIONS,
  ...SMS_DECLARATIONS,
  ...CHAT_DECLARATIONS,
  ...PUSH_DECLARATIONS,
  ...CATCHER_DECLARATIONS,
];

/** Those of plugins in place of what they implement, and the others that plugins add. */
export function allProviders(): readonly ProviderDeclaration[] {
  const added = pluginProviders().map(({ declaration }) => declaration);
  const isReplaced = ({ id, channel }: ProviderDeclaration): boolean =>
    added.some((one) => one.id === id && one.channel === channel);
  return [...PROVIDER_CATALOGUE.filter((one) => !isReplaced(one)), ...added];
}

/** Those that a subscriber can have an entry for, in the order of error texts. A catcher needs none. */
export function chatAndPushProviderIds(): readonly string[] {
  return [
    ...CHAT_DECLARATIONS.filter(({ id }) => id !== 'whatsapp-business').map(({ id }) => id),
    ...PUSH_DECLARATIONS.map(({ id }) => id),
    'whatsapp-business',
    ...pluginProviders().flatMap(({ declaration: { id, channel } }) =>
      channel === 'chat' || channel === 'push' ? [id] : [],
    ),
  ];
}

/** Includes plugins. If an id exists in two channels, `channel` decides; default: the first one. */
export function findProvider(id: string, channel?: Channel): ProviderDeclaration | undefined {
  const isAsked = (declaration: ProviderDeclaration): boolean =>
    declaration.id === id && (channel === undefined || declaration.channel === channel);
  // First, because a plugin may implement an id that Herald only lists.
  const ofPlugin = pluginProviders().find(({ declaration }) => isAsked(declaration));
  return ofPlugin?.declaration ?? PROVIDER_CATALOGUE.find(isAsked);
}

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

/** Texts that no adapter could use, such as a host with blanks. Faults as those of {@link missingCredentials}. */
export function malformedCredentials(
  declaration: Pick<ProviderDeclaration, 'credentials'>,
  credentials: Readonly<Record<string, unknown>>,
): string[] {
  return declaration.credentials.flatMap(({ key, format: name }) => {
    const value = Object.hasOwn(credentials, key) ? credentials[key] : undefined;
    if (name === undefined || typeof value !== 'string' || isAbsent(value)) return [];
    const format = FORMATS[name];
    return format.fits(value.trim()) ? [] : [`credentials.${key} must be ${format.expected}`];
  });
}
