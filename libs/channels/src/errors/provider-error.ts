/** Stable codes for logs and execution details. */
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
  /** A mail server lets mail from senders that it does not know yet wait; it takes it later. */
  | 'greylisted'
  /** The mailbox of one recipient takes nothing now; the server is well. */
  | 'mailbox_deferred'
  | 'unavailable'
  | 'timeout'
  | 'unreachable'
  | 'bad_answer'
  /** The call was begun, and its process ended or lost the work before it recorded an answer. */
  | 'interrupted'
  | 'unexpected';

/**
 * Whether a provider may have a message that it did not confirm: no (`not_sent`) or unknown (`uncertain`). An
 * uncertain message must not be retried without consent, because the recipient could get it twice.
 */
export type FailureOutcome = 'not_sent' | 'uncertain';

export interface ProviderErrorDetails {
  code: ProviderErrorCode;
  /** The same message can succeed later without any change. */
  retryable: boolean;
  /** Default `not_sent`. */
  outcome?: FailureOutcome;
  /** The wait that the provider asks for, in milliseconds. */
  retryAfterMs?: number;
  /** HTTP status or SMTP reply code. */
  statusCode?: number;
  /** Push tokens that the provider reports as invalid; remove them from the subscriber. */
  invalidTokens?: readonly string[];
  /** Mail: recipients who do not exist. */
  deadAddresses?: readonly DeadAddress[];
  /** Chat and text messages: the target takes nothing any more, whatever is sent. */
  isGone?: boolean;
  /** The provider's answer without secrets. */
  raw?: unknown;
}

/** An address that a mail server says does not exist. */
export interface DeadAddress {
  readonly address: string;
  readonly reason: string;
}

/** The only error that providers throw. Its message is readable and contains no secret. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ProviderErrorCode;
  readonly retryable: boolean;
  readonly outcome: FailureOutcome;
  readonly retryAfterMs?: number;
  readonly statusCode?: number;
  readonly invalidTokens?: readonly string[];
  readonly deadAddresses?: readonly DeadAddress[];
  readonly isGone?: boolean;
  readonly raw?: unknown;

  constructor(message: string, details: ProviderErrorDetails) {
    super(message);
    this.code = details.code;
    this.retryable = details.retryable;
    this.outcome = details.outcome ?? 'not_sent';
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    if (details.statusCode !== undefined) this.statusCode = details.statusCode;
    if (details.invalidTokens !== undefined) this.invalidTokens = details.invalidTokens;
    if (details.deadAddresses !== undefined) this.deadAddresses = details.deadAddresses;
    if (details.isGone !== undefined) this.isGone = details.isGone;
    if (details.raw !== undefined) this.raw = details.raw;
  }
}

/** Records whether a connection has received any part of a message: from then on the provider may have it. */
export class Handover {
  private hasBegun = false;

  /** Call it before the first byte of the message is sent. */
  begin(): void {
    this.hasBegun = true;
  }

  /** The provider has refused what was sent: it has nothing of the message. */
  refused(): void {
    this.hasBegun = false;
  }

  /** The outcome if no answer follows. */
  get outcome(): FailureOutcome {
    return this.hasBegun ? 'uncertain' : 'not_sent';
  }
}
