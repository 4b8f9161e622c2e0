import type { TenantContext } from '#libs/common';

/** Budgets of an environment were changed. */
export class BudgetsChanged {
  constructor(readonly tenant: Pick<TenantContext, 'environmentId'>) {}
}
