import type { User, UserSession } from './user.schema.js';

/** The setting REQUIRE_TOTP. */
export type Demand = 'off' | 'owners' | 'all';

/** Whether codes are demanded of an account. Owners of any environment are owners. */
export function requiresTotp(demand: Demand, { memberships }: Pick<User, 'memberships'>): boolean {
  if (demand === 'owners') return memberships.some(({ role }) => role === 'owner');
  return demand === 'all';
}

/** Whether all that a session may do is to set codes up. Whether single sign-on asks for more is for its provider to decide. */
export function lacksTotp(demand: Demand, user: User, { method }: Pick<UserSession, 'method'>): boolean {
  return method !== 'oidc' && user.totpConfirmedAt === undefined && requiresTotp(demand, user);
}
