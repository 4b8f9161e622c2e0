export { ChangeSweeper } from './change-sweeper.js';
export { SEALED_FORMER_SECRET, SEALED_SECRET } from './webhook-endpoint.schema.js';
export { WebhooksModule } from './webhooks.module.js';
export { WebhookWorker } from './work/webhook-worker.js';
