import { PROVIDER_CATALOGUE } from '#libs/channels';
import { type Fields, freeFormFaults, NAME_LENGTH } from '#libs/http-kit';
import { validateSpan } from '#libs/schedule';
import { parseSubscriber } from './recipients.js';

/** What a described tenant may have. */
export const TENANT_FIELDS: Fields = { identifier: true, name: true, data: true };

/** Keys of overrides that speak of mails: the channel, and each of its providers. */
const MAIL_KEYS: ReadonlySet<string> = new Set([
  'email',
  ...PROVIDER_CATALOGUE.filter(({ channel }) => channel === 'email').map(({ id }) => id),
]);

/** What is wrong with `overrides`: each is an object by channel or provider; `layoutIdentifier` is a text. */
export function overridesFaults(value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    const path = `overrides.${key}`;
    if (entry === null || entry === undefined) return [];
    if (key === 'layoutIdentifier') return typeof entry === 'string' ? [] : [`${path} must be a string`];
    if (!isObject(entry)) return [`${path} must be an object`];
    if (key === 'delay') return validateSpan(entry, path);
    return MAIL_KEYS.has(key) ? mailFaults(entry, key, path) : [];
  });
}

/** What would not go out as it is meant. Files themselves are read when the event is prepared. */
function mailFaults({ headers, attachments }: Record<string, unknown>, key: string, path: string): string[] {
  const isFaulty = key !== 'email' && attachments !== undefined && attachments !== null;
  return [
    ...(isFaulty ? [`${path}.attachments is not allowed: put the files into overrides.email.attachments`] : []),
    ...headersFaults(headers, `${path}.headers`),
  ];
}

function headersFaults(headers: unknown, path: string): string[] {
  if (headers === undefined || headers === null) return [];
  if (!isObject(headers)) return [`${path} must be an object of texts`];
  return Object.entries(headers).flatMap(([name, value]) =>
    value === null || ['string', 'number', 'boolean'].includes(typeof value)
      ? []
      : [`${path}.${name} must be a string, a number or a boolean`],
  );
}

/** An empty text is what callers send that have no actor or tenant. */
export function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

export function actorFaults(value: unknown): string[] {
  if (isNone(value)) return [];
  const faults: string[] = [];
  parseSubscriber(value, 'actor', faults);
  return faults;
}

export function tenantFaults(value: unknown): string[] {
  if (isNone(value)) return [];
  if (typeof value === 'string') return identifierFaults(value, 'tenant');
  if (!isObject(value)) return ['tenant must be an identifier or an object with an identifier'];
  const { identifier, name, data } = value;
  return [
    ...identifierFaults(identifier, 'tenant.identifier'),
    ...(name === undefined || name === null || typeof name === 'string' ? [] : ['tenant.name must be a string']),
    ...dataFaults(data),
  ];
}

function dataFaults(data: unknown): string[] {
  if (data === undefined || data === null) return [];
  return freeFormFaults(data, 'tenant.data');
}

function identifierFaults(value: unknown, path: string): string[] {
  const isText = typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH;
  return isText ? [] : [`${path} must be a string of 1 to ${NAME_LENGTH} characters`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
