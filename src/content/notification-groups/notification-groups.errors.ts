import { defineError } from '#libs/http-kit';

export const NotificationGroupNotFound = defineError(
  404,
  'notification_group_not_found',
  (id: string) =>
    `This environment has no notification group with the id '${id}'. List them with GET /v1/notification-groups.`,
  ['{groupId}'],
);

export const NotificationGroupInUse = defineError(
  409,
  'notification_group_in_use',
  (id: string) =>
    `The notification group '${id}' still has workflows. Move them to another group or delete them first.`,
  ['{groupId}'],
);
