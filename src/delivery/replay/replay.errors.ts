import { AppException } from '#libs/http-kit';

export class NotificationUnknown extends AppException {
  constructor(id: string) {
    super(
      404,
      'notification_not_found',
      `This environment has no notification with the id '${id}'. List them with GET /v1/notifications.`,
    );
  }
}

export class JobUnknown extends AppException {
  constructor(id: string) {
    super(
      404,
      'job_not_found',
      `The notification has no job with the id '${id}'. GET /v1/notifications/{id} lists them.`,
    );
  }
}

export class StillRunning extends AppException {
  constructor() {
    super(409, 'notification_running', 'The notification has not come to its end yet. Replay it when it has.');
  }
}

export class NothingToReplay extends AppException {
  constructor() {
    super(409, 'nothing_to_replay', 'Nothing of this has failed, so there is nothing to replay.');
  }
}

export class EventNoLongerKept extends AppException {
  constructor() {
    super(
      409,
      'event_no_longer_kept',
      'The event of this notification is no longer kept, so it cannot be replayed. Trigger it again.',
    );
  }
}
