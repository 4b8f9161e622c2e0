import { ApiProperty } from '@nestjs/swagger';
import type { WebhookEndpoint } from '../webhook-endpoint.schema.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../webhook.enums.js';

/** An address that is told of what happens to messages. */
export class WebhookResponse {
  /** @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id: string;
  /** Equal to `_id`. */
  id: string;
  _organizationId: string;
  _environmentId: string;
  /** @example https://example.com/hooks/herald */
  url: string;
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true })
  events: WebhookEvent[];
  /** @example Order service */
  description?: string;
  active: boolean;
  /** Why Herald has made it inactive: it answered 410 Gone. */
  disabledReason?: string;
  disabledAt?: Date;
  deleted: boolean;
  createdAt: Date;
  updatedAt: Date;
  __v: number;

  static from(row: WebhookEndpoint): WebhookResponse {
    return Object.assign(new WebhookResponse(), fieldsOf(row));
  }
}

/** A new webhook with the secret that its events are signed with. */
export class CreatedWebhookResponse extends WebhookResponse {
  /**
   * Kept encrypted; can be read again with GET /v1/webhooks/{webhookId}/secret.
   * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
   */
  secret: string;

  static with(row: WebhookEndpoint, secret: string): CreatedWebhookResponse {
    return Object.assign(new CreatedWebhookResponse(), fieldsOf(row), { secret });
  }
}

/** What the events of a webhook are signed with. */
export class WebhookSecretResponse {
  /** @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw */
  secret: string;
  /** Until then events are also signed with the secret before it. */
  formerSecretUntil?: Date;
}

function fieldsOf(row: WebhookEndpoint): WebhookResponse {
  return {
    _id: row._id.toHexString(),
    id: row._id.toHexString(),
    _organizationId: row._organizationId.toHexString(),
    _environmentId: row._environmentId.toHexString(),
    url: row.url,
    events: row.events,
    ...(row.description !== undefined && { description: row.description }),
    active: row.active,
    ...(row.disabledReason !== undefined && { disabledReason: row.disabledReason }),
    ...(row.disabledAt !== undefined && { disabledAt: row.disabledAt }),
    deleted: row.deleted,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    __v: row.__v,
  };
}
