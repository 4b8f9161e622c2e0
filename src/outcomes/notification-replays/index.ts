export { NotificationReplaysModule } from './notification-replays.module.js';
export { ReplayWorker } from './replay-worker.js';
