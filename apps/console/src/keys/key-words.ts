import type { Schemas } from '../api/client.js';
import type { Tone } from '../ui/status.js';

export type ApiKey = Schemas['ApiKeyResponse'];
export type Scope = ApiKey['scopes'][number];

export const KINDS: readonly { readonly value: ApiKey['kind']; readonly label: string }[] = [
  { value: 'server', label: 'A server of yours' },
  { value: 'agent', label: 'An agent, by the Model Context Protocol' },
];

/** What each scope allows; no scope includes another. */
export const SCOPES: readonly { readonly scope: Scope; readonly words: string }[] = [
  { scope: 'read', words: 'View everything except secrets' },
  { scope: 'trigger', words: 'Trigger events, cancel and replay notifications' },
  { scope: 'write', words: 'Create, change and delete workflows, subscribers, integrations and webhooks' },
  { scope: 'admin', words: 'View secrets; issue and revoke API keys' },
];

const DAY_MS = 86_400_000;

export const LIFETIMES: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'Same as your key' },
  { value: '1', label: '1 day' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
];

/** @param days as in `LIFETIMES` */
export function expiryOf(days: string, now: number): string | undefined {
  return LIFETIMES.some(({ value }) => value === days) && days !== ''
    ? new Date(now + Number(days) * DAY_MS).toISOString()
    : undefined;
}

const SOON_MS = 7 * DAY_MS;

/** Whether a key still works, and for how long. */
export function expiryWord({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: number): { tone: Tone; label: string } {
  if (expiresAt === undefined) return { tone: 'good', label: 'Does not expire' };
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0) return { tone: 'bad', label: 'Expired' };
  return { tone: leftMs < SOON_MS ? 'warn' : 'good', label: 'Expires' };
}

export function scopesOf(form: FormData): Scope[] {
  return SCOPES.map(({ scope }) => scope).filter((scope) => form.getAll('scopes').includes(scope));
}

export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
