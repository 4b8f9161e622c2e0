import { isDeepStrictEqual } from 'node:util';
import { isShownCredential } from '#libs/channels';
import { Concealed, MASKED } from '#libs/http-kit';
import type { IntegrationCredentials } from './credentials.js';

/** All other keys are treated as secrets. */
const SHOWN: ReadonlySet<string> = new Set([
  'domain',
  'host',
  'port',
  'region',
  'accountSid',
  'messageProfileId',
  'from',
  'senderName',
  'projectName',
  'applicationId',
  'clientId',
  'ipPoolName',
  'apiKeyRequestHeader',
  'secretKeyRequestHeader',
  'idPath',
  'datePath',
  'instanceId',
  'alertUid',
  'title',
  'imageUrl',
  'state',
  'channelId',
  'phoneNumberIdentification',
  'contentType',
  'appID',
  'method',
]);

/** Shown unless they contain a user, password or query. */
const URLS: ReadonlySet<string> = new Set(['baseUrl', 'tokenUrl', 'apiURL', 'redirectUrl', 'externalLink']);
const PLAIN_URL = /^[^@?#]*$/;

/** Affect neither where secrets are sent nor how they are protected in transit. */
const FREELY_CHANGED: ReadonlySet<string> = new Set(['from', 'senderName']);

type Leaves = string | number | boolean | null | undefined | object;

export function maskCredentials(credentials: IntegrationCredentials): IntegrationCredentials {
  return Object.fromEntries(
    Object.entries(credentials).map(([key, value]) => [key, isShown(key, value) ? value : masked(value)]),
  ) as IntegrationCredentials;
}

/** For the audit log. */
export function concealed<I extends { readonly credentials: IntegrationCredentials }>(integration: I): object {
  const credentials: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(integration.credentials)) {
    credentials[key] = isShown(key, value) ? value : new Concealed(JSON.stringify(value));
  }
  return { ...integration, credentials };
}

export interface Unmasked {
  readonly credentials: IntegrationCredentials;
  readonly faults: string[];
}

/**
 * While a stored secret is kept, values that decide where it is sent must not change: otherwise a caller who cannot see
 * the secret could redirect it to their own server.
 */
export function unmaskCredentials(sent: IntegrationCredentials, stored: IntegrationCredentials): Unmasked {
  const work: Restoration = { kept: [], faults: [] };
  const credentials = restore(sent, stored, 'credentials', work) as IntegrationCredentials;
  const [kept] = work.kept;
  if (kept === undefined || work.faults.length > 0) return { credentials, faults: work.faults };
  const keys = [...new Set([...Object.keys(credentials), ...Object.keys(stored)])];
  const changed = keys.filter((key) => !FREELY_CHANGED.has(key) && !isDeepStrictEqual(credentials[key], stored[key]));
  return {
    credentials,
    faults: changed.map((key) => `credentials.${key} cannot change while ${kept} is masked: send all secrets in clear`),
  };
}

function isShown(key: string, value: IntegrationCredentials[string]): boolean {
  if (URLS.has(key)) return typeof value === 'string' && PLAIN_URL.test(value);
  return SHOWN.has(key) || isShownCredential(key);
}

function masked(value: Leaves): Leaves {
  if (typeof value === 'string') return value === '' ? value : MASKED;
  if (Array.isArray(value)) return value.map((entry: Leaves) => masked(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, masked(entry as Leaves)]));
}

interface Restoration {
  readonly kept: string[];
  readonly faults: string[];
}

function restore(sent: Leaves, stored: Leaves, path: string, work: Restoration): Leaves {
  if (sent === MASKED) {
    if (typeof stored === 'string' && stored !== '') {
      work.kept.push(path);
      return stored;
    }
    work.faults.push(`${path} is masked: send the value itself`);
    return sent;
  }
  if (Array.isArray(sent)) {
    const before: readonly Leaves[] = Array.isArray(stored) ? stored : [];
    return sent.map((entry: Leaves, index) => restore(entry, before[index], `${path}.${index}`, work));
  }
  if (typeof sent !== 'object' || sent === null) return sent;
  const before = typeof stored === 'object' && stored !== null ? (stored as Record<string, Leaves>) : {};
  return Object.fromEntries(
    Object.entries(sent).map(([key, entry]) => [
      key,
      restore(entry as Leaves, Object.hasOwn(before, key) ? before[key] : undefined, `${path}.${key}`, work),
    ]),
  );
}
