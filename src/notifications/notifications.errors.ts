import { AppException } from '#libs/http-kit';

export class NotificationNotFound extends AppException {
  constructor(id: string) {
    super(
      404,
      'notification_not_found',
      `This environment has no notification with the id '${id}'. List them with GET /v1/notifications.`,
    );
  }
}
