import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, IsName, OptionalMoment } from '#libs/http-kit';

export const PERIODS = ['hour', 'day'] as const;
export type Period = (typeof PERIODS)[number];

export class DeliveryHealthQuery {
  /** The last hour in steps of five minutes, or the last day in steps of an hour. */
  @IsOptional()
  @IsIn(PERIODS)
  @ApiPropertyOptional({ enum: PERIODS, default: 'hour' })
  period: Period = 'hour';
}

const MAX_DAYS = 90;

export class StepFiguresQuery {
  /**
   * Trigger identifier or id of the workflow.
   * @example order-shipped
   */
  @IsName()
  workflow: string;

  /** How many days count, up to 90. */
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(MAX_DAYS)
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_DAYS, default: 30 })
  days: number = 30;

  /**
   * Only notifications that run this version of the workflow, and the steps that it has. Notifications keep the version with which their
   * event was accepted. By default, those of all versions.
   * @example 4
   */
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  @ApiPropertyOptional({ type: 'integer', minimum: 0 })
  version?: number;
}

export const INTERVALS = ['hour', 'day'] as const;
export type Interval = (typeof INTERVALS)[number];

export class ActivitySummaryQuery {
  /** Beginning of the period; its whole first interval counts. By default, the period has 24 hours or 7 days. */
  @OptionalMoment()
  from?: string;

  /** End of the period; its whole last interval counts. By default now. */
  @OptionalMoment()
  to?: string;

  /**
   * Length of the intervals, which begin at full hours or days in UTC: up to 168 hours, or 366 days. Hours are kept for 40
   * days, days for 400.
   */
  @IsOptional()
  @IsIn(INTERVALS)
  @ApiPropertyOptional({ enum: INTERVALS, default: 'day' })
  interval: Interval = 'day';
}
