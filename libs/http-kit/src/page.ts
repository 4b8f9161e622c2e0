/** One page of a list. The envelope puts the counters beside `data`. */
export class Page<T> {
  constructor(
    readonly data: readonly T[],
    readonly page: number,
    readonly pageSize: number,
    readonly hasMore: boolean,
    readonly totalCount?: number,
  ) {}
}
