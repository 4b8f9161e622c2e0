import { AppException } from '#libs/http-kit';

export class NotificationGroupNotFound extends AppException {
  constructor(id: string) {
    super(
      404,
      'notification_group_not_found',
      `This environment has no notification group with the id '${id}'. List them with GET /v1/notification-groups.`,
    );
  }
}

export class NotificationGroupInUse extends AppException {
  constructor(id: string) {
    super(
      409,
      'notification_group_in_use',
      `The notification group '${id}' still has workflows. Move them to another group or delete them first.`,
    );
  }
}
