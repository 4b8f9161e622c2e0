import type { Condition } from './condition.schema.js';

type Data = Record<string, unknown>;

export interface ConditionVariables {
  payload?: Data;
  subscriber?: Data;
  tenant?: Data;
  actor?: Data;
  step?: Data;
}

/** The state of the message of an earlier step. */
export interface PreviousStepState {
  /** Whether that step created a message. Conditions on a step without one pass. */
  exists: boolean;
  seen: boolean;
  read: boolean;
  /** Whether the provider reported the mail as opened, which counts as seen and read. */
  opened: boolean;
}

export interface ConditionContext {
  variables: ConditionVariables;
  now: Date;
  /** Renders a value with a Handlebars expression. Any error becomes a ConditionTemplateError. */
  renderValue: (template: string) => string | Promise<string>;
  /** Calls a webhook and returns its JSON. Any error becomes a ConditionWebhookError. */
  webhook?: (condition: Condition) => Promise<unknown>;
  previousStep?: (stepUuid: string) => Promise<PreviousStepState>;
}

export type ConditionFilterLabel =
  'Payload' | 'Tenant' | 'Subscriber' | 'Webhook' | 'Is online' | 'Last time was online' | 'Previous step';

/** One evaluated condition, for the execution details. */
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
  /** In the order of evaluation. Groups after the first that passes and webhooks without influence are missing. */
  conditions: ConditionRecord[];
}
