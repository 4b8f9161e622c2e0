import { ApiProperty } from '@nestjs/swagger';
import { PlainRecordResponse, shower, shown } from '#libs/http-kit';
import { ReplayFilterDto } from './notification-replay.dto.js';
import { type NotificationReplay, REPLAY_STATUSES, type ReplayStatus } from './notification-replay.schema.js';

/** Notifications that matched and were not replayed, by reason. */
export class SkippedNotificationsResponse {
  /** They have not ended, or were changed at the same moment. */
  running: number;
  /** None of their steps has failed any more. */
  nothingFailed: number;
  /** A provider may have accepted a message, and `includeUncertain` is false. */
  uncertain: number;
  /** Their event is no longer stored. */
  eventGone: number;
}

/** Progress of a request to replay failed notifications. */
export class NotificationReplayResponse extends PlainRecordResponse {
  /** Which failed notifications are replayed. */
  @ApiProperty({ type: () => ReplayFilterDto })
  filter: ReplayFilterDto;
  /** Whether messages are sent again that the provider may have accepted. */
  includeUncertain: boolean;
  /**
   * How many notifications are replayed at most.
   * @example 1000
   */
  limit: number;
  /**
   * `running`; `stopping`: it was stopped, and the notifications in progress are still being counted; `completed`;
   * `stopped`; `failed`: `error` says why.
   */
  @ApiProperty({ enum: REPLAY_STATUSES })
  status: ReplayStatus;
  /** Why it has failed. */
  error?: string;
  /**
   * How many notifications matched when it began, counted up to the limit. Absent until then.
   * @example 120
   */
  total?: number;
  /**
   * How many notifications were looked at so far.
   * @example 100
   */
  examined: number;
  /**
   * How many of them were replayed. GET /v1/notifications shows what became of them.
   * @example 98
   */
  replayed: number;
  /** How many of them were not replayed. */
  @ApiProperty({ type: () => SkippedNotificationsResponse })
  skipped: SkippedNotificationsResponse;
  /** Time at which it ended. */
  endedAt?: Date;
  /** Time at which retention removes the record. */
  expireAt?: Date;
}

export const showNotificationReplay = shower(NotificationReplayResponse, (row: NotificationReplay) => {
  const { error, total, endedAt, expireAt } = row;
  const { replayed, running, nothing_failed: nothingFailed, uncertain, event_gone: eventGone } = row.counts;
  return {
    filter: row.filter,
    includeUncertain: row.includeUncertain,
    limit: row.limit,
    status: row.status,
    error,
    total,
    examined: replayed + running + nothingFailed + uncertain + eventGone,
    replayed,
    skipped: shown(SkippedNotificationsResponse, { running, nothingFailed, uncertain, eventGone }),
    endedAt,
    expireAt,
  };
});
