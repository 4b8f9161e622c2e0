import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { unique } from './ids.js';

/** A valid body of POST /v1/tenants. */
export function tenantFactory(overrides: Json = {}): Json {
  return { identifier: unique('tenant'), name: 'Acme Corporation', data: { plan: 'gold' }, ...overrides };
}

export async function createTenant(session: TestSession, overrides: Json = {}): Promise<Json> {
  return dataOf(await session.post('/v1/tenants', tenantFactory(overrides)).expect(201));
}
