/** How loudly an error is logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface AppExceptionOptions extends ErrorOptions {
  /** For the log only, never for the caller. */
  readonly details?: Record<string, unknown>;
  readonly logLevel?: LogLevel;
  /** Seconds; becomes the header Retry-After. */
  readonly retryAfterSeconds?: number;
}

/**
 * An error that a caller is told about. Each module declares its own in `x.errors.ts`, with a stable snake_case `code`
 * and a text that says what to do next (decisions 3.2).
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

const MOST_FAULTS = 100;
const LONGEST_FAULT = 500;

/**
 * 400 with every fault, each beginning with the path of its field. Of masses the first hundred are told, so that the
 * answer to a hostile body is not as large as the body.
 */
export class ValidationFailed extends AppException {
  constructor(faults: readonly string[]) {
    super(400, 'validation_failed', told(faults));
  }
}

function told(faults: readonly string[]): string[] {
  const shown = faults
    .slice(0, MOST_FAULTS)
    .map((fault) => (fault.length > LONGEST_FAULT ? `${fault.slice(0, LONGEST_FAULT)}…` : fault));
  const more = faults.length - shown.length;
  return more > 0 ? [...shown, `${more} further faults are not shown`] : shown;
}
