export {
  CONDITION_KEYS,
  CONDITION_ON,
  type Condition,
  condition,
  type ConditionGroup,
  conditionGroup,
  conditionGroups,
  type ConditionRules,
} from './condition.schema.js';
export { ConditionBudgetError, ConditionTemplateError, ConditionWebhookError } from './condition.errors.js';
export { evaluateConditions } from './evaluate-conditions.js';
export type {
  ConditionContext,
  ConditionFilterLabel,
  ConditionRecord,
  ConditionResult,
  ConditionVariables,
  PreviousStepState,
} from './evaluation.types.js';
