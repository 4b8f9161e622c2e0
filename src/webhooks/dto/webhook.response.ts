import { ApiProperty } from '@nestjs/swagger';
import { DeletableRecordResponse, shower } from '#libs/http-kit';
import type { WebhookEndpoint } from '../webhook-endpoint.schema.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../webhook.enums.js';

/** An address that is told of what happens to messages. */
export class WebhookResponse extends DeletableRecordResponse {
  /**
   * Address that events are posted to.
   * @example https://example.com/hooks/herald
   */
  url: string;
  /** What it is told. */
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true })
  events: WebhookEvent[];
  /**
   * What it is for.
   * @example Order service
   */
  description?: string;
  /** Whether events are sent. */
  active: boolean;
  /** Why Herald made it inactive: it answered 410 Gone. */
  disabledReason?: string;
  /** When Herald made it inactive. */
  disabledAt?: Date;
}

export const showWebhook = shower(WebhookResponse, webhookFields);

/** A new webhook with the secret that its events are signed with. */
export class CreatedWebhookResponse extends WebhookResponse {
  /**
   * Kept encrypted; can be read again with GET /v1/webhooks/{webhookId}/secret.
   * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
   */
  secret: string;
}

export const showCreatedWebhook = shower(CreatedWebhookResponse, (row: WebhookEndpoint, secret: string) => ({
  ...webhookFields(row),
  secret,
}));

/** What the events of a webhook are signed with. */
export class WebhookSecretResponse {
  /**
   * Secret that events are signed with.
   * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
   */
  secret: string;
  /** Until when events are signed with the former secret as well. */
  formerSecretUntil?: Date;
}

// The result is inferred, so that what shows it checks every field.
function webhookFields(row: WebhookEndpoint) {
  return {
    url: row.url,
    events: row.events,
    ...(row.description !== undefined && { description: row.description }),
    active: row.active,
    ...(row.disabledReason !== undefined && { disabledReason: row.disabledReason }),
    ...(row.disabledAt !== undefined && { disabledAt: row.disabledAt }),
  };
}
