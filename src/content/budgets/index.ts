export { BudgetDto } from './budget.dto.js';
export type { BudgetRule } from './budget.rule.js';
export { BudgetRules } from './budget-rules.js';
export { TooManyBudgets } from './budgets.errors.js';
export { BudgetsChanged } from './budgets.events.js';
export { BudgetsModule } from './budgets.module.js';
export { BudgetsService } from './budgets.service.js';
