import type { OutboundHttp } from '../http/outbound-http.types.js';
import type { CaughtContent } from './caught.js';
import type { Channel, ChatMessage, OutboundMessage } from './messages.js';
import type { DeadAddress, Handover } from '../errors/provider-error.js';

export interface SendContext {
  /** Decrypted, with the types that they were stored with. */
  credentials: Readonly<Record<string, unknown>>;
  /** Same value on every attempt of the same message to the same target. */
  idempotencyKey: string;
  /** Aborted at the time limit; adapters pass it on. */
  signal: AbortSignal;
  http: OutboundHttp;
  /** Adapters call `begin()` before they send the first byte of the message. */
  handover: Handover;
  /** Replaces the provider's base URL (tests, regional gateways). */
  baseUrl?: string;
  now(): Date;
}

export interface SendResult {
  /** The provider's id of the message, which its callbacks contain. */
  id?: string;
  /** The provider documents an id for every acceptance, but this answer has none. */
  lacksId?: boolean;
  /** ISO 8601. */
  date?: string;
  /** The provider's answer without secrets. */
  raw?: unknown;
  /** Push tokens rejected as invalid while others of the same request were accepted. */
  invalidTokens?: readonly string[];
  /** Push: tickets that the provider tells the fate of later, see `receipts`, each with its token. */
  tickets?: readonly Ticket[];
  /** Mail: recipients who do not exist, while the server took the message for others. */
  deadAddresses?: readonly DeadAddress[];
  /** Of a catcher: the message, which went nowhere. */
  caught?: CaughtContent;
}

export interface Ticket {
  readonly id: string;
  readonly target: string;
}

/** What became of the message to one token. */
export interface Receipt {
  /** Absent: it was handed on. */
  readonly error?: string;
  /** The token will never work again. */
  readonly isInvalid?: boolean;
}

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
  headers: Readonly<Record<string, string | undefined>>;
  /** Exactly as received, because signatures cover bytes. */
  rawBody: Buffer;
  query: Readonly<Record<string, string | undefined>>;
  /** The public URL that the provider called, with its query: some signatures cover it. */
  url: string;
}

export interface CallbackEvent {
  /** The `id` that `send` returned. */
  messageIdentifier: string;
  status: CallbackStatus;
  at?: Date;
  /** Text of the provider or of the receiving server. */
  response?: string;
  recipient?: string;
  /** The address will never work. */
  hardBounce?: boolean;
}

/** A person has opened a link of `connectionUrl`. */
export interface Connection {
  /** That of the link. */
  token: string;
  /** Where messages reach the person from now on. */
  credentials: { readonly channel: string };
}

/** A person has pressed a button of a message. */
export interface Press {
  readonly token: string;
  /** The id of who has pressed it at the provider. */
  readonly account: string;
  /** The `id` that `send` returned for the message. */
  readonly messageId: string | undefined;
  /** Whether messages for this address, a `channel` or an email address, come to where it was pressed. */
  isAt(address: string): boolean;
  /** The body of the answer to the call; undefined: none. @param said `content`: of the message from now on, without buttons */
  reply(said: { readonly text: string; readonly content?: string }): object | undefined;
}

/** How the answers to a question become buttons of a chat message, and how the provider tells that one was pressed. */
export interface AnswerButtons {
  /** Whether presses of a message reach Herald. Without that it gets no buttons. */
  areHeard(credentials: Readonly<Record<string, unknown>>, message: ChatMessage): boolean;
  /** Fields of the request. */
  fields(message: ChatMessage): Record<string, unknown>;
  /** The press of a verified callback; undefined for callbacks of other kinds, and what cannot be read. */
  press(request: CallbackRequest): Press | undefined;
  /** The answer to a verified call that only tests the address. */
  probe?(request: CallbackRequest): object | undefined;
  /** `reply` changes the message that was pressed. */
  readonly repliesChange?: true;
}

/** More than a report on one message has. */
const REPORT_BYTES = 256 * 1_024;
/** For providers that report on many messages at once, up to 1,000. */
export const BATCH_BYTES = 2 * 1_048_576;

export interface ProviderCallback {
  /** Most bytes of a body: 256 kB by default, and {@link BATCH_BYTES} at most, because nobody has proven anything yet. */
  readonly maxBytes?: number;
  /** True only if the request provably comes from the provider. Never throws for a bad signature. */
  verify(request: CallbackRequest, credentials: Readonly<Record<string, unknown>>): boolean | Promise<boolean>;
  /**
   * For signatures that do not cover the body: a value of the request that is valid only once, and when the signature
   * expires.
   */
  once?(request: CallbackRequest): { readonly word: string; readonly until: Date } | undefined;
  /** For providers whose callbacks are also what people send who connect themselves, see `connectionUrl`. */
  connection?(request: CallbackRequest): Connection | undefined;
  /** Events of a verified request, without unknown kinds. @throws {ProviderError} if the body cannot be read */
  parse(request: CallbackRequest): CallbackEvent[];
}

export function maxBytesOf({ maxBytes = REPORT_BYTES }: ProviderCallback): number {
  return Math.min(maxBytes, BATCH_BYTES);
}

/**
 * Delivers one rendered message through one provider. Adapters keep no state of a tenant except caches of connections
 * and tokens by credentials.
 */
export interface ChannelProvider {
  readonly id: string;
  readonly channel: Channel;
  /** Concurrency limit for the same credentials. More calls would wait inside, while their time limit runs. */
  readonly maxConcurrent?: number;
  /** Instead of `maxConcurrent`, where the service decides how many it takes at the moment. */
  concurrency?(credentials: Readonly<Record<string, unknown>>): number;
  /**
   * Resolves once the provider has accepted the message.
   * @throws {ProviderError} whose `outcome` says whether the provider may have the message
   */
  send(message: OutboundMessage, context: SendContext): Promise<SendResult>;
  /** Verifies the credentials without sending. @throws {ProviderError} with the reason */
  check?(context: SendContext): Promise<void>;
  /**
   * A link that a person opens to be reached through the provider.
   * @param token up to 64 letters, digits, hyphens and underscores
   * @throws {ProviderError}
   */
  connectionUrl?(token: string, context: SendContext): Promise<string>;
  /** The receipts of tickets that there are, by their ids. @param ids at most a thousand @throws {ProviderError} */
  receipts?(ids: readonly string[], context: SendContext): Promise<ReadonlyMap<string, Receipt>>;
  callback?: ProviderCallback;
  /** Chat; needs `callback`, which verifies what comes back. */
  buttons?: AnswerButtons;
  init?(): Promise<void>;
  destroy?(): Promise<void>;
}
