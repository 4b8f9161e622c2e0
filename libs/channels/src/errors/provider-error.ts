/** Stable words for what went wrong, for logs, execution details and tests. */
export type ProviderErrorCode =
  | 'provider_not_registered'
  | 'provider_cannot_check'
  | 'credentials_incomplete'
  | 'credentials_unreadable'
  | 'message_incomplete'
  | 'url_not_allowed'
  | 'unauthorized'
  | 'rejected'
  | 'invalid_target'
  | 'rate_limited'
  | 'unavailable'
  | 'timeout'
  | 'unreachable'
  | 'bad_answer'
  | 'unexpected';

/**
 * Whether a provider can have a message that it did not accept: surely not (`not_sent`), or nobody knows (`uncertain`).
 * An uncertain message must not be sent again without somebody's consent: the recipient might get it twice.
 */
export type FailureOutcome = 'not_sent' | 'uncertain';

export interface ProviderErrorDetails {
  code: ProviderErrorCode;
  /** Whether the same message can succeed later without anybody changing anything. */
  retryable: boolean;
  /** Default `not_sent`. */
  outcome?: FailureOutcome;
  /** How long the provider asked us to wait, in milliseconds. */
  retryAfterMs?: number;
  /** HTTP status or SMTP reply code, where there was one. */
  statusCode?: number;
  /** Push tokens that the provider says are dead; remove them from the subscriber. */
  invalidTokens?: readonly string[];
  /** The provider's answer, secrets removed. */
  raw?: unknown;
}

/** The only error that a channel provider lets out. Its message is for people and holds no secret. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ProviderErrorCode;
  readonly retryable: boolean;
  readonly outcome: FailureOutcome;
  readonly retryAfterMs?: number;
  readonly statusCode?: number;
  readonly invalidTokens?: readonly string[];
  readonly raw?: unknown;

  constructor(message: string, details: ProviderErrorDetails) {
    super(message);
    this.code = details.code;
    this.retryable = details.retryable;
    this.outcome = details.outcome ?? 'not_sent';
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    if (details.statusCode !== undefined) this.statusCode = details.statusCode;
    if (details.invalidTokens !== undefined) this.invalidTokens = details.invalidTokens;
    if (details.raw !== undefined) this.raw = details.raw;
  }
}

/** Knows whether any part of a message was handed to a connection: from then on the provider may have it. */
export class Handover {
  private hasBegun = false;

  /** To be called before the first byte of the message leaves. */
  begin(): void {
    this.hasBegun = true;
  }

  /** What a failure without an answer means at this moment. */
  get outcome(): FailureOutcome {
    return this.hasBegun ? 'uncertain' : 'not_sent';
  }
}
