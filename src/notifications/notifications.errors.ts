import { defineError } from '#libs/http-kit';

export const NotificationNotFound = defineError(
  404,
  'notification_not_found',
  (id: string) => `This environment has no notification with the id '${id}'. List them with GET /v1/notifications.`,
);
