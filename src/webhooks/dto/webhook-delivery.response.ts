import { ApiProperty } from '@nestjs/swagger';
import type { WebhookDelivery } from '../webhook-delivery.schema.js';
import { DELIVERY_STATUSES, type DeliveryStatus, WEBHOOK_EVENTS, type WebhookEvent } from '../webhook.enums.js';

/** One event on its way to one webhook. */
export class WebhookDeliveryResponse {
  /** The `webhook-id` that the receiver sees. */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _organizationId: string;
  _environmentId: string;
  _webhookId: string;
  _messageId: string;
  @ApiProperty({ enum: WEBHOOK_EVENTS })
  type: WebhookEvent;
  /** When what it tells of happened. */
  occurredAt: Date;
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The `data` that the receiver gets.' })
  data: Record<string, unknown>;
  @ApiProperty({ enum: DELIVERY_STATUSES, example: 'delivered' })
  status: DeliveryStatus;
  /**
   * Attempts that have ended, since the last replay.
   * @example 1
   */
  attempts: number;
  /** When it is tried next, while it is pending. */
  nextAttemptAt?: Date;
  lastAttemptAt?: Date;
  /**
   * HTTP status of the last answer.
   * @example 204
   */
  lastStatusCode?: number;
  /** Why the last attempt failed. */
  lastError?: string;
  deliveredAt?: Date;
  /** When the record is removed. */
  expireAt?: Date;
  createdAt: Date;
  updatedAt: Date;

  static from(row: WebhookDelivery): WebhookDeliveryResponse {
    const { lastAttemptAt, lastStatusCode, lastError, deliveredAt, expireAt } = row;
    return Object.assign(new WebhookDeliveryResponse(), {
      _id: row._id.toHexString(),
      id: row._id.toHexString(),
      _organizationId: row._organizationId.toHexString(),
      _environmentId: row._environmentId.toHexString(),
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
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    });
  }
}
