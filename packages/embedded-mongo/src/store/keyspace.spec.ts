import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { after } from '../bson/keys.js';
import { countKeys, documentsPrefix, indexPrefix, LAYOUT } from './keyspace.js';

describe('prefixes', () => {
  it('should keep ids of any size and of both layouts apart', () => {
    const ids = [1, 2, 0xef, 0xf0, 0xf1, 0xff, 0x100, 0xf0f0, 0xffffffff];
    const ranges = ids
      .flatMap((id) => [1, LAYOUT].flatMap((layout) => [documentsPrefix(id, layout), indexPrefix(id, layout)]))
      .map((prefix) => ({ start: prefix, end: after(prefix) }))
      .sort((a, b) => a.start.compare(b.start));
    for (const [at, { end }] of ranges.entries()) {
      const next = ranges[at + 1];
      if (next) expect(end.compare(next.start)).toBeLessThanOrEqual(0);
    }
  });
});

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
