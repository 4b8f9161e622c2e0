/** The delivery channels, in the order in which interfaces and error texts name them. */
export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;

export type Channel = (typeof CHANNELS)[number];

/** A file attached to an email. */
export interface EmailAttachment {
  name: string;
  /** Media type, for example `application/pdf`. */
  mime: string;
  content: Buffer;
}

/** A rendered email. `html` is final: preheader, layout and inlined styles are already part of it. */
export interface EmailMessage {
  channel: 'email';
  /** Id of the message record; the same on every attempt, so that providers and mailboxes can recognize a repeat. */
  id: string;
  to: readonly string[];
  from: string;
  senderName?: string;
  subject: string;
  html: string;
  text?: string;
  cc?: readonly string[];
  bcc?: readonly string[];
  replyTo?: string;
  headers?: Readonly<Record<string, string>>;
  attachments?: readonly EmailAttachment[];
  /** Values that the provider returns in its callbacks, if it can. */
  customData?: Readonly<Record<string, unknown>>;
  /** Name of a dedicated pool of sending addresses (SendGrid, SparkPost, Mandrill). */
  ipPoolName?: string;
}

export interface SmsMessage {
  channel: 'sms';
  id: string;
  to: string;
  from?: string;
  content: string;
  /** Extra fields for the provider's request, merged into it where it has an open body. */
  customData?: Readonly<Record<string, unknown>>;
}

/** What a subscriber stores for one chat or push provider. */
export interface SubscriberCredentials {
  webhookUrl?: string;
  channel?: string;
  alertUid?: string;
  title?: string;
  imageUrl?: string;
  state?: string;
  externalUrl?: string;
  deviceTokens?: readonly string[];
}

export interface ChatMessage {
  channel: 'chat';
  id: string;
  content: string;
  /** Where this message goes; wins over `subscriberCredentials.webhookUrl`. */
  webhookUrl?: string;
  /** The subscriber's phone number, for providers that use it as the address. */
  phone?: string;
  /** Extra fields for the provider's request (blocks, embeds, cards), merged over the generated ones. */
  customData?: Readonly<Record<string, unknown>>;
  /** The subscriber's own entry for this provider, with all eight keys. */
  subscriberCredentials?: SubscriberCredentials;
}

export interface PushMessage {
  channel: 'push';
  id: string;
  /** Device tokens or user ids of one subscriber, one to a thousand. */
  target: readonly string[];
  title: string;
  content: string;
  payload: Readonly<Record<string, unknown>>;
  /** Provider options of the trigger: sound, badge, data, priority and so on, under the provider's own names. */
  overrides?: Readonly<Record<string, unknown>>;
  subscriber?: Readonly<Record<string, unknown>>;
  step?: Readonly<Record<string, unknown>>;
}

export type OutboundMessage = EmailMessage | SmsMessage | ChatMessage | PushMessage;
