import type { TenantContext } from '#libs/common';

/** An environment exists: told when it is made and again at each start, so that what it needs can be completed. */
export class EnvironmentReady {
  /** @param parentId the environment that it is promoted from, if any */
  constructor(
    readonly owner: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly parentId?: string,
  ) {}
}
