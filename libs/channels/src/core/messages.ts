/** In the order of interfaces and error texts. */
export const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'] as const;

export type Channel = (typeof CHANNELS)[number];

/** Whether a step of this type sends messages. */
export function isChannel(type: string): type is Channel {
  return (CHANNELS as readonly string[]).includes(type);
}

export interface EmailAttachment {
  name: string;
  mime: string;
  content: Buffer;
  /** Content id: HTML shows the file as `cid:<id>`. */
  cid?: string;
  disposition?: AttachmentDisposition;
}

export const ATTACHMENT_DISPOSITIONS = ['attachment', 'inline'] as const;
export type AttachmentDisposition = (typeof ATTACHMENT_DISPOSITIONS)[number];

/** Whether a file belongs into the text of the mail. One with a content id does, unless it says that it is attached. */
export function isInline({ cid, disposition }: Pick<EmailAttachment, 'cid' | 'disposition'>): boolean {
  return disposition === undefined ? cid !== undefined : disposition === 'inline';
}

/** A rendered email. `html` includes preheader, layout and inlined styles. */
export interface EmailMessage {
  channel: 'email';
  /** Id of the message record. Equal on every attempt, so that providers and mailboxes can recognize a repeat. */
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
  /** Names of those among the recipients, and of `replyTo`, that have one, by their addresses. */
  names?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  attachments?: readonly EmailAttachment[];
  /** Returned in the provider's callbacks, if it can. */
  customData?: Readonly<Record<string, unknown>>;
  /** Dedicated pool of sending addresses (SendGrid, SparkPost, Mandrill). */
  ipPoolName?: string;
  /** Fields of the provider's own, from the overrides of the event. */
  overrides?: Readonly<Record<string, unknown>>;
}

export interface SmsMessage {
  channel: 'sms';
  id: string;
  to: string;
  from?: string;
  content: string;
  /** Merged into the provider's request if it has an open body. */
  customData?: Readonly<Record<string, unknown>>;
}

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

/** An answer to a question, which a person gives by pressing it. */
export interface AnswerButton {
  label: string;
  /** What comes back: up to 64 bytes. */
  token: string;
}

export interface ChatMessage {
  channel: 'chat';
  id: string;
  content: string;
  /** Overrides `subscriberCredentials.webhookUrl`. */
  webhookUrl?: string;
  /** For providers that use the subscriber's phone number as address. */
  phone?: string;
  /** For providers that find a person by the email address. */
  email?: string;
  severity?: string;
  /** Merged over the generated request (blocks, embeds, cards). */
  customData?: Readonly<Record<string, unknown>>;
  /** The subscriber's entry for this provider. */
  subscriberCredentials?: SubscriberCredentials;
  /** Credentials that are templates, rendered for this message, by their keys. */
  rendered?: Readonly<Record<string, unknown>>;
  /** The provider's id of an earlier message that this one replaces. */
  replaces?: string;
  /** The provider's id of an earlier message that this one answers, in its thread. */
  replyTo?: string;
  /** Of a message that asks a question. Empty: the message loses those that it had. */
  buttons?: readonly AnswerButton[];
  /** The page that answers the question. */
  answerUrl?: string;
}

export interface PushMessage {
  channel: 'push';
  id: string;
  /** Device tokens or user ids of one subscriber, at most a thousand. */
  target: readonly string[];
  title: string;
  content: string;
  payload: Readonly<Record<string, unknown>>;
  /** Provider options of the trigger, such as sound, badge, data and priority, under the provider's names. */
  overrides?: Readonly<Record<string, unknown>>;
  /** A device shows only the last message with the same key. */
  replaces?: string;
  /** Of a message that asks a question: its page, which takes an answer by POST as well, and what there is to choose from. */
  answers?: { readonly url: string; readonly options: readonly { readonly id: string; readonly label: string }[] };
  subscriber?: Readonly<Record<string, unknown>>;
  step?: Readonly<Record<string, unknown>>;
}

export type OutboundMessage = EmailMessage | SmsMessage | ChatMessage | PushMessage;
