/** A condition's webhook failed. The caller retries the step. */
export class ConditionWebhookError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConditionWebhookError';
  }
}

/** The Handlebars expression of a value cannot be rendered. A retry would not help. */
export class ConditionTemplateError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConditionTemplateError';
  }
}

/** The conditions exceed the computing budget of a step. A retry would not help. */
export class ConditionBudgetError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConditionBudgetError';
  }
}
