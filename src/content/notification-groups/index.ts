export { CreateNotificationGroupDto } from './notification-group.dto.js';
export { NotificationGroupNotFound } from './notification-groups.errors.js';
export { NotificationGroupResponse } from './notification-group.response.js';
export { NotificationGroupsModule } from './notification-groups.module.js';
export { NotificationGroupsService } from './notification-groups.service.js';
