export {
  CONDITION_ON,
  CONDITION_OPERATORS,
  GROUP_TYPES,
  GROUP_VALUES,
  PREVIOUS_STEP_TYPES,
  TIME_OPERATORS,
  type Condition,
  type ConditionGroup,
  type ConditionOn,
  type ConditionOperator,
  type GroupType,
  type GroupValue,
  type PreviousStepType,
  type TimeOperator,
} from './condition.types.js';
export { validateConditions, type ConditionRules } from './validate-conditions.js';
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
