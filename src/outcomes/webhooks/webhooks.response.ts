import { ApiProperty } from '@nestjs/swagger';
import { DeletableRecordResponse, PlainRecordResponse, shower } from '#libs/http-kit';
import { DELIVERY_STATUSES, type DeliveryStatus, type WebhookDelivery } from './webhook-delivery.schema.js';
import type { WebhookEndpoint } from './webhook-endpoint.schema.js';
import {
  DELIVERED_TYPES,
  type DeliveredType,
  EVENT_COMPLETED,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_TEST,
  type WebhookEventType,
} from './webhook-events.js';

/** A URL to which events about messages are posted. */
export class WebhookResponse extends DeletableRecordResponse {
  /**
   * URL that events are posted to. Without the scope `write`, the values of its query are masked.
   * @example https://example.com/hooks/herald
   */
  url: string;
  /** Events that are posted to the URL. */
  @ApiProperty({ enum: WEBHOOK_EVENT_TYPES, isArray: true })
  events: WebhookEventType[];
  /**
   * Description.
   * @example Order service
   */
  description?: string;
  /** Whether events are posted to the URL. */
  active: boolean;
  /** Why Herald made the webhook inactive: the URL responded with 410 Gone. */
  disabledReason?: string;
  /** Time at which Herald made the webhook inactive. */
  disabledAt?: Date;
}

export const showWebhook = shower(WebhookResponse, webhookFields);

/** A new webhook with its signing secret. */
export class CreatedWebhookResponse extends WebhookResponse {
  /**
   * Stored encrypted; GET /v1/webhooks/{webhookId}/secret shows it again.
   * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
   */
  secret: string;
}

export const showCreatedWebhook = shower(CreatedWebhookResponse, (row: WebhookEndpoint, secret: string) => ({
  ...webhookFields(row),
  secret,
}));

/** Signing secret of a webhook. */
export class WebhookSecretResponse {
  /**
   * Secret with which events are signed.
   * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
   */
  secret: string;
  /** Time until which events are also signed with the former secret. */
  formerSecretUntil?: Date;
}

// Inferred, so that callers check every field.
function webhookFields(row: WebhookEndpoint) {
  return {
    url: row.url,
    events: row.events,
    description: row.description,
    active: row.active,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt,
  };
}

/** Delivery of one event to one webhook. */
export class WebhookDeliveryResponse extends PlainRecordResponse {
  /** The `webhook-id` header of the request. */
  override _id: string;
  _webhookId: string;
  /** Absent for `event.completed` and `webhook.test`. */
  _messageId?: string;
  /** Type of the event. */
  @ApiProperty({ enum: DELIVERED_TYPES })
  type: DeliveredType;
  /** Time of the event. */
  occurredAt: Date;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The `data` that is sent to the receiver.' })
  data: Record<string, unknown>;
  /** `pending`, `delivered`, or `failed` after the last attempt. */
  @ApiProperty({ enum: DELIVERY_STATUSES, example: 'delivered' })
  status: DeliveryStatus;
  /**
   * Number of attempts since the last replay.
   * @example 1
   */
  attempts: number;
  /** Time of the next attempt, while the delivery is pending. */
  nextAttemptAt?: Date;
  /** Time at which the last attempt ended. */
  lastAttemptAt?: Date;
  /**
   * HTTP status of the last response.
   * @example 204
   */
  lastStatusCode?: number;
  /** Why the last attempt failed. */
  lastError?: string;
  /** Time of the successful attempt. */
  deliveredAt?: Date;
  /** Time at which retention removes the record. */
  expireAt?: Date;
}

export const showWebhookDelivery = shower(WebhookDeliveryResponse, (row: WebhookDelivery) => {
  const { lastAttemptAt, lastStatusCode, lastError, deliveredAt, expireAt } = row;
  return {
    _webhookId: row._endpointId.toHexString(),
    ...(row.type !== EVENT_COMPLETED && row.type !== WEBHOOK_TEST && { _messageId: row._messageId.toHexString() }),
    type: row.type,
    occurredAt: row.occurredAt,
    data: row.data,
    status: row.status,
    attempts: row.attempt,
    ...(row.wakeAt !== undefined && row.lease === undefined && { nextAttemptAt: row.wakeAt }),
    lastAttemptAt,
    lastStatusCode,
    lastError,
    deliveredAt,
    expireAt,
  };
});
