import type { Condition } from './condition.schema.js';

type Data = Record<string, unknown>;

/** The roots that conditions and the templates in their values may read. */
export interface ConditionVariables {
  payload?: Data;
  subscriber?: Data;
  tenant?: Data;
  actor?: Data;
  step?: Data;
}

/** What became of the message of an earlier step. */
export interface PreviousStepState {
  /** Whether that step made a message at all; without one, conditions on it pass. */
  exists: boolean;
  seen: boolean;
  read: boolean;
  /** Whether the provider reported the mail as opened; counts as seen and read. */
  opened: boolean;
}

/** Everything that evaluation needs to know besides the conditions. */
export interface ConditionContext {
  variables: ConditionVariables;
  now: Date;
  /** Renders a value that holds a Handlebars expression; any error becomes a ConditionTemplateError. */
  renderValue: (template: string) => string | Promise<string>;
  /** Asks a webhook and answers its JSON reply; any error becomes a ConditionWebhookError. */
  webhook?: (condition: Condition) => Promise<unknown>;
  previousStep?: (stepUuid: string) => Promise<PreviousStepState>;
}

export type ConditionFilterLabel =
  'Payload' | 'Tenant' | 'Subscriber' | 'Webhook' | 'Is online' | 'Last time was online' | 'Previous step';

/** One condition that was looked at, for the trail. */
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
  /** In the order of evaluation; groups after the first that passed, and webhooks that could not matter, are missing. */
  conditions: ConditionRecord[];
}
