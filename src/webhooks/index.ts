export { ChangeSweeper } from './change-sweeper.js';
export { WebhooksModule } from './webhooks.module.js';
export { WebhookWorker } from './work/webhook-worker.js';
