import { CreateNotificationGroupDto } from './create-notification-group.dto.js';

export class UpdateNotificationGroupDto extends CreateNotificationGroupDto {}
