import type { TenantContext } from '#libs/common';
import type { TestSession } from '../harness/index.js';

/** The tenant of a session, for tests that call services. */
export function tenantOf({ organizationId, environmentId }: TestSession): TenantContext {
  return { organizationId, environmentId, userId: '0'.repeat(24), apiKeyId: '0'.repeat(24) };
}
