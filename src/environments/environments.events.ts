import type { TenantContext } from '#libs/tenancy';

/** An environment exists: told when it is made and again at each start, so that what it needs can be completed. */
export class EnvironmentReady {
  constructor(readonly owner: Pick<TenantContext, 'organizationId' | 'environmentId'>) {}
}
