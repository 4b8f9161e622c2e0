export { ListNotificationsQuery } from './notification.dto.js';
export { NotificationFilter } from './notification-filter.js';
export { NotificationReads, type Place, type RecordFilter } from './notification-reads.js';
export { NotificationsModule } from './notifications.module.js';
export { NotificationsService } from './notifications.service.js';
export type { JobResponse, NotificationResponse } from './notification.response.js';
export { JobConditionResponse } from './job-history.response.js';
export { FilterTooBroad } from './notifications.errors.js';
