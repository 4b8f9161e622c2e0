export { NotificationGroupResponse } from './dto/notification-group.response.js';
export { NotificationGroupsModule } from './notification-groups.module.js';
export { NotificationGroupsService } from './notification-groups.service.js';
