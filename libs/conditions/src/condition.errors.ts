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

/** An operator of a plugin failed, or the plugin is gone. As with a faulty expression, a retry would not help. */
export class ConditionOperatorError extends ConditionTemplateError {
  constructor(operator: string, problem: string) {
    super(`The operator ${operator} cannot be applied: ${problem}.`);
    this.name = 'ConditionOperatorError';
  }
}

/** The conditions exceed the computing budget of a step. A retry would not help. */
export class ConditionBudgetError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConditionBudgetError';
  }
}
