export interface StepErrorOptions extends ErrorOptions {
  /** Whether the same attempt can succeed later. Default true. */
  readonly retryable?: boolean;
  /** The wait that the called service asks for, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** A step of a plugin has failed. Its message is shown in the trail and must contain no secret. */
export class StepError extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs?: number;

  constructor(message: string, { retryable = true, retryAfterMs, ...options }: StepErrorOptions = {}) {
    super(message, options);
    this.name = 'StepError';
    this.retryable = retryable;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}
