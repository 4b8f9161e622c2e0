import type { Channel } from './messages.js';

/** The ids of the providers that keep messages to be looked at, and send nothing. */
export const CATCHERS = {
  email: 'catcher-email',
  sms: 'catcher-sms',
  chat: 'catcher-chat',
  push: 'catcher-push',
} as const satisfies Record<string, string>;

export const CATCHER_CHANNELS = ['email', 'sms', 'chat', 'push'] as const satisfies readonly Channel[];
export type CatcherChannel = (typeof CATCHER_CHANNELS)[number];

const IDS: ReadonlySet<string> = new Set(Object.values(CATCHERS));

export function isCatcher(providerId: string): boolean {
  return IDS.has(providerId);
}

/** What a catcher keeps of a message in place of sending it. Bounded. */
export interface CaughtContent {
  /** Addresses, phone numbers, device tokens, or where a chat message would have gone; empty if there is none. */
  readonly to: readonly string[];
  readonly from?: string;
  readonly senderName?: string;
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly replyTo?: string;
  readonly subject?: string;
  readonly title?: string;
  readonly html?: string;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly attachments?: readonly CaughtAttachment[];
  /** What the provider would have got beyond that, such as blocks, sound and badge. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Names of the fields that were too large to be kept whole. */
  readonly cut?: readonly string[];
}

export interface CaughtAttachment {
  readonly name: string;
  readonly mime: string;
  readonly bytes: number;
  readonly cid?: string;
  readonly disposition?: 'attachment' | 'inline';
}
