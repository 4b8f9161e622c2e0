import { ConditionBudget } from './condition-budget.js';
import type { Condition, ConditionGroup } from './condition.schema.js';
import { evaluateCondition } from './evaluate-condition.js';
import type { ConditionContext, ConditionRecord, ConditionResult } from './evaluation.types.js';

/**
 * One passing group is enough; no groups pass. Webhooks are called last in a group, one by one, and only while the
 * result depends on them. Yields between conditions.
 * @throws {ConditionWebhookError} retryable, if the result depends on a failed webhook @throws {ConditionTemplateError}
 * @throws {ConditionBudgetError}
 */
export async function evaluateConditions(
  groups: readonly ConditionGroup[] | null | undefined,
  context: ConditionContext,
): Promise<ConditionResult> {
  const conditions: ConditionRecord[] = [];
  if (!groups || groups.length === 0) return { passed: true, conditions };
  const budget = new ConditionBudget();
  for (const group of groups) {
    if (await evaluateGroup(group, context, budget, conditions)) return { passed: true, conditions };
  }
  return { passed: false, conditions };
}

async function evaluateGroup(
  { children, value, isNegated }: ConditionGroup,
  context: ConditionContext,
  budget: ConditionBudget,
  records: ConditionRecord[],
): Promise<boolean> {
  if (children.length === 0) return true;
  // Several children without an operator were saved before validation required one; a single child needs none.
  if (children.length > 1 && value !== 'AND' && value !== 'OR') return false;
  const isAnd = value !== 'OR';
  const immediate = children.filter(({ on }) => on !== 'webhook');
  const webhooks = children.filter(({ on }) => on === 'webhook');
  const results: boolean[] = [];
  const evaluate = async (child: Condition): Promise<void> => {
    const record = await evaluateCondition(child, context, budget);
    records.push(record);
    results.push(record.passed);
  };
  for (const child of immediate) await evaluate(child);
  for (const child of webhooks) {
    if (isDecided(results, isAnd)) break;
    await evaluate(child);
  }
  const passed = isAnd ? results.every(Boolean) : results.some(Boolean);
  return isNegated === true ? !passed : passed;
}

function isDecided(results: readonly boolean[], isAnd: boolean): boolean {
  return isAnd ? results.includes(false) : results.includes(true);
}
