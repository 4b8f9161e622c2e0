import type { RootDatabase } from 'lmdb';

const FIRST_OFFSET = 256;

/**
 * Number of keys in a range, at most `limit`. LMDB counts to the end of a range whatever the limit, but skips to an offset
 * without further ado: past the end of the range, too, so that the offset grows with what is found there.
 */
export function countKeys(lmdb: RootDatabase<Buffer, Buffer>, start: Buffer, end: Buffer, limit?: number): number {
  const hasKeyAt = (offset: number): boolean => [...lmdb.getKeys({ start, end, offset, limit: 1 })].length > 0;
  if (limit !== undefined) {
    for (let offset = Math.min(FIRST_OFFSET, limit); hasKeyAt(offset); offset = Math.min(offset * 8, limit)) {
      if (offset === limit) return limit;
    }
  }
  return lmdb.getKeysCount({ start, end });
}
