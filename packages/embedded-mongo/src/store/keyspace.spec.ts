import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { countKeys } from './keyspace.js';

describe('countKeys', () => {
  const path = mkdtempSync(join(tmpdir(), 'count-keys-'));
  let lmdb: RootDatabase<Buffer, Buffer>;

  beforeAll(async () => {
    lmdb = open<Buffer, Buffer>({ path, keyEncoding: 'binary', encoding: 'binary' });
    for (let i = 0; i < 5_000; i++) void lmdb.put(key(i), Buffer.from('x'));
    await lmdb.flushed;
  });
  afterAll(async () => {
    await lmdb.close();
    rmSync(path, { recursive: true });
  });

  const key = (i: number): Buffer => Buffer.from(`key-${String(i).padStart(6, '0')}`);
  const count = (from: number, to: number, limit?: number): number => countKeys(lmdb, key(from), key(to), limit);

  it('should count the keys of a range, the end not included', () => {
    expect([count(0, 0), count(0, 1), count(100, 3_100), count(0, 9_000)]).toEqual([0, 1, 3_000, 5_000]);
  });

  it.each([0, 1, 255, 256, 257, 2_048, 2_999, 3_000, 3_001, 100_000])('should stop at a limit of %d', (limit) => {
    expect(count(100, 3_100, limit)).toBe(Math.min(limit, 3_000));
    expect(count(100, 103, limit)).toBe(Math.min(limit, 3));
  });
});
