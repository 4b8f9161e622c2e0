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
