/** The caller retries the step. */
export class ConditionWebhookError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConditionWebhookError';
  }
}

/** A retry would not help. */
export class ConditionTemplateError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConditionTemplateError';
  }
}

/** The operator failed, or its plugin is gone. A retry would not help. */
export class ConditionOperatorError extends ConditionTemplateError {
  constructor(operator: string, problem: string) {
    super(`The operator ${operator} cannot be applied: ${problem}.`);
    this.name = 'ConditionOperatorError';
  }
}

/** A retry would not help. */
export class ConditionBudgetError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConditionBudgetError';
  }
}
