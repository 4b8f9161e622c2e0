import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { WorkflowsModule } from '../workflows/index.js';
import { BudgetReferences } from './budget-references.js';
import { BudgetRules } from './budget-rules.js';
import { Budget, BudgetSchema } from './budget.schema.js';
import { BudgetsController } from './budgets.controller.js';
import { BudgetsService } from './budgets.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: Budget.name, schema: BudgetSchema }]), WorkflowsModule],
  controllers: [BudgetsController],
  providers: [BudgetRules, BudgetReferences, BudgetsService],
  exports: [BudgetRules, BudgetsService],
})
export class BudgetsModule {}
