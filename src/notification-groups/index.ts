export { NotificationGroupResponse } from './notification-group.response.js';
export { NotificationGroupsModule } from './notification-groups.module.js';
export { NotificationGroupsService } from './notification-groups.service.js';
