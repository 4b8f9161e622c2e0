import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsMongoId, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, IsName } from '#libs/http-kit';

export class ListExecutionDetailsQuery {
  /**
   * Record id of the notification; GET /v1/notifications shows it.
   * @example 64f0c1a2b3c4d5e6f7a8b9c0
   */
  @IsMongoId()
  notificationId: string;

  /**
   * Your identifier of the subscriber.
   * @example ada
   */
  @IsName()
  subscriberId: string;

  /**
   * Page, counted from 0. Without `page` and `limit`, all entries are returned.
   * @example 0
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  page?: number;

  /**
   * Number of rows per page.
   * @example 100
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;
}
