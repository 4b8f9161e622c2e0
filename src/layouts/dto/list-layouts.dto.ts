import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, PageQuery } from '#libs/http-kit';

export const LAYOUT_SORT_FIELDS = ['createdAt', 'updatedAt', 'name', 'identifier'] as const;

export class ListLayoutsDto extends PageQuery {
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

  /** Field to sort by. */
  @ApiPropertyOptional({ enum: LAYOUT_SORT_FIELDS, default: 'createdAt' })
  @IsOptional()
  @IsIn(LAYOUT_SORT_FIELDS)
  sortBy?: (typeof LAYOUT_SORT_FIELDS)[number];

  @ApiPropertyOptional({ type: 'integer', enum: [1, -1], default: -1, description: '1 sorts upwards, -1 downwards.' })
  @IsOptional()
  @AsNumber()
  @IsIn([1, -1])
  orderBy?: 1 | -1;
}
