import { ApiProperty } from '@nestjs/swagger';
import { PlainRecordResponse, shower } from '#libs/http-kit';
import type { WebhookDelivery } from '../webhook-delivery.schema.js';
import { DELIVERY_STATUSES, type DeliveryStatus, WEBHOOK_EVENTS, type WebhookEvent } from '../webhook.enums.js';

/** One event on its way to one webhook. */
export class WebhookDeliveryResponse extends PlainRecordResponse {
  /** The `webhook-id` that the receiver sees. */
  override _id: string;
  _webhookId: string;
  _messageId: string;
  /** What happened to the message. */
  @ApiProperty({ enum: WEBHOOK_EVENTS })
  type: WebhookEvent;
  /** When the event happened. */
  occurredAt: Date;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The `data` that the receiver gets.' })
  data: Record<string, unknown>;
  /** `pending`, `delivered`, or `failed` after the last attempt. */
  @ApiProperty({ enum: DELIVERY_STATUSES, example: 'delivered' })
  status: DeliveryStatus;
  /**
   * Number of attempts since the last replay.
   * @example 1
   */
  attempts: number;
  /** When it is tried next, while it is pending. */
  nextAttemptAt?: Date;
  /** When the last attempt ended. */
  lastAttemptAt?: Date;
  /**
   * HTTP status of the last answer.
   * @example 204
   */
  lastStatusCode?: number;
  /** Why the last attempt failed. */
  lastError?: string;
  /** When the address took it. */
  deliveredAt?: Date;
  /** When the record is removed, by the retention settings. */
  expireAt?: Date;
}

export const showWebhookDelivery = shower(WebhookDeliveryResponse, (row: WebhookDelivery) => {
  const { lastAttemptAt, lastStatusCode, lastError, deliveredAt, expireAt } = row;
  return {
    _webhookId: row._endpointId.toHexString(),
    _messageId: row._messageId.toHexString(),
    type: row.type,
    occurredAt: row.occurredAt,
    data: row.data,
    status: row.status,
    attempts: row.attempt,
    ...(row.wakeAt !== undefined && row.lease === undefined && { nextAttemptAt: row.wakeAt }),
    ...(lastAttemptAt !== undefined && { lastAttemptAt }),
    ...(lastStatusCode !== undefined && { lastStatusCode }),
    ...(lastError !== undefined && { lastError }),
    ...(deliveredAt !== undefined && { deliveredAt }),
    ...(expireAt !== undefined && { expireAt }),
  };
});
