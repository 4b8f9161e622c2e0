import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

export const PERIODS = ['hour', 'day'] as const;
export type Period = (typeof PERIODS)[number];

export class DeliveryHealthQuery {
  /** The last hour in steps of five minutes, or the last day in steps of an hour. */
  @IsOptional()
  @IsIn(PERIODS)
  @ApiPropertyOptional({ enum: PERIODS, default: 'hour' })
  period: Period = 'hour';
}
