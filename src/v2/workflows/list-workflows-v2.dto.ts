import { ApiHideProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, OptionalString } from '#libs/http-kit';
import { NotServedField } from '../not-served/index.js';

const ORDERS = ['createdAt', 'updatedAt', 'name', 'lastTriggeredAt'] as const;

export class ListWorkflowsV2Query {
  /** Maximum number of rows. */
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(100)
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: 50 })
  limit: number = 50;

  /** Number of workflows before the first row. */
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 })
  offset: number = 0;

  /**
   * Only workflows whose name or trigger identifier contains this text.
   * @example order
   */
  @OptionalString()
  query?: string | null;

  /** What the rows are ordered by: `createdAt`. */
  @IsOptional()
  @IsIn(ORDERS)
  @ApiPropertyOptional({ enum: ['createdAt'] })
  orderBy?: (typeof ORDERS)[number];

  /** Direction of the order: `DESC`. */
  @IsOptional()
  @IsIn(['ASC', 'DESC'])
  @ApiPropertyOptional({ enum: ['DESC'] })
  orderDirection?: 'ASC' | 'DESC';

  @ApiHideProperty()
  @NotServedField()
  tags?: unknown;

  @ApiHideProperty()
  @NotServedField()
  status?: unknown;
}
