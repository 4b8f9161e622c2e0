import { defineError } from '#libs/http-kit';

export const NotificationNotFound = defineError(
  404,
  'notification_not_found',
  (id: string) => `This environment has no notification with the id '${id}'. List them with GET /v1/notifications.`,
  ['{notificationId}'],
);

export const JobUnknown = defineError(
  404,
  'job_not_found',
  (id: string) => `The notification has no job with the id '${id}'. GET /v1/notifications/{id} lists them.`,
  ['{jobId}'],
);

export const StillRunning = defineError(
  409,
  'notification_running',
  'The notification has not ended yet. Replay it after it has ended.',
);

export const NothingToReplay = defineError(
  409,
  'nothing_to_replay',
  'No step has failed, so there is nothing to replay.',
);

export const MayHaveBeenSent = defineError(
  409,
  'may_have_been_sent',
  'The provider may have accepted the message, so the recipient could receive it twice. Check with the provider, or replay it with {"includeUncertain": true}.',
);

export const EventNoLongerKept = defineError(
  409,
  'event_no_longer_kept',
  'The event of this notification is no longer stored, so it cannot be replayed. Trigger it again.',
);

export const NothingToCancel = defineError(
  409,
  'nothing_to_cancel',
  'The notification has ended, or its event is in a digest that is closed already, so nothing is left to cancel.',
);
