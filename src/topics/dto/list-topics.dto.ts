import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { OptionalString, PageQuery } from '#libs/http-kit';

export class ListTopicsDto extends PageQuery {
  /**
   * Rows on a page; another name of `limit`.
   * @example 10
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  pageSize?: number;

  /**
   * Only the topic with this key.
   * @example order-1042-watchers
   */
  @OptionalString()
  key?: string;
}
