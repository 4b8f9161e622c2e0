/** What a condition may look at. Which of them make sense depends on the place: see `ConditionRules.on`. */
export const CONDITION_ON = [
  'payload',
  'subscriber',
  'tenant',
  'webhook',
  'isOnline',
  'isOnlineInLast',
  'previousStep',
] as const;
export type ConditionOn = (typeof CONDITION_ON)[number];

export const CONDITION_OPERATORS = [
  'LARGER',
  'SMALLER',
  'LARGER_EQUAL',
  'SMALLER_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'ALL_IN',
  'ANY_IN',
  'NOT_IN',
  'BETWEEN',
  'NOT_BETWEEN',
  'LIKE',
  'NOT_LIKE',
  'IN',
  'IS_DEFINED',
] as const;
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

/** A hint for editors about the field's type; evaluation does not depend on it. */
export const GROUP_TYPES = ['BOOLEAN', 'TEXT', 'DATE', 'NUMBER', 'STATEMENT', 'LIST', 'MULTI_LIST', 'GROUP'] as const;
export type GroupType = (typeof GROUP_TYPES)[number];

export const GROUP_VALUES = ['AND', 'OR'] as const;
export type GroupValue = (typeof GROUP_VALUES)[number];

export const TIME_OPERATORS = ['minutes', 'hours', 'days'] as const;
export type TimeOperator = (typeof TIME_OPERATORS)[number];

export const PREVIOUS_STEP_TYPES = ['read', 'unread', 'seen', 'unseen'] as const;
export type PreviousStepType = (typeof PREVIOUS_STEP_TYPES)[number];

/** One comparison. Which of the optional keys are needed follows from `on`. */
export interface Condition {
  /** Absent: the payload, as in conditions from before there were others. */
  on?: ConditionOn;
  /** Dotted path below the root that `on` names, or in a webhook's JSON reply. */
  field?: string;
  operator?: ConditionOperator;
  /** What to compare with; strings may hold Handlebars expressions. */
  value?: unknown;
  webhookUrl?: string;
  timeOperator?: TimeOperator;
  /** The `uuid` of an earlier step. */
  step?: string;
  stepType?: PreviousStepType;
}

/** Conditions joined by `value`; several groups are alternatives, of which one must pass. */
export interface ConditionGroup {
  /** Turns the group's result round. A group without children passes all the same. */
  isNegated?: boolean;
  type?: GroupType;
  /** Only looked at when there are two children or more. */
  value?: GroupValue;
  children: Condition[];
}
