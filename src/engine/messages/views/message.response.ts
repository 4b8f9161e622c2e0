import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '#libs/channels';
import { DeletableRecordResponse, type EveryField, PlainRecordResponse, shower, shown } from '#libs/http-kit';
import { safeImage } from '#libs/templates';
import { SubscriberResponse, type SubscriberSummary } from '../../../audience/subscribers/index.js';
import { WorkflowResponse, type WorkflowSummary } from '../../../content/workflows/index.js';
import { MESSAGE_STATUSES, type MessageStatus } from '../records/message.enums.js';
import type { Engagement, Message, MessageContent } from '../records/message.schema.js';
import {
  MessageActorResponse,
  MessageCtaResponse,
  showMessageActor,
  showMessageCta,
} from './message-parts.response.js';

const BLOCK = {
  type: 'object',
  properties: {
    type: { type: 'string', example: 'text' },
    content: { type: 'string' },
    url: { type: 'string' },
    styles: { type: 'object', properties: { textAlign: { type: 'string', example: 'left' } } },
  },
} as const;

/** That a mail was shown. */
export class MessageOpenResponse {
  /** When it happened. */
  at: Date;
  /** A program showed it, as far as one can tell: a mail program that loads all pictures in advance, or a scanner. */
  machine: boolean;
}

/** That a link of a mail was followed. */
export class MessageClickResponse extends MessageOpenResponse {
  /** Where the link leads. @example https://example.com/orders/4711 */
  url: string;
}

function showEngagement({ at, machine }: Engagement): MessageOpenResponse {
  return shown(MessageOpenResponse, { at, machine });
}

function showClick({ at, machine, url = '' }: Engagement): MessageClickResponse {
  return shown(MessageClickResponse, { at, machine, url });
}

/** Fields of messages of all channels, apart from the content. */
class MessageFieldsResponse extends DeletableRecordResponse {
  /** Record id of the workflow. */
  _templateId: string;
  /** Id of the step template that was rendered. */
  _messageTemplateId?: string;
  _notificationId: string;
  /** Id of the step of the notification. */
  _jobId: string;
  /** Record id of the subscriber. */
  _subscriberId: string;
  _feedId?: string;
  /** Record id of the subscriber who caused the event. */
  _actorId?: string;
  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  templateIdentifier?: string;
  transactionId: string;
  /** Channel of the message. */
  @ApiProperty({ enum: CHANNELS, example: 'in_app' })
  channel: Channel;
  /** Subject as it was sent. */
  subject?: string;
  /** Title as it was sent. */
  title?: string;
  /** Email address of the recipient. */
  email?: string;
  /** Phone number of the recipient. */
  phone?: string;
  /** Webhook URL of the chat channel. */
  directWebhookUrl?: string;
  /**
   * Provider that delivered the message.
   * @example novu
   */
  providerId?: string;
  /** Devices that a push message was sent to. */
  deviceTokens: string[];
  cta: MessageCtaResponse;
  /** Whether the subscriber has seen the message. */
  seen: boolean;
  /** Whether the subscriber has read the message. */
  read: boolean;
  /** Whether the message is archived. */
  archived: boolean;
  /** Time at which it was first seen, or seen again after it was marked as unseen. */
  lastSeenDate?: Date;
  /** Time at which it was first read, or read again after it was marked as unread. */
  lastReadDate?: Date;
  /** Time of archiving. */
  archivedAt?: Date;
  /** Time at which a button was last used or reset. */
  lastActionDate?: Date;
  /** Status: for example `sent`, `error`, or `warning` if the subscriber had no address. */
  @ApiProperty({ enum: MESSAGE_STATUSES, example: 'sent' })
  status: MessageStatus;
  /** When the mail was shown: the first 100 times, 50 for programs. Absent unless opens are followed, and there were some. */
  opens?: MessageOpenResponse[];
  /** Which links were followed: the first 100 times, 50 for programs. Absent unless clicks are followed, and there were some. */
  clicks?: MessageClickResponse[];
  /** Kind of failure; only with the status `error` or `warning`. */
  errorId?: string;
  /** Description of the error. */
  errorText?: string;
  /** Id of the message at the provider. */
  identifier?: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Payload of the event.' })
  payload: Record<string, unknown>;
  /** Free-form data of the message. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  data?: Record<string, unknown>;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Overrides of the event.' })
  overrides: Record<string, unknown>;
  actor?: MessageActorResponse;
  /** Tags of the workflow. */
  tags: string[];
  /** URL of a picture. */
  avatar?: string;
  /** Time at which retention removes the record. */
  expireAt?: Date;
}

export class MessageResponse extends MessageFieldsResponse {
  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, BLOCK, { type: 'array', items: BLOCK }],
    description: 'Rendered text, or the rendered blocks of an email.',
    example: 'Your order is on its way.',
  })
  content?: MessageContent;
}

/** The fields of every form of a message. Free-form parts are returned unchanged; they never contain record ids. */
function messageFields(row: Message) {
  return {
    _notificationId: row._notificationId.toHexString(),
    _jobId: row._jobId.toHexString(),
    _templateId: row._templateId.toHexString(),
    _subscriberId: row._subscriberId.toHexString(),
    transactionId: row.transactionId,
    templateIdentifier: row.templateIdentifier,
    channel: row.channel,
    _actorId: row._actorId?.toHexString(),
    _messageTemplateId: row._messageTemplateId?.toHexString(),
    _feedId: row._feedId?.toHexString(),
    tags: row.tags ?? [],
    content: row.content,
    subject: row.subject,
    title: row.title,
    email: row.email,
    phone: row.phone,
    directWebhookUrl: row.directWebhookUrl,
    deviceTokens: row.deviceTokens ?? [],
    providerId: row.providerId,
    identifier: row.identifier,
    status: row.status,
    opens: row.opens?.map(showEngagement),
    clicks: row.clicks?.map(showClick),
    errorId: row.errorId,
    errorText: row.errorText,
    cta: showMessageCta(row.cta),
    payload: row.payload ?? {},
    data: row.data,
    overrides: row.overrides ?? {},
    actor: row.actor && showMessageActor(row.actor),
    avatar: row.avatar,
    seen: row.seen,
    read: row.read,
    archived: row.archived,
    lastSeenDate: row.lastSeenDate,
    lastReadDate: row.lastReadDate,
    archivedAt: row.archivedAt,
    lastActionDate: row.lastActionDate,
    expireAt: row.expireAt,
  } satisfies EveryField<MessageResponse, DeletableRecordResponse>;
}

export const showMessage = shower(MessageResponse, messageFields);

/** A message with its subscriber and workflow: the response to a message action. */
export class MessageWithOriginsResponse extends MessageResponse {
  subscriber: SubscriberResponse;
  /** The workflow, even if it has been deleted. */
  template?: WorkflowResponse;
}

/** Fields of a subscriber in feeds and lists. */
export class MessageSubscriberResponse extends PlainRecordResponse {
  /**
   * Your identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
  /**
   * First name.
   * @example Ada
   */
  firstName?: string;
  /**
   * Last name.
   * @example Lovelace
   */
  lastName?: string;
  /**
   * URL of the profile image.
   * @example https://example.com/ada.png
   */
  avatar?: string;
  /**
   * Email address.
   * @example ada@example.com
   */
  email?: string;
  /**
   * Phone number with country code.
   * @example +15551230100
   */
  phone?: string;
  deleted: boolean;
}

/** Without credentials, which readers of messages do not need. */
export function showMessageSubscriber(row: SubscriberSummary): MessageSubscriberResponse {
  const { subscriberId, deleted, firstName, lastName, avatar, email, phone } = row;
  const { _id, id, _organizationId, _environmentId, createdAt, updatedAt } = PlainRecordResponse.fieldsOf(row);
  // Triggers accept any text as avatar, and clients load it as an image.
  const picture = avatar === undefined || avatar === '' ? avatar : safeImage(avatar);
  return shown(MessageSubscriberResponse, {
    _id,
    id,
    _organizationId,
    _environmentId,
    subscriberId,
    deleted,
    createdAt,
    updatedAt,
    firstName,
    lastName,
    avatar: picture,
    email,
    phone,
  });
}

/** Fields of a workflow in feeds. */
export class MessageTemplateResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  /**
   * Display name of the workflow.
   * @example Order shipped
   */
  name: string;
  /** Labels for grouping workflows. */
  tags: string[];
  /** Subscribers cannot switch off a critical workflow. */
  critical: boolean;
}

export function showMessageTemplate({ _id, name, tags, critical }: WorkflowSummary): MessageTemplateResponse {
  const id = _id.toHexString();
  return shown(MessageTemplateResponse, { _id: id, id, name, tags, critical });
}

/** A message as lists show it. */
export class ListedMessageResponse extends MessageResponse {
  /** The subscriber; absent if it has been deleted. */
  subscriber?: MessageSubscriberResponse;
}

/** A message as the feed shows it. */
export class FeedMessageResponse extends MessageFieldsResponse {
  @ApiProperty({ description: 'Rendered text.', example: 'Your order is on its way.' })
  content: string;
  /** The subscriber; absent if it has been deleted. */
  subscriber?: MessageSubscriberResponse;
  /** The workflow, even if it has been deleted. */
  template?: MessageTemplateResponse;
  /** The subscriber who caused the event. */
  actorSubscriber?: MessageSubscriberResponse;
}

// Object.assign, because a literal that spreads and adds so many fields takes ten times as long.

export const showMessageWithOrigins = shower(
  MessageWithOriginsResponse,
  (row: Message, subscriber: SubscriberResponse, template?: WorkflowResponse) =>
    Object.assign(messageFields(row), { subscriber, template }),
);

export const showListedMessage = shower(ListedMessageResponse, (row: Message, subscriber?: MessageSubscriberResponse) =>
  Object.assign(messageFields(row), { subscriber }),
);

export const showFeedMessage = shower(
  FeedMessageResponse,
  (
    row: Message,
    { subscriber, actorSubscriber, template }: Pick<FeedMessageResponse, 'subscriber' | 'actorSubscriber' | 'template'>,
    // Feeds contain only in-app messages, which have text content.
  ) => Object.assign(messageFields(row), { content: row.content as string, subscriber, actorSubscriber, template }),
);

/** Number of messages, up to the limit of the request. */
export class MessageCountResponse {
  /**
   * Number of messages.
   * @example 3
   */
  count: number;
}

/** Response to the deletion of a message. */
export class DeletedMessageResponse {
  /**
   * Always true.
   * @example true
   */
  acknowledged: boolean;
  /**
   * Always `deleted`.
   * @example deleted
   */
  status: string;
}
