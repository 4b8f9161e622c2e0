import type { Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import type { MessageStatus } from './message.enums.js';
import { type MessageKey, messageIdFor } from './message-id.js';
import type { Message, MessageActor, MessageContent, MessageCta } from './message.schema.js';

const DAY_MS = 86_400_000;

/** A message as the engine writes it. Ids are ObjectIds: nothing is cast on this way. */
export interface NewMessage extends MessageKey {
  readonly organizationId: Types.ObjectId;
  readonly environmentId: Types.ObjectId;
  readonly workflowId: Types.ObjectId;
  readonly messageTemplateId?: Types.ObjectId;
  /** Record id of the subscriber. */
  readonly subscriberId: Types.ObjectId;
  readonly feedId?: Types.ObjectId;
  /** Record id of the subscriber who caused it. */
  readonly actorId?: Types.ObjectId;
  readonly templateIdentifier?: string;
  readonly transactionId: string;
  readonly channel: Channel;
  readonly content?: MessageContent;
  readonly subject?: string;
  readonly title?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly directWebhookUrl?: string;
  readonly providerId?: string;
  readonly deviceTokens?: string[];
  readonly cta?: MessageCta;
  readonly payload?: Record<string, unknown>;
  readonly data?: Record<string, unknown>;
  readonly overrides?: Record<string, unknown>;
  readonly actor?: MessageActor;
  readonly tags?: string[];
  readonly avatar?: string;
  /** `sent` only after the provider accepted it. */
  readonly status: MessageStatus;
  readonly errorId?: string;
  readonly errorText?: string;
  /** The provider's id of what it sent. */
  readonly identifier?: string;
  /** Default: now. */
  readonly createdAt?: Date;
}

/** How long messages are kept, in days; 0 keeps them for ever. */
export interface Retention {
  readonly inAppDays: number;
  readonly otherDays: number;
}

/** What became of a message after it was written. Only what is given is changed. */
export interface MessageOutcome {
  readonly environmentId: Types.ObjectId;
  readonly messageId: Types.ObjectId;
  readonly status?: MessageStatus;
  readonly content?: MessageContent;
  readonly subject?: string;
  readonly title?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly providerId?: string;
  readonly identifier?: string;
  /** Null takes it away. */
  readonly errorId?: string | null;
  /** Null takes it away. */
  readonly errorText?: string | null;
}

/** The stored form, made without Mongoose because thousands are written each second. Absent values stay absent. */
export function toStored(message: NewMessage, retention: Retention, now: Date): Message {
  const createdAt = message.createdAt ?? now;
  const days = message.channel === 'in_app' ? retention.inAppDays : retention.otherDays;
  return defined<Message>({
    _id: messageIdFor(message),
    _organizationId: message.organizationId,
    _environmentId: message.environmentId,
    _templateId: message.workflowId,
    _messageTemplateId: message.messageTemplateId,
    _notificationId: message.notificationId,
    _jobId: message.jobId,
    _subscriberId: message.subscriberId,
    _feedId: message.feedId,
    _actorId: message.actorId,
    templateIdentifier: message.templateIdentifier,
    transactionId: message.transactionId,
    channel: message.channel,
    content: message.content,
    subject: message.subject,
    title: message.title,
    email: message.email,
    phone: message.phone,
    directWebhookUrl: message.directWebhookUrl,
    providerId: message.providerId,
    deviceTokens: message.deviceTokens,
    cta: message.cta,
    seen: false,
    read: false,
    archived: false,
    status: message.status,
    errorId: message.errorId,
    errorText: message.errorText,
    identifier: message.identifier,
    payload: message.payload,
    data: message.data,
    overrides: message.overrides,
    actor: message.actor,
    tags: message.tags,
    avatar: message.avatar,
    expireAt: days === 0 ? undefined : new Date(createdAt.getTime() + days * DAY_MS),
    deleted: false,
    createdAt,
    updatedAt: createdAt,
    __v: 0,
  });
}

/** The driver would store undefined as null, so such keys are taken out. */
function defined<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
  const result = values as Record<string, unknown>;
  for (const key in result) if (result[key] === undefined) delete result[key];
  return values as T;
}
