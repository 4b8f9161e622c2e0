import type { OutboundHttp } from '../http/outbound-http.types.js';
import type { Channel, OutboundMessage } from './messages.js';
import type { Handover } from '../errors/provider-error.js';

export interface SendContext {
  /** The integration's credentials, decrypted, with the types they were stored with. */
  credentials: Readonly<Record<string, unknown>>;
  /** Same value on every attempt of the same message to the same target. */
  idempotencyKey: string;
  /** Aborted when the time limit is reached; adapters pass it on. */
  signal: AbortSignal;
  http: OutboundHttp;
  /** Adapters call `begin()` before they send the first byte of the message. */
  handover: Handover;
  /** Replaces the provider's own base URL (tests, regional gateways chosen by the operator). */
  baseUrl?: string;
  now(): Date;
}

export interface SendResult {
  /** The provider's own id of the message: its callbacks contain it. */
  id?: string;
  /** The provider documents an id for every acceptance, but this one has no readable id. */
  lacksId?: boolean;
  /** When the provider accepted the message, ISO 8601. */
  date?: string;
  /** The provider's answer, secrets removed. */
  raw?: unknown;
  /** Push tokens that were refused as invalid while others of the same request were accepted. */
  invalidTokens?: readonly string[];
}

/** Statuses that provider callbacks report, email and sms together. */
export const CALLBACK_STATUSES = [
  'opened',
  'rejected',
  'sent',
  'deferred',
  'delivered',
  'bounced',
  'dropped',
  'clicked',
  'blocked',
  'spam',
  'unsubscribed',
  'delayed',
  'complaint',
  'created',
  'accepted',
  'queued',
  'sending',
  'failed',
  'undelivered',
] as const;

export type CallbackStatus = (typeof CALLBACK_STATUSES)[number];

export interface CallbackRequest {
  /** Header names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The body exactly as received: signatures cover bytes. */
  rawBody: Buffer;
  query: Readonly<Record<string, string | undefined>>;
  /** The public URL that the provider called, query included: some signatures cover it. */
  url: string;
}

export interface CallbackEvent {
  /** Equals the `id` that `send` returned. */
  messageIdentifier: string;
  status: CallbackStatus;
  at?: Date;
  /** The provider's or the receiving server's own text. */
  response?: string;
  recipient?: string;
  /** True when the address will never work. */
  hardBounce?: boolean;
}

export interface ProviderCallback {
  /** True only when the request provably comes from the provider. Never throws for a bad signature. */
  verify(request: CallbackRequest, credentials: Readonly<Record<string, unknown>>): boolean | Promise<boolean>;
  /**
   * For signatures that do not cover the body: the value of a verified request that the provider uses only once, and the end
   * of the signature's validity.
   */
  once?(request: CallbackRequest): { readonly word: string; readonly until: Date } | undefined;
  /** Events of a verified request; unknown kinds are left out. Throws `ProviderError` when the body cannot be read. */
  parse(request: CallbackRequest): CallbackEvent[];
}

/**
 * Strategy that delivers one rendered message through one provider. Adapters hold no state of a tenant beyond
 * connection and token caches that are keyed by credentials.
 */
export interface ChannelProvider {
  readonly id: string;
  readonly channel: Channel;
  /** Largest number of concurrent calls with the same credentials; more would wait inside, where the time limit runs. */
  readonly maxConcurrent?: number;
  /**
   * Resolves once the provider accepted the message, whether or not its answer names it; throws `ProviderError`
   * otherwise, whose `outcome` says whether the provider may have the message.
   */
  send(message: OutboundMessage, context: SendContext): Promise<SendResult>;
  /** Verifies the credentials without sending anything; throws `ProviderError` with the reason. */
  check?(context: SendContext): Promise<void>;
  callback?: ProviderCallback;
  /** Runs once, before the first use. */
  init?(): Promise<void>;
  /** Closes connections and timers. */
  destroy?(): Promise<void>;
}
