import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from './engine.js';

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
