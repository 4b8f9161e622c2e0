export { EventEndTeller } from './event-end-teller.js';
export { ChangeSweeper } from './change-sweeper.js';
export { SEALED_FORMER_SECRET, SEALED_SECRET } from './webhook-endpoint.schema.js';
export { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './webhook-events.js';
export { WebhookQueue } from './webhook-queue.js';
export { WebhookWorker } from './webhook-worker.js';
export { WebhooksModule } from './webhooks.module.js';
export { WebhookDeliveriesService } from './webhook-deliveries.service.js';
