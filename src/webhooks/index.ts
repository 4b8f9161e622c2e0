export { ChangeSweeper } from './change-sweeper.js';
export { WebhooksModule } from './webhooks.module.js';
