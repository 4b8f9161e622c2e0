export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface AppExceptionOptions extends ErrorOptions {
  /** Logged, never shown to the caller. */
  readonly details?: Record<string, unknown>;
  readonly logLevel?: LogLevel;
  /** What to do, if the text is one that clients of the compatible system compare. */
  readonly hint?: string;
  /** Seconds, for the header Retry-After. */
  readonly retryAfterSeconds?: number;
}

/** An error for the caller. Modules define theirs in `x.errors.ts` with `defineError`. */
export class AppException extends Error {
  readonly details: Record<string, unknown> | undefined;
  readonly logLevel: LogLevel;
  readonly hint: string | undefined;
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
    this.hint = options.hint;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
