/** The webhook of a condition could not be asked. The failure can pass: the caller retries the step. */
export class ConditionWebhookError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConditionWebhookError';
  }
}

/** A value's Handlebars expression could not be rendered. It fails the step: trying again would change nothing. */
export class ConditionTemplateError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConditionTemplateError';
  }
}

/** The conditions ask for more work than a step may do. It fails the step: trying again would change nothing. */
export class ConditionBudgetError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConditionBudgetError';
  }
}
