import { ApiProperty } from '@nestjs/swagger';
import { CHANNELS, type Channel } from '#libs/channels';
import { type Interval, INTERVALS } from './activity.dto.js';

/** Numbers of messages and steps, by what became of them. */
export class ActivityCountsResponse {
  /**
   * Messages that the provider accepted, or that were stored in the feed.
   * @example 118
   */
  sent: number;
  /**
   * Those of `sent` that arrived: in the feed, or as the provider reports. Many providers report nothing.
   * @example 110
   */
  delivered: number;
  /**
   * Those of `sent` that are marked as read, or that were opened or clicked.
   * @example 64
   */
  read: number;
  /**
   * Those of `sent` that came back.
   * @example 1
   */
  bounced: number;
  /**
   * Steps that failed, with or without a message.
   * @example 2
   */
  failed: number;
  /**
   * Steps that were skipped: by their conditions, preferences, or for lack of an address.
   * @example 7
   */
  skipped: number;
}

/** The numbers of one channel. */
export class ChannelActivityResponse extends ActivityCountsResponse {
  /** Channel of the messages. */
  @ApiProperty({ enum: CHANNELS })
  channel: Channel;
}

/** The numbers of one interval. */
export class ActivityPointResponse {
  /** Beginning of the interval. */
  at: Date;
  /** Channels with numbers in this interval. */
  @ApiProperty({ type: () => [ChannelActivityResponse] })
  channels: ChannelActivityResponse[];
}

/** The numbers of one workflow. */
export class WorkflowActivityResponse extends ActivityCountsResponse {
  /** Record id of the workflow. */
  _id: string;
  /**
   * Trigger identifier; absent if the workflow is gone.
   * @example order-shipped
   */
  identifier?: string;
  /**
   * Name; absent if the workflow is gone.
   * @example Order shipped
   */
  name?: string;
  /**
   * Notifications: runs of the workflow for one recipient.
   * @example 130
   */
  runs: number;
  /**
   * Those of `runs` with the status `failed`.
   * @example 2
   */
  failedRuns: number;
  /**
   * Median of the time that sending took, from the beginning of the run, or from the end of the step before, in
   * milliseconds. Absent if nothing was sent. Approximate: times are counted in classes, each twice as long as the one before.
   * @example 180
   */
  medianMs?: number;
  /**
   * The time that 95 % of the messages took at most, in milliseconds.
   * @example 900
   */
  p95Ms?: number;
}

/** Runs that are not finished. Each number is counted up to 10,000. */
export class WaitingActivityResponse {
  /**
   * Triggers and runs with work that is due.
   * @example 0
   */
  queued: number;
  /**
   * Runs whose delay, or the time until their next attempt, has not ended.
   * @example 12
   */
  delayed: number;
  /**
   * Digests that are being collected.
   * @example 3
   */
  digests: number;
  /**
   * Runs that wait for the quiet hours of their recipient, a send window or a budget.
   * @example 1
   */
  held: number;
  /**
   * Runs that wait for an event.
   * @example 0
   */
  awaiting: number;
}

/** What happened in a period, and what waits now. */
export class ActivitySummaryResponse {
  /** Beginning of the first interval. */
  from: Date;
  /** End of the last interval, exclusive. */
  to: Date;
  /** Length of the intervals. */
  @ApiProperty({ enum: INTERVALS, example: 'day' })
  interval: Interval;
  /**
   * Until when everything is counted: the time of the answer, or some minutes before where there is much to count. After an
   * upgrade, what was stored before is counted oldest first.
   */
  countedTo: Date;
  /** The whole period. */
  total: ActivityCountsResponse;
  /** Notifications of the whole period, and those of them that failed. */
  runs: number;
  /** Those of `runs` with the status `failed`. */
  failedRuns: number;
  /** The whole period, by channel. */
  @ApiProperty({ type: () => [ChannelActivityResponse] })
  channels: ChannelActivityResponse[];
  /** The intervals, oldest first; those without numbers are included. */
  @ApiProperty({ type: () => [ActivityPointResponse] })
  points: ActivityPointResponse[];
  /** Up to ten workflows with failed runs, those with the largest share of them first. */
  @ApiProperty({ type: () => [WorkflowActivityResponse] })
  worst: WorkflowActivityResponse[];
  /** Up to ten workflows that sent something, the slowest first. */
  @ApiProperty({ type: () => [WorkflowActivityResponse] })
  slowest: WorkflowActivityResponse[];
  /** What waits now, whatever the period is. */
  waiting: WaitingActivityResponse;
}
