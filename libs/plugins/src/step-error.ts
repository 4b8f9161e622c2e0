export interface StepErrorOptions extends ErrorOptions {
  /** Whether the same attempt can succeed later. Default true. */
  readonly retryable?: boolean;
  /** The wait that the called service asks for, in milliseconds. */
  readonly retryAfterMs?: number;
  /** One of the `reasons` of its type, which `why` explains. Default: `plugin_failed`. */
  readonly reason?: string;
}

/** A step of a plugin has failed. Its message is shown in the trail and must contain no secret. */
export class StepError extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly reason: string;

  constructor(
    message: string,
    { retryable = true, retryAfterMs, reason = 'plugin_failed', ...options }: StepErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'StepError';
    this.retryable = retryable;
    this.reason = reason;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}
