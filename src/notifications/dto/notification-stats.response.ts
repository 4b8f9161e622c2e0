import { ApiProperty } from '@nestjs/swagger';
import { STEP_TYPES, type StepType } from '../../delivery/index.js';

/** How many notifications there were lately. */
export class NotificationStatsResponse {
  /**
   * Number of notifications in the last 7 days.
   * @example 120
   */
  weeklySent: number;
  /**
   * Number of notifications in the last 30 days.
   * @example 480
   */
  monthlySent: number;
}

/** The notifications of one day. */
export class NotificationDayResponse {
  /**
   * The day, in UTC.
   * @example 2026-01-31
   */
  _id: string;
  /**
   * Number of notifications; each counts once for every type of its steps.
   * @example 17
   */
  count: number;
  /** Record ids of the workflows. */
  templates: string[];
  /** Types of the steps. */
  @ApiProperty({ enum: STEP_TYPES, isArray: true })
  channels: StepType[];
}
