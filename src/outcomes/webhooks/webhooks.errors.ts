import { defineError } from '#libs/http-kit';

export const WebhookNotFound = defineError(
  404,
  'webhook_not_found',
  (id: string) => `This environment has no webhook with the id '${id}'. List them with GET /v1/webhooks.`,
  ['{webhookId}'],
);

export const TooManyWebhooks = defineError(
  409,
  'too_many_webhooks',
  (limit: number) =>
    `This environment already has ${limit} webhooks, which is the limit. Delete one with DELETE /v1/webhooks/{webhookId} first.`,
  [50],
);

export const WebhookDeliveryNotFound = defineError(
  404,
  'webhook_delivery_not_found',
  (id: string) =>
    `The webhook has no delivery with the id '${id}'. List them with GET /v1/webhooks/{webhookId}/deliveries.`,
  ['{deliveryId}'],
);

export const WebhookDeliveryPending = defineError(
  409,
  'webhook_delivery_pending',
  (id: string) => `The delivery '${id}' is still pending. Replay it after it has been delivered or has failed.`,
  ['{deliveryId}'],
);

export const WebhookInactive = defineError(
  409,
  'webhook_inactive',
  (id: string) =>
    `The webhook '${id}' is inactive, so nothing is sent to it. Set active to true with PATCH /v1/webhooks/{webhookId} first.`,
  ['{webhookId}'],
);
