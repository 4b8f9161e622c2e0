import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context, Request } from '../commands/context.js';
import { createIndexes } from '../commands/indexes.js';
import { Engine } from './engine.js';

const INDEX_REQUEST = {
  name: 'createIndexes',
  db: 'x',
  command: { createIndexes: 'things', indexes: [{ key: { n: 1 }, name: 'n_1' }] },
} as unknown as Request;

const key = (n: number): Buffer => Buffer.from([9, n]);

describe('countKeys', () => {
  let directory: string;
  let engine: Engine;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'herald-engine-'));
    engine = new Engine(directory);
    await engine.write(() => {
      for (let n = 0; n < 20; n++) engine.put(key(n), Buffer.from('x'));
    });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(directory, { recursive: true });
  });

  it.each([
    [undefined, 10],
    [3, 3],
    [10, 10],
    [11, 10],
  ])('should stop at the limit %s', (limit, expected) => {
    expect(engine.countKeys(key(5), key(15), limit)).toBe(expected);
  });
});

describe('a disk that is nearly full', () => {
  it('should take no writes, keep its data, and take writes again when there is space', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'herald-engine-'));
    let freeBytes = 2 ** 40;
    const engine = new Engine(directory, true, () => freeBytes);
    const put = (n: number): Promise<void> => engine.write(() => engine.put(key(n), Buffer.from('x')));
    await put(1);
    await createIndexes({ engine } as Context, INDEX_REQUEST);
    freeBytes = 31 * 2 ** 20;
    const refused = await Promise.allSettled([put(2), put(3)]);
    for (const result of refused) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 14031, message: expect.stringContaining('the disk is full') as string },
      });
    }
    expect([1, 2, 3].map((n) => engine.has(key(n)))).toEqual([true, false, false]);
    // A program that makes sure of its indexes starts nevertheless.
    await expect(createIndexes({ engine } as Context, INDEX_REQUEST)).resolves.toMatchObject({
      note: 'all indexes already exist',
    });
    freeBytes = 33 * 2 ** 20;
    await put(2);
    expect(engine.has(key(2))).toBe(true);
    await engine.close();
    rmSync(directory, { recursive: true });
  });
});
