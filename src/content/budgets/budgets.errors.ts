import { defineError } from '#libs/http-kit';

export const BudgetAlreadyExists = defineError(
  409,
  'budget_already_exists',
  (name: string) => `This environment already has a budget named '${name}'. Choose another name or use that one.`,
  ['five-mails-a-day'],
);

export const BudgetNotFound = defineError(
  404,
  'budget_not_found',
  (id: string) => `This environment has no budget with the id '${id}'. List them with GET /v1/budgets.`,
  ['{budgetId}'],
);

export const TooManyBudgets = defineError(
  409,
  'too_many_budgets',
  (max: number) =>
    `This environment already has ${max} budgets, and every message is counted by each of them. Delete one that is no longer needed.`,
  [20],
);
