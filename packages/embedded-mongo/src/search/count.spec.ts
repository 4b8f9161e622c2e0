import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from '../bson/codec.js';
import type { Context, Request } from '../commands/context.js';
import { createIndexes } from '../commands/indexes.js';
import { parseFilter } from '../query/parse.js';
import { Engine } from '../store/engine.js';
import { countMatches } from './search.js';

const DOCUMENTS = 3_000;
const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
const INDEX_REQUEST = {
  name: 'createIndexes',
  db: 'x',
  command: { createIndexes: 'runs', indexes: [{ key: { lane: 1, at: 1 }, name: 'lane_at', ...waiting }] },
} as unknown as Request;

describe('countMatches', () => {
  let directory: string;
  let engine: Engine;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'herald-count-'));
    engine = new Engine(directory, false);
    await createIndexes({ engine, log: () => undefined } as unknown as Context, INDEX_REQUEST);
    await engine.write(() => {
      for (let n = 0; n < DOCUMENTS; n++) {
        const wakeAt = n % 3 === 0 ? {} : { wakeAt: n };
        engine.ensure('x.runs').insert(encode({ _id: n, lane: `lane ${n % 2}`, at: n, ...wakeAt }));
      }
    });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(directory, { recursive: true });
  });

  it.each([
    ['one range', { lane: 'lane 0' }, 0, 1_000],
    ['several ranges', { lane: { $in: ['lane 0', 'lane 1', 'lane 2'] } }, 0, 2_000],
    ['several ranges with a limit', { lane: { $in: ['lane 0', 'lane 1', 'lane 2'] } }, 1_500, 1_500],
    ['a range that ends', { lane: { $in: ['lane 0', 'lane 1'] }, at: { $lt: 30 } }, 1_500, 20],
  ])('should count %s of a partial index by keys alone, at once', (_what, where, limit, expected) => {
    const stats = { examined: 0, scanned: false };
    const filter = parseFilter({ ...where, wakeAt: { $exists: true } });
    const collection = engine.find('x.runs');
    if (!collection) throw new Error('no collection');
    const steps = countMatches(engine, collection, { filter, sort: [], skip: 0, limit }, stats);
    expect([...steps]).toEqual([expected]);
    expect(stats).toEqual({ examined: 0, scanned: false });
  });
});
