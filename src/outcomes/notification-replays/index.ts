export { CreateNotificationReplayDto } from './notification-replay.dto.js';
export { NotificationReplaysModule } from './notification-replays.module.js';
export { NotificationReplaysService } from './notification-replays.service.js';
export { ReplayWorker } from './replay-worker.js';
