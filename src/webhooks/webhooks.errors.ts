import { AppException } from '#libs/http-kit';

export class WebhookNotFound extends AppException {
  constructor(id: string) {
    super(
      404,
      'webhook_not_found',
      `This environment has no webhook with the id '${id}'. List them with GET /v1/webhooks.`,
    );
  }
}

export class TooManyWebhooks extends AppException {
  constructor(limit: number) {
    super(
      409,
      'too_many_webhooks',
      `This environment already has ${limit} webhooks, which is the limit. Delete one with DELETE /v1/webhooks/{webhookId} first.`,
    );
  }
}

export class WebhookDeliveryNotFound extends AppException {
  constructor(id: string) {
    super(
      404,
      'webhook_delivery_not_found',
      `The webhook has no delivery with the id '${id}'. List them with GET /v1/webhooks/{webhookId}/deliveries.`,
    );
  }
}

export class WebhookDeliveryPending extends AppException {
  constructor(id: string) {
    super(
      409,
      'webhook_delivery_pending',
      `The delivery '${id}' is still being tried. Replay it once it has been delivered or given up.`,
    );
  }
}

export class WebhookInactive extends AppException {
  constructor(id: string) {
    super(
      409,
      'webhook_inactive',
      `The webhook '${id}' is inactive, so nothing is sent to it. Set active to true with PATCH /v1/webhooks/{webhookId} first.`,
    );
  }
}
