import { KEY_SCOPES, type KeyRights, type KeyScope } from '#libs/common';
import type { ApiKey } from './api-key.schema.js';
import { ScopeMissing } from './auth.errors.js';

/** Keys older than scopes have all of them. */
export function rightsOf({ scopes, expiresAt }: Pick<ApiKey, 'scopes' | 'expiresAt'>): KeyRights {
  return { scopes: scopes ?? KEY_SCOPES, ...(expiresAt && { expiresAt }) };
}

export function isExpired({ expiresAt }: Pick<KeyRights, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

export function excessOf(rights: KeyRights, giver: KeyRights): string | undefined {
  const lacking = rights.scopes.filter((scope) => !giver.scopes.includes(scope));
  if (lacking.length > 0) return `yours lacks the scope ${lacking.join(', ')}`;
  if (giver.expiresAt === undefined) return undefined;
  if (rights.expiresAt !== undefined && rights.expiresAt <= giver.expiresAt) return undefined;
  return `yours works until ${giver.expiresAt.toISOString()} only`;
}

/** Called for each route, and by those that need a second scope. @throws {ScopeMissing} */
export function assertScope({ scopes }: KeyRights, needed: KeyScope): void {
  if (!scopes.includes(needed)) throw new ScopeMissing(needed);
}
