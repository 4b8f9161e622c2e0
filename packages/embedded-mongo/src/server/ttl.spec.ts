import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from '../bson/codec.js';
import type { Context, Request } from '../commands/context.js';
import { createIndexes } from '../commands/indexes.js';
import { Engine } from '../store/engine.js';
import { TtlMonitor } from './ttl.js';

const NEVER_MS = 3_600_000;
const SLOW_MS = 10;
const EXPIRED = 1_250;
const KEPT = 50;
const INDEX_REQUEST = {
  name: 'createIndexes',
  db: 'x',
  command: { createIndexes: 'things', indexes: [{ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 0 }] },
} as unknown as Request;

describe('TtlMonitor', () => {
  let directory: string;
  let engine: Engine;
  let monitor: TtlMonitor;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'herald-ttl-'));
    engine = new Engine(directory, false);
    const context = { engine, store: engine, log: () => undefined } as unknown as Context;
    await createIndexes(context, INDEX_REQUEST);
    await engine.write(() => {
      for (let n = 0; n < EXPIRED + KEPT; n++) {
        const at = new Date(n < EXPIRED ? 1_000 + n : Date.now() + NEVER_MS);
        engine.ensure('x.things').insert(encode({ _id: n, at }));
      }
    });
    monitor = new TtlMonitor(context, NEVER_MS);
  });
  afterEach(async () => {
    monitor.stop();
    await engine.close();
    rmSync(directory, { recursive: true });
  });

  it('should remove what has expired, and leave the store to others for as long as each transaction took', async () => {
    const writes: { began: number; ended: number; removed: number }[] = [];
    const write = engine.write.bind(engine);
    const counted = () => engine.find('x.things')?.count ?? 0;
    engine.write = async (operation) => {
      const [began, before] = [performance.now(), counted()];
      const result = await write(() => {
        // A transaction that takes its time.
        while (performance.now() < began + SLOW_MS);
        return operation();
      });
      writes.push({ began, ended: performance.now(), removed: before - counted() });
      return result;
    };
    expect(await monitor.sweep()).toBe(EXPIRED);
    expect(counted()).toBe(KEPT);
    expect(Math.max(...writes.map(({ removed }) => removed))).toBeLessThanOrEqual(100);
    const pauses = writes.slice(1).map(({ began }, at) => began - (writes[at]?.ended ?? 0));
    // Without a pause it is a millisecond or two; timers round.
    expect(Math.min(...pauses)).toBeGreaterThan(SLOW_MS / 2);
  });

  it('should remove by an index that is hidden from searches', async () => {
    const indexes = [{ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 0, hidden: true }];
    const command = { createIndexes: 'others', indexes };
    await createIndexes({ engine } as Context, { ...INDEX_REQUEST, command });
    await engine.write(() => engine.ensure('x.others').insert(encode({ _id: 1, at: new Date(0) })));
    await monitor.sweep();
    expect(engine.find('x.others')?.count).toBe(0);
  });

  it('should remove no more once it is stopped', async () => {
    const write = engine.write.bind(engine);
    engine.write = (operation) => {
      monitor.stop();
      return write(operation);
    };
    const removed = await monitor.sweep();
    expect(removed).toBeGreaterThan(0);
    expect(removed).toBeLessThanOrEqual(100);
    expect(engine.find('x.things')?.count).toBe(EXPIRED + KEPT - removed);
  });
});
