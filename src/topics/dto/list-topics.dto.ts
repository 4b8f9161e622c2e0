import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, OptionalString, PageQuery } from '#libs/http-kit';

export class ListTopicsDto extends PageQuery {
  /**
   * Number of rows on a page; another name of `limit`.
   * @example 10
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(100)
  pageSize?: number;

  /**
   * Only the topic with this key.
   * @example order-4711-watchers
   */
  @OptionalString()
  key?: string;
}
