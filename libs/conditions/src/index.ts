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
