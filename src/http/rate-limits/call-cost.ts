export const RATE_CATEGORIES = ['trigger', 'configuration', 'global'] as const;
export type RateCategory = (typeof RATE_CATEGORIES)[number];

export interface CallCost {
  readonly category: RateCategory;
  readonly cost: 'single' | 'bulk';
}

const BULK = new Set(['/v1/subscribers/bulk', '/v1/events/trigger/bulk', '/v1/events/trigger/broadcast']);
const CATEGORIES: readonly (readonly [RegExp, RateCategory])[] = [
  [/^\/v1\/events(\/|$)/, 'trigger'],
  [/^\/v1\/workflows\/[^/]+\/steps\/[^/]+\/test$/, 'trigger'],
  [/^\/v[12]\/(subscribers|topics|tenants)(\/|$)/, 'configuration'],
];

/** Ignores case and trailing slashes. */
export function callCost(method: string, path: string): CallCost {
  const plain = path.toLowerCase().replace(/(?<!\/)\/+$/, '');
  return {
    category: CATEGORIES.find(([pattern]) => pattern.test(plain))?.[1] ?? 'global',
    cost: method === 'POST' && BULK.has(plain) ? 'bulk' : 'single',
  };
}

export const TOKENS = { single: 1, bulk: 100 } as const;
