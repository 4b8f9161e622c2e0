import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import { OLDEST_FIRST, ReadCache, type TenantModel } from '#libs/persistence';
import { type BudgetRule, toRule } from './budget.rule.js';
import { Budget } from './budget.schema.js';

type Owner = Pick<TenantContext, 'environmentId'>;

const MAX_CACHED = 1_000;
/** Maximum delay before changes by another process apply. */
const CACHE_MS = 1_000;

/** The budgets that apply in an environment. */
@Injectable()
export class BudgetRules {
  private readonly cache = new ReadCache<readonly BudgetRule[]>({ max: MAX_CACHED, ttlMs: CACHE_MS });

  constructor(@InjectModel(Budget.name) private readonly budgets: TenantModel<Budget>) {}

  /** Cached, because every message asks. */
  of(owner: Owner): Promise<readonly BudgetRule[]> {
    return this.cache.get(owner.environmentId, () => this.fresh(owner));
  }

  /** For messages that are held: a change wakes them, and then they see it. */
  async fresh(owner: Owner): Promise<readonly BudgetRule[]> {
    const rows = await this.budgets.list(owner, { active: true }, { sort: OLDEST_FIRST });
    return rows.map(toRule);
  }

  forget({ environmentId }: Owner): void {
    this.cache.forget(environmentId);
  }
}
