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
}
