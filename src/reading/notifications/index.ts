export { ListNotificationsQuery } from './notification.dto.js';
export { NotificationFilter } from './notification-filter.js';
export { NotificationReads, type Place, type RecordFilter } from './notification-reads.js';
export { NotificationsModule } from './notifications.module.js';
