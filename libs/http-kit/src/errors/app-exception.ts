/** The level at which an error is logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface AppExceptionOptions extends ErrorOptions {
  /** For the log only, never for the caller. */
  readonly details?: Record<string, unknown>;
  readonly logLevel?: LogLevel;
  /** Seconds; becomes the header Retry-After. */
  readonly retryAfterSeconds?: number;
}

/**
 * An error that a caller gets. Each module defines its own in `x.errors.ts` by `defineError`, with a stable
 * snake_case `code` and a text that says what to do next.
 */
export class AppException extends Error {
  readonly details: Record<string, unknown> | undefined;
  readonly logLevel: LogLevel;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly status: number,
    readonly code: string,
    readonly messages: string | string[],
    options: AppExceptionOptions = {},
  ) {
    super(typeof messages === 'string' ? messages : messages.join('; '), options);
    this.name = new.target.name;
    this.details = options.details;
    this.logLevel = options.logLevel ?? 'debug';
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
