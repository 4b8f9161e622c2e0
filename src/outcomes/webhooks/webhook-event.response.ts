import { ApiProperty, IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { EventResponse } from '../../engine/events/index.js';
import { SettledQuestionResponse } from '../../engine/questions/index.js';
import { MessageActionResponse, MessageResponse } from '../../engine/messages/views/index.js';
import { CHANNELS, type Channel } from '#libs/channels';
import type { IntegrationDown } from '../../channels/integrations/index.js';
import { shown } from '#libs/http-kit';
import { type PreferenceChanged, PREFERENCE_WAYS, type PreferenceWay } from '../../content/preferences/index.js';
import { SuppressionResponse } from '../../content/suppressions/index.js';
import { AuditEntryResponse } from '../audit-log/index.js';
import { EVENT_COMPLETED, MESSAGE_EVENT_TYPES, QUESTION_ANSWERED } from './webhook-events.js';

/** What became of a button of a message. */
export class WebhookActionResponse extends PickType(MessageActionResponse, ['status', 'result'] as const) {}

/** A message as it was when the event was recorded, without its content and payload. */
export class WebhookMessageResponse extends IntersectionType(
  PickType(MessageResponse, [
    '_id',
    '_organizationId',
    '_environmentId',
    '_notificationId',
    '_templateId',
    '_subscriberId',
    'templateIdentifier',
    'transactionId',
    'channel',
    'providerId',
    'identifier',
    'subject',
    'title',
    'email',
    'phone',
    'status',
    'errorId',
    'errorText',
    'seen',
    'read',
    'lastSeenDate',
    'lastReadDate',
    'lastActionDate',
    'createdAt',
    'updatedAt',
  ] as const),
  PartialType(PickType(MessageResponse, ['tags'] as const)),
) {
  /**
   * Your identifier of the subscriber.
   * @example ada
   */
  subscriberId?: string;
  /** The use of a button; absent before a button was used. */
  action?: WebhookActionResponse;
}

export class WebhookEventDataResponse {
  message: WebhookMessageResponse;
  /**
   * Text that the provider sent with its report.
   * @example 250 OK
   */
  response?: string;
  /**
   * Of `message.opened` and `message.clicked` that Herald follows itself: a program did it, as far as one can tell. The status
   * of the message is as before then.
   */
  machine?: boolean;
  /**
   * Of `message.clicked` that Herald follows itself: where the link leads.
   * @example https://example.com/orders/4711
   */
  url?: string;
}

abstract class WebhookBody {
  /**
   * Equal to the header `webhook-id`: the same for every attempt and replay of this event.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  id: string;
  /** Time of the event. */
  createdAt: Date;
  /** Id of the environment. */
  environmentId: string;
}

/** The body of an outbound webhook about a message. */
export class WebhookEventResponse extends WebhookBody {
  /** Type of the event. */
  @ApiProperty({ enum: MESSAGE_EVENT_TYPES, example: 'message.delivered' })
  type: (typeof MESSAGE_EVENT_TYPES)[number];
  data: WebhookEventDataResponse;
}

export class EventCompletedDataResponse {
  /** The event as `GET /v1/events/trigger/{transactionId}` shows it, with `ended: true`. */
  event: EventResponse;
}

/** The body of an outbound webhook about the end of an event. */
export class EventCompletedResponse extends WebhookBody {
  /** Type of the event. */
  @ApiProperty({ enum: [EVENT_COMPLETED] })
  type: typeof EVENT_COMPLETED;
  data: EventCompletedDataResponse;
}

/** A channel that was switched on or off for a subscriber. */
export class PreferenceChangedDataResponse {
  /**
   * Your identifier of the subscriber.
   * @example ada
   */
  subscriberId: string;
  /** Id of the message that had the link, which may be no longer stored; absent where no link was used. */
  messageId?: string;
  /** Id of the workflow; absent: all workflows. */
  workflowId?: string;
  /**
   * Trigger identifier of the workflow; absent: all workflows.
   * @example order-shipped
   */
  workflowIdentifier?: string;
  /** Channel that was switched. */
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  channel: Channel;
  /** Whether the channel is on now. */
  enabled: boolean;
  /** `one-click`: the button of a mail program; `page`: a page of Herald; `inbox`: a session of the subscriber; `api`: an API key. */
  @ApiProperty({ enum: PREFERENCE_WAYS, example: 'one-click' })
  via: PreferenceWay;
}

export function showPreferenceChanged({ owner, change }: PreferenceChanged): PreferenceChangedDataResponse {
  const { subscriberId, messageId } = owner;
  return shown(PreferenceChangedDataResponse, {
    subscriberId,
    messageId,
    ...change,
  });
}

/** The body of `preference.changed`. */
export class PreferenceChangedEventResponse extends WebhookBody {
  /** Type of the event. */
  @ApiProperty({ enum: ['preference.changed'] })
  type: 'preference.changed';
  data: PreferenceChangedDataResponse;
}

export class SuppressionEventDataResponse {
  suppression: SuppressionResponse;
  /** Why it was lifted. Only in `suppression.lifted`. @example The mailbox works again */
  liftedBecause?: string;
}

/** The body of `suppression.added` and `suppression.lifted`. */
export class SuppressionEventResponse extends WebhookBody {
  /** Type of the event. */
  @ApiProperty({ enum: ['suppression.added', 'suppression.lifted'] })
  type: 'suppression.added' | 'suppression.lifted';
  data: SuppressionEventDataResponse;
}

/** An integration whose provider does not answer, or answers again. */
export class IntegrationHealthDataResponse {
  /** Id of the integration. */
  integrationId: string;
  /** Identifier of the integration. @example sendgrid-4f1a */
  identifier: string;
  /** Name of the integration. @example SendGrid */
  name: string;
  /** Provider of the integration. @example sendgrid */
  providerId: string;
  /** Channel of the integration. */
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  channel: Channel;
  /** Since when the provider has not answered. */
  since: Date;
  /** What its last answers were: `unavailable`, `unreachable` or `timeout`. @example unavailable */
  code: string;
  /** The answer in words. @example The provider answered with status 503. */
  error: string;
}

export function showIntegrationHealth({ integration, outage }: IntegrationDown): IntegrationHealthDataResponse {
  const { _id, identifier, name, providerId, channel } = integration;
  const { since, code, error } = outage;
  return shown(IntegrationHealthDataResponse, {
    integrationId: _id.toHexString(),
    identifier,
    name,
    providerId,
    channel,
    since,
    code,
    error,
  });
}

/** The body of `integration.down` and `integration.up`. */
export class IntegrationHealthEventResponse extends WebhookBody {
  /** Type of the event. */
  @ApiProperty({ enum: ['integration.down', 'integration.up'] })
  type: 'integration.down' | 'integration.up';
  data: IntegrationHealthDataResponse;
}

export class AuditRecordedDataResponse {
  /** The entry, as the audit log shows it. Of a subscriber, it has the record id only. */
  entry: AuditEntryResponse;
}

/** The body of `audit.recorded`. */
export class AuditRecordedEventResponse extends WebhookBody {
  /** Type of the event. */
  @ApiProperty({ enum: ['audit.recorded'] })
  type: 'audit.recorded';
  data: AuditRecordedDataResponse;
}

export class QuestionAnsweredDataResponse {
  /** The question with its outcome: `status` is `answered`, `undecided`, `expired` or `canceled`. */
  question: SettledQuestionResponse;
}

/** The body of `question.answered`. */
export class QuestionAnsweredEventResponse extends WebhookBody {
  /** Type of the event. */
  @ApiProperty({ enum: [QUESTION_ANSWERED] })
  type: typeof QUESTION_ANSWERED;
  data: QuestionAnsweredDataResponse;
}

export function showSuppression(
  suppression: SuppressionResponse,
  liftedBecause?: string,
): SuppressionEventDataResponse {
  return shown(SuppressionEventDataResponse, { suppression, liftedBecause });
}
