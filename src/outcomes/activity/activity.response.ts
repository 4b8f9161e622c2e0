import { ApiProperty } from '@nestjs/swagger';
import { CHANNELS, type Channel } from '#libs/channels';
import { type Lane, LANES } from '../../engine/delivery/index.js';
import { type Period, PERIODS } from './activity.dto.js';

/** Numbers of messages, by what became of them. */
class DeliveryCountsResponse {
  /**
   * Messages that the provider accepted, or that were stored in the feed.
   * @example 118
   */
  sent: number;
  /**
   * Messages and steps that failed with no attempt left. A message that fails again after a replay counts again.
   * @example 2
   */
  failed: number;
  /**
   * Attempts that failed and were repeated, later or with another integration.
   * @example 5
   */
  retried: number;
  /**
   * Those of `failed` that can be replayed.
   * @example 1
   */
  dead: number;
}

/** The numbers of one step of the period. */
export class DeliveryPointResponse extends DeliveryCountsResponse {
  /** Beginning of the step. */
  at: Date;
}

/** Deliveries of one channel through one provider. */
export class ProviderHealthResponse extends DeliveryCountsResponse {
  /** Channel of the messages. */
  @ApiProperty({ enum: CHANNELS })
  channel: Channel;
  /**
   * Provider that was called; `novu` is the in-app feed. Absent for failures before a provider was called, for example
   * without an address or an integration.
   * @example sendgrid
   */
  providerId?: string;
  /**
   * Median of the time from the trigger, or from the end of the step before, to the acceptance by the provider, in
   * milliseconds. Absent if nothing was sent. Approximate: times are counted in classes, each twice as long as the one
   * before.
   * @example 180
   */
  medianMs?: number;
  /**
   * The time that 95 % of the messages took at most, in milliseconds.
   * @example 900
   */
  p95Ms?: number;
  /** The steps of the period, oldest first; those without deliveries are included. */
  @ApiProperty({ type: () => [DeliveryPointResponse] })
  points: DeliveryPointResponse[];
  /** The steps of the period before, which is as long and ends where this one begins, to compare with. */
  @ApiProperty({ type: () => [DeliveryPointResponse] })
  pointsBefore: DeliveryPointResponse[];
}

export const BACKLOG_LANES = ['expand', ...LANES] as const;
export type BacklogLane = Lane | 'expand';

/** Work of the environment that is due. */
export class DeliveryBacklogResponse {
  /**
   * `expand`: triggers whose recipients are to be found; `store`: in-app messages, delays and digests; `webhook`: steps
   * whose conditions ask a webhook; else the steps of a channel.
   */
  @ApiProperty({ enum: BACKLOG_LANES, example: 'email' })
  lane: BacklogLane;
  /**
   * Number of records that no worker has taken up, counted up to 10,000.
   * @example 0
   */
  due: number;
  /**
   * Number of records that a worker has taken up, counted up to 10,000.
   * @example 0
   */
  claimed: number;
  /**
   * Number of records whose worker died or stood still, and that are tried again in groups, counted up to 10,000.
   * @example 0
   */
  suspected: number;
  /** Time since which the oldest record has been due, whether or not a worker has taken it up. Absent if none is due. */
  oldestDueAt?: Date;
}

/** Health of the deliveries of an environment. */
export class DeliveryHealthResponse {
  /** The period. */
  @ApiProperty({ enum: PERIODS, example: 'hour' })
  period: Period;
  /** Beginning of the first step of the period. */
  from: Date;
  /** Time of the response, which ends the last step. */
  to: Date;
  /** Channels and providers with deliveries in the period. */
  @ApiProperty({ type: () => [ProviderHealthResponse] })
  providers: ProviderHealthResponse[];
  /** Work that is due now. */
  @ApiProperty({ type: () => [DeliveryBacklogResponse] })
  backlog: DeliveryBacklogResponse[];
}
