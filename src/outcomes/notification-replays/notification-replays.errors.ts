import { defineError } from '#libs/http-kit';

export const NotificationReplayNotFound = defineError(
  404,
  'notification_replay_not_found',
  (id: string) => `This environment has no replay with the id '${id}'. List them with GET /v1/notifications/replays.`,
  ['{replayId}'],
);

export const TooManyReplays = defineError(
  409,
  'too_many_replays',
  (limit: number) =>
    `This environment already has ${limit} replays that have not ended, which is the limit. Wait for one to end, or stop one. List them with GET /v1/notifications/replays.`,
  [10],
);
