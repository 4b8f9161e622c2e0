import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '#libs/channels';
import { shown } from '#libs/http-kit';
import { safeImage, SYSTEM_ICONS, type SystemIcon } from '#libs/templates';
import type { MessageGroup } from '../../engine/messages/inbox/index.js';
import type { Message } from '../../engine/messages/records/index.js';
import type { SubscriberSummary } from '../../audience/subscribers/index.js';
import { SEVERITIES, type Severity, type WorkflowSummary } from '../../content/workflows/index.js';

/** Where a click leads. */
export class InboxRedirectResponse {
  /**
   * URL or path.
   * @example /orders/7
   */
  url: string;
  /** Browsing context in which the URL opens. */
  target?: string;
}

/** A button. */
export class InboxActionResponse {
  /**
   * Text of the button.
   * @example Accept
   */
  label: string;
  /** Whether the button was used. */
  isCompleted: boolean;
  redirect?: InboxRedirectResponse;
}

export class InboxSubscriberResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  id: string;
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
  /** URL of a picture. */
  avatar?: string;
}

export class InboxWorkflowResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  id: string;
  /**
   * Trigger identifier.
   * @example order-shipped
   */
  identifier: string;
  /**
   * Name of the workflow.
   * @example Order shipped
   */
  name: string;
  /** Subscribers cannot switch off a critical workflow. */
  critical: boolean;
  /** Tags of the workflow. */
  tags: string[];
  @ApiProperty({ enum: SEVERITIES, example: 'none', description: 'Severity of its messages.' })
  severity: Severity;
}

export function showInboxWorkflow(workflow: WorkflowSummary): InboxWorkflowResponse {
  const { _id, identifier, name, critical, tags, severity = 'none' } = workflow;
  return shown(InboxWorkflowResponse, { id: _id.toHexString(), identifier, name, critical, tags: [...tags], severity });
}

/** The notifications with the same group key, of those that match the filter of the list. */
export class InboxGroupResponse {
  /**
   * Group key, by which a list has all of them.
   * @example comments-plan
   */
  key: string;
  /**
   * Number of notifications, this one included.
   * @example 3
   */
  count: number;
  /**
   * Number of those that are unread.
   * @example 2
   */
  unreadCount: number;
}

/** An in-app message as the Inbox shows it. */
export class InboxNotificationResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  id: string;
  transactionId: string;
  /**
   * Rendered subject.
   * @example Payment failed
   */
  subject?: string;
  /**
   * Rendered text.
   * @example Your order is on its way.
   */
  body: string;
  to: InboxSubscriberResponse;
  /** Whether the subscriber has read it. */
  isRead: boolean;
  /** Whether the subscriber has seen it in a list. */
  isSeen: boolean;
  /** Whether it is archived. */
  isArchived: boolean;
  /** Whether it is hidden until `snoozedUntil`. */
  isSnoozed: boolean;
  /** When a snoozed notification appears again. */
  snoozedUntil?: Date;
  /** When it appeared, after each snooze again. Absent unless it was ever snoozed. */
  deliveredAt?: Date[];
  createdAt: Date;
  /** When it was read. Absent while it is unread. */
  readAt?: Date;
  /** When it was first seen. */
  firstSeenAt?: Date;
  /** When it was archived. Absent unless it is. */
  archivedAt?: Date;
  /** URL of a picture. */
  avatar?: string;
  /** Name of an icon in place of a picture. Absent unless the step has one. */
  @ApiPropertyOptional({ enum: SYSTEM_ICONS, example: 'info' })
  icon?: SystemIcon;
  primaryAction?: InboxActionResponse;
  secondaryAction?: InboxActionResponse;
  @ApiProperty({ enum: CHANNELS, example: 'in_app', description: 'Always `in_app`.' })
  channelType: Channel;
  /** Tags of the workflow when the message was sent. */
  tags: string[];
  redirect?: InboxRedirectResponse;
  /** Free-form data of the message. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  data?: Record<string, unknown>;
  /** The workflow, even if it has been deleted. */
  workflow?: InboxWorkflowResponse;
  @ApiProperty({
    enum: SEVERITIES,
    example: 'none',
    description: 'Severity of the workflow when the message was sent.',
  })
  severity: Severity;
  /** Only in lists with `grouped`, of notifications with a group key. */
  group?: InboxGroupResponse;
}

export interface NotificationOrigins {
  readonly recipient: SubscriberSummary;
  readonly workflow: WorkflowSummary | undefined;
  /** The subscriber who caused the event. */
  readonly actor: SubscriberSummary | undefined;
  /** Of lists that group. */
  readonly group: MessageGroup | undefined;
}

/** @param row with content for browsers */
export function showInboxNotification(
  row: Message,
  { recipient, workflow, actor, group }: NotificationOrigins,
): InboxNotificationResponse {
  const { cta, content, snoozedUntil } = row;
  const avatar = row.avatar ?? pictureOf(row, actor);
  const redirect = showRedirect(cta?.data);
  return shown(InboxNotificationResponse, {
    id: row._id.toHexString(),
    transactionId: row.transactionId,
    subject: row.subject ?? row.title,
    body: typeof content === 'string' ? content : '',
    to: showRecipient(recipient),
    isRead: row.read,
    isSeen: row.seen,
    isArchived: row.archived,
    isSnoozed: snoozedUntil !== undefined,
    snoozedUntil,
    deliveredAt: row.deliveredAt,
    createdAt: row.createdAt,
    readAt: row.read ? row.lastReadDate : undefined,
    firstSeenAt: row.lastSeenDate,
    archivedAt: row.archivedAt,
    ...(avatar && { avatar }),
    icon: iconOf(row),
    primaryAction: showAction(row, 'primary'),
    secondaryAction: showAction(row, 'secondary'),
    channelType: row.channel,
    tags: row.tags ?? [],
    redirect,
    data: row.data,
    workflow: workflow && showInboxWorkflow(workflow),
    severity: row.severity ?? 'none',
    group: group && showGroup(group),
  });
}

function showGroup({ key, count, unreadCount }: MessageGroup): InboxGroupResponse {
  return shown(InboxGroupResponse, { key, count, unreadCount });
}

function showAction({ cta }: Message, type: 'primary' | 'secondary'): InboxActionResponse | undefined {
  const button = cta?.action?.buttons?.find((candidate) => candidate.type === type);
  if (button === undefined) return undefined;
  const { status, result } = cta?.action ?? {};
  return shown(InboxActionResponse, {
    label: button.content,
    isCompleted: status === 'done' && result?.type === type,
    redirect: showRedirect(button),
  });
}

function showRedirect(link: { url?: string; target?: string } | undefined): InboxRedirectResponse | undefined {
  if (link?.url === undefined || link.url === '') return undefined;
  return shown(InboxRedirectResponse, { url: link.url, target: link.target });
}

function pictureOf({ actor }: Message, causer: SubscriberSummary | undefined): string | undefined {
  if (actor?.type === 'system_custom') return actor.data ?? undefined;
  return actor?.type === 'user' ? safeAvatar(causer) : undefined;
}

function iconOf({ actor }: Message): SystemIcon | undefined {
  return actor?.type === 'system_icon' ? SYSTEM_ICONS.find((name) => name === actor.data) : undefined;
}

function safeAvatar(subscriber: SubscriberSummary | undefined): string | undefined {
  return subscriber?.avatar === undefined ? undefined : safeImage(subscriber.avatar);
}

function showRecipient(subscriber: SubscriberSummary): InboxSubscriberResponse {
  const { _id, subscriberId, firstName, lastName } = subscriber;
  const avatar = safeAvatar(subscriber);
  return shown(InboxSubscriberResponse, {
    id: _id.toHexString(),
    subscriberId,
    firstName,
    lastName,
    ...(avatar && { avatar }),
  });
}

/** Documents a page of notifications. */
export function ApiInboxPage(): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(InboxNotificationResponse),
    ApiOkResponse({
      description: 'The notifications that follow the cursor',
      schema: {
        type: 'object',
        required: ['data', 'hasMore', 'filter'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(InboxNotificationResponse) } },
          hasMore: { type: 'boolean' },
          filter: { type: 'object', additionalProperties: true },
        },
      },
    }),
  );
}

/** Number of notifications of one filter, at most 99. */
export class InboxCountResponse {
  /**
   * Notifications that match, at most 99.
   * @example 3
   */
  count: number;
  /** The filter, exactly as it was sent. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { read: false } })
  filter: Record<string, unknown>;
}
