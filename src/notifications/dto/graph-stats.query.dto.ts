import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber } from '#libs/http-kit';

export class GraphStatsQuery {
  /**
   * Number of days to look back.
   * @example 32
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(366)
  days: number = 32;
}
