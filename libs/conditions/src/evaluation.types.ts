import type { Condition } from './condition.schema.js';

type Data = Record<string, unknown>;

export interface ConditionVariables {
  payload?: Data;
  subscriber?: Data;
  tenant?: Data;
  actor?: Data;
  step?: Data;
  /** What steps have handed on, by their ids. */
  steps?: Data;
}

export interface PreviousStepState {
  /** Conditions on a step without a message pass. */
  exists: boolean;
  seen: boolean;
  read: boolean;
  /** As reported by the provider; opened counts as seen and read. */
  opened: boolean;
}

export interface ConditionContext {
  variables: ConditionVariables;
  now: Date;
  /** Any error becomes a ConditionTemplateError. */
  renderValue: (template: string) => string | Promise<string>;
  /** Returns the JSON. Any error becomes a ConditionWebhookError. */
  webhook?: (condition: Condition) => Promise<unknown>;
  previousStep?: (stepUuid: string) => Promise<PreviousStepState>;
}

export type ConditionFilterLabel =
  'Payload' | 'Tenant' | 'Subscriber' | 'Webhook' | 'Is online' | 'Last time was online' | 'Previous step' | 'Steps';

/** For the execution details. */
export interface ConditionRecord {
  filter: ConditionFilterLabel;
  field: string;
  expected: string;
  actual: string;
  operator: string;
  passed: boolean;
}

export interface ConditionResult {
  passed: boolean;
  /** In the order of evaluation, without groups after the first that passes and webhooks without influence. */
  conditions: ConditionRecord[];
}
