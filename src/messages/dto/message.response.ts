import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CHANNELS, type Channel } from '#libs/channels';
import { MESSAGE_STATUSES, type MessageStatus } from '../message.enums.js';
import type { Message, MessageContent } from '../message.schema.js';
import { MessageActorResponse, MessageCtaResponse } from './message-parts.response.js';

const BLOCK = {
  type: 'object',
  properties: {
    type: { type: 'string', example: 'text' },
    content: { type: 'string' },
    url: { type: 'string' },
    styles: { type: 'object', properties: { textAlign: { type: 'string', example: 'left' } } },
  },
} as const;

/** A message (interface 2.7). */
export class MessageResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _organizationId: string;
  _environmentId: string;
  /** The workflow. */
  _templateId: string;
  /** The step content that was rendered. */
  _messageTemplateId?: string;
  _notificationId: string;
  /** The step of the notification. */
  _jobId: string;
  /** Record id of the subscriber. */
  _subscriberId: string;
  _feedId?: string;
  /** Record id of the subscriber who caused it. */
  _actorId?: string;
  /**
   * Trigger identifier of the workflow.
   * @example order-shipped
   */
  templateIdentifier?: string;
  transactionId: string;
  @ApiProperty({ enum: CHANNELS, example: 'in_app' })
  channel: Channel;
  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, BLOCK, { type: 'array', items: BLOCK }],
    description: 'The rendered text, or the rendered blocks of an editor mail.',
    example: 'Your order is on its way.',
  })
  content?: MessageContent;
  subject?: string;
  title?: string;
  /** Address that a mail was sent to. */
  email?: string;
  /** Number that a text message was sent to. */
  phone?: string;
  /** Address of the chat channel. */
  directWebhookUrl?: string;
  /**
   * Who delivered it.
   * @example novu
   */
  providerId?: string;
  /** Devices that a push message was sent to. */
  deviceTokens: string[];
  cta?: MessageCtaResponse;
  seen: boolean;
  read: boolean;
  archived: boolean;
  /** When it was first seen, or seen again after it was marked unseen. */
  lastSeenDate?: Date;
  /** When it was first read, or read again after it was marked unread. */
  lastReadDate?: Date;
  archivedAt?: Date;
  /** When a button was last used or taken back. */
  lastActionDate?: Date;
  @ApiProperty({ enum: MESSAGE_STATUSES, example: 'sent' })
  status: MessageStatus;
  /** Kind of the failure where the status is error or warning. */
  errorId?: string;
  /** What went wrong, for people. */
  errorText?: string;
  /** The provider's id of what it sent. */
  identifier?: string;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Payload of the event.' })
  payload: Record<string, unknown>;
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  data?: Record<string, unknown>;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Overrides of the event.' })
  overrides: Record<string, unknown>;
  actor?: MessageActorResponse;
  tags: string[];
  avatar?: string;
  /** When the record is removed. */
  expireAt?: Date;
  deleted: boolean;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: Message): MessageResponse {
    return Object.assign(new MessageResponse(), fieldsOf(row));
  }
}

/** What every form of a message has. Free-form parts come back as they are; they never hold ids of ours. */
export function fieldsOf(row: Message): MessageResponse {
  const { _id, _actorId, _feedId, _messageTemplateId, cta, actor, ...rest } = row;
  return {
    ...rest,
    _id: _id.toHexString(),
    id: _id.toHexString(),
    _organizationId: row._organizationId.toHexString(),
    _environmentId: row._environmentId.toHexString(),
    _templateId: row._templateId.toHexString(),
    ...(_messageTemplateId && { _messageTemplateId: _messageTemplateId.toHexString() }),
    _notificationId: row._notificationId.toHexString(),
    _jobId: row._jobId.toHexString(),
    _subscriberId: row._subscriberId.toHexString(),
    ...(_feedId && { _feedId: _feedId.toHexString() }),
    ...(_actorId && { _actorId: _actorId.toHexString() }),
    deviceTokens: row.deviceTokens ?? [],
    ...(cta && { cta: MessageCtaResponse.from(cta) }),
    payload: row.payload ?? {},
    overrides: row.overrides ?? {},
    ...(actor && { actor: MessageActorResponse.from(actor) }),
    tags: row.tags ?? [],
  };
}
