import { ConditionBudget } from './condition-budget.js';
import type { Condition, ConditionGroup } from './condition.schema.js';
import { evaluateCondition } from './evaluate-condition.js';
import type { ConditionContext, ConditionRecord, ConditionResult } from './evaluation.types.js';

/**
 * Evaluates condition groups: one group that passes is enough, and no groups at all pass. Within a group, webhooks are
 * asked last, one after the other, and only while the result depends on them.
 *
 * Throws a ConditionWebhookError when a webhook that matters could not be asked (try again later), and a
 * ConditionTemplateError when a value's template cannot be rendered, a ConditionBudgetError when the comparisons ask for
 * too much (trying again is of no use for both). Others have their turn between conditions.
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
  // A single child is its own result whatever the joining word; of several, neither AND nor OR was saved before rules.
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
