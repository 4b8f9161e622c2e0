import type { RootDatabase } from 'lmdb';

export interface RangeOptions {
  start: Buffer;
  end: Buffer;
  reverse?: boolean;
  limit?: number;
}

type RangeQuery = NonNullable<Parameters<RootDatabase['getRange']>[0]>;

/** The library's reverse range goes down from its start, so that the ends swap with their inclusiveness. */
export function bounds({ start, end, reverse = false, limit }: RangeOptions): RangeQuery {
  const extra = limit === undefined ? {} : { limit };
  if (!reverse) return { start, end, ...extra };
  return { start: end, exclusiveStart: true, end: start, inclusiveEnd: true, reverse: true, ...extra };
}
