import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

export class Page<T> {
  constructor(
    readonly data: T[],
    readonly page: number,
    readonly pageSize: number,
    readonly hasMore: boolean,
    readonly totalCount?: number,
  ) {}
}

export class PageQuery {
  @Type(() => Number)
  @IsInt()
  @Min(0)
  page: number = 0;

  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 10;
}
