import type { Channel } from './messages.js';

export type CredentialType = 'string' | 'boolean' | 'object' | 'number-string';

/** One credential key of an integration. The declaration serves validation, documentation and forms alike. */
export interface CredentialField {
  key: string;
  /** `number-string` is a whole number that travels as a string, such as `port`. */
  type: CredentialType;
  required: boolean;
  /** True for secret values. */
  secret: boolean;
  description: string;
}

/** What an adapter can do beyond sending plain content. Absent means no. */
export interface ProviderFeatures {
  /** Email: files. */
  attachments?: boolean;
  /** Email: cc, bcc, reply-to and extra headers. */
  copies?: boolean;
  /** A live test of the credentials that sends nothing. */
  check?: boolean;
  /** Signed status callbacks are supported. */
  callbacks?: boolean;
  /** The provider drops a repeat with the same idempotency key. */
  idempotency?: boolean;
  /** Push: invalid tokens are recognized and reported. */
  invalidTokens?: boolean;
  /** Push: several tokens go in one request. */
  batch?: boolean;
  /** Push: each token has its own outcome, so each one gets its own message. */
  perToken?: boolean;
  /** The message goes to a URL that a user entered; private addresses are refused. */
  userUrl?: boolean;
}

export type ProviderState = 'implemented' | 'catalogue-only';

export interface ProviderDeclaration {
  /** Provider id on the wire; unique within its channel. */
  id: string;
  channel: Channel;
  displayName: string;
  credentials: readonly CredentialField[];
  /** Public documentation of the API that the adapter was written from. */
  docs?: string;
  /** `catalogue-only` ids are known and can be stored, but nothing can be sent through them. */
  state: ProviderState;
  supports: ProviderFeatures;
  /** One sentence for operators. */
  note?: string;
}
