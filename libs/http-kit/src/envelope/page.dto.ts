import { ApiHideProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AsNumber } from '../validation/decorators.js';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

/** `page` and `limit` of a list. */
export class PageQuery {
  /**
   * Page, counted from 0.
   * @example 0
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  page: number = 0;

  /**
   * Number of rows per page.
   * @example 10
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 10;
}

/** Page metadata for the OpenAPI document. */
export class PageMeta {
  /**
   * Page, counted from 0.
   * @example 0
   */
  page: number;
  /**
   * Maximum number of rows per page.
   * @example 10
   */
  pageSize: number;
  /** Whether there are more pages. */
  hasMore: boolean;
  @ApiHideProperty()
  data: unknown[];
}
