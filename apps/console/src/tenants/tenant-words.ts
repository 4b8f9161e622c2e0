import type { Schemas } from '../api/client.js';

export type Tenant = Schemas['TenantResponse'];

const SHOWN = 5;

/** Which fields its data has: `logo, color, plan`. */
export function fieldWords({ data }: Pick<Tenant, 'data'>): string {
  const names = Object.keys(data ?? {});
  const more = names.length - SHOWN;
  return more > 0 ? `${names.slice(0, SHOWN).join(', ')} and ${more} more` : names.join(', ');
}
