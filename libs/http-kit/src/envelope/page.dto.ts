import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { AsNumber, IsValidBy, OptionalFlag, OptionalString } from '../validation/decorators.js';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';

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

const MAX_CURSOR_LENGTH = 4_096;
const DIRECTIONS = ['ASC', 'DESC'] as const;

/** The window of a list whose pages are linked by cursors. */
export class LinkedPageQuery {
  /** The `next` of a page, for the rows after it. */
  @OptionalString(MAX_CURSOR_LENGTH)
  after?: string | null;

  /** The `previous` of a page, for the rows before it. */
  @OptionalString(MAX_CURSOR_LENGTH)
  @IsValidBy('isOnlyCursor', (before, property, body) =>
    before && (body as LinkedPageQuery).after ? [`${property} and after cannot be given together`] : [],
  )
  before?: string | null;

  /** Maximum number of rows. */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 10;

  /** Direction of the order. */
  @ApiPropertyOptional({ enum: DIRECTIONS })
  @IsOptional()
  @IsIn(DIRECTIONS)
  orderDirection: (typeof DIRECTIONS)[number] = 'DESC';

  @OptionalFlag('Whether the row of the cursor is shown as well.')
  includeCursor?: boolean;
}

/** By what the rows of a list are ordered. Several names mean the same order. */
export function OrderedBy(...names: readonly string[]): PropertyDecorator {
  const description = `What the rows are ordered by${names.length > 1 ? '; all of these are the same order' : ''}.`;
  return applyDecorators(IsOptional(), IsIn(names), ApiPropertyOptional({ enum: [...names], description }));
}

/** Fields of linked pages for the OpenAPI document. */
export class LinkedPageMeta {
  /** The `after` of the next page; null on the last page. */
  @ApiProperty({ type: String, nullable: true })
  next: string | null;
  /** The `before` of the previous page; null on the first page. */
  @ApiProperty({ type: String, nullable: true })
  previous: string | null;
  /**
   * Number of rows that match, at most 50,000.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  totalCount: number;
  /** Whether more than 50,000 rows match. */
  totalCountCapped: boolean;
  @ApiHideProperty()
  data: unknown[];
}
