import type { Channel } from './messages.js';

export type CredentialType = 'string' | 'boolean' | 'object' | 'number-string';

/** How the text of a credential has to look. */
export type CredentialFormat =
  | 'host'
  | 'port'
  | 'url'
  | 'hostOrUrl'
  | 'mailbox'
  | 'header'
  | 'serviceAccount'
  | 'privateKey'
  | 'vapidPublicKey'
  | 'vapidPrivateKey';

/** One credential key, for validation, documentation and forms. */
export interface CredentialField {
  key: string;
  /** `number-string` is a whole number that travels as a string, such as `port`. */
  type: CredentialType;
  required: boolean;
  secret: boolean;
  description: string;
  /** Required, unless one of these keys is given. */
  unless?: readonly string[];
  /** The value is a template, or an object of templates, that is rendered for each message. */
  template?: boolean;
  /** Absent: any text. */
  format?: CredentialFormat;
}

/** What says where the chat messages of a subscriber go; `integration`: its credentials do, for all subscribers. */
export type ChatAddress = 'webhookUrl' | 'channel' | 'email' | 'phone' | 'integration';

/** Features of an adapter beyond plain content. Absent means no. */
export interface ProviderFeatures {
  attachments?: boolean;
  copies?: boolean;
  /** A test of the credentials that sends nothing. */
  check?: boolean;
  callbacks?: boolean;
  /** The provider drops a repeat with the same idempotency key. */
  idempotency?: boolean;
  invalidTokens?: boolean;
  batch?: boolean;
  /** Push: each token gets its own message, because each has its own outcome. */
  perToken?: boolean;
  /** The message goes to a URL of a user; private addresses are rejected. */
  userUrl?: boolean;
  /** A message can replace an earlier one. */
  replaces?: boolean;
  /** A message can answer an earlier one, in its thread. */
  threads?: boolean;
  /** A link connects a person: `POST /v1/subscribers/{subscriberId}/chat-links`. */
  links?: boolean;
}

export type ProviderState = 'implemented' | 'catalogue-only';

export interface ProviderDeclaration {
  /** Unique within its channel. */
  id: string;
  channel: Channel;
  displayName: string;
  credentials: readonly CredentialField[];
  /** Public documentation of the provider's API. */
  docs?: string;
  /** `catalogue-only` ids can be stored, but nothing can be sent through them. */
  state: ProviderState;
  supports: ProviderFeatures;
  note?: string;
  /** Chat: one of these is enough. Default: `webhookUrl`. */
  address?: readonly ChatAddress[];
  /** Where to find the credentials in the service, step by step, as Markdown. */
  setup?: readonly string[];
}
