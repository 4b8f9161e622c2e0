import { Injectable, OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ReferenceGuard, type TenantModel } from '#libs/persistence';
import { WORKFLOW_REFERENCE } from '../workflows/index.js';
import { Budget } from './budget.schema.js';

/** A workflow that sends the digest of a budget is in use. */
@Injectable()
export class BudgetReferences implements OnModuleInit {
  constructor(
    @InjectModel(Budget.name) private readonly budgets: TenantModel<Budget>,
    private readonly guard: ReferenceGuard,
  ) {}

  onModuleInit(): void {
    this.guard.register(WORKFLOW_REFERENCE, async (tenant, digestWorkflow) => {
      const row = await this.budgets.one(tenant, { digestWorkflow }, { fields: ['_id'] });
      return row !== undefined;
    });
  }
}
