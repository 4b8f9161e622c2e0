import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, ObjectId } from 'bson';
import { open } from 'lmdb';
import { after } from '../bson/keys.js';
import { boundaryKey } from './boundary.js';
import type { Collection } from './collection.js';
import { SAMPLE_SIZE } from './dictionary.js';
import { Engine } from './engine.js';

const PAYLOAD_BYTES = 200;

describe('setApart', () => {
  let directory: string;
  let engine: Engine;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'herald-boundary-'));
    engine = new Engine(directory, false);
  });
  afterEach(async () => {
    await engine.close();
    rmSync(directory, { recursive: true });
  });

  const ensure = (name: string): Promise<Collection> => engine.write(() => engine.ensure(`x.${name}`));
  const named = (name: string): Collection => engine.find(`x.${name}`) as Collection;
  async function insert(name: string, count: number): Promise<void> {
    for (let left = count; left > 0; left -= 50) {
      await engine.write(() => {
        for (let n = 0; n < Math.min(left, 50); n++) engine.ensure(`x.${name}`).insert(document());
      });
    }
  }
  const document = (): Buffer =>
    Buffer.from(BSON.serialize({ _id: new ObjectId(), payload: randomBytes(PAYLOAD_BYTES) }));
  const stoneOf = ({ record }: Collection): Buffer => boundaryKey(record.id, record.layout);
  const keysOf = ({ prefix }: Collection): Buffer[] => [...engine.keys({ start: prefix, end: after(prefix) })];
  async function leafPages(): Promise<number> {
    await engine.close();
    const lmdb = open({ path: directory, readOnly: true });
    const { treeLeafPageCount } = lmdb.getStats() as { treeLeafPageCount: number };
    await lmdb.close();
    engine = new Engine(directory, false);
    return treeLeafPageCount;
  }

  it('should let ascending documents fill their pages, although others lie behind them', async () => {
    await ensure('events');
    await engine.write(() => engine.nextId());
    await insert('later', 20);
    await insert('events', SAMPLE_SIZE);
    const before = await leafPages();
    await insert('events', 3_000);
    const content = 3_000 * document().length;
    expect(((await leafPages()) - before) * 4096).toBeLessThan(content * 1.25);
    expect(keysOf(named('events'))).toHaveLength(SAMPLE_SIZE + 3_000);
  });

  it('should leave nothing but one key, in no collection', async () => {
    await ensure('first');
    await insert('first', SAMPLE_SIZE);
    const second = await ensure('second');
    expect(second.record.id).toBeGreaterThan(named('first').record.id + 1);
    expect(keysOf(second)).toEqual([]);
    expect(keysOf(named('first'))).toHaveLength(SAMPLE_SIZE);
    const behind = [...engine.keys({ start: after(named('first').prefix), end: second.prefix })];
    expect(behind).toEqual([stoneOf(named('first'))]);
  });

  it('should not put its key among the documents of another collection', async () => {
    const [first, second] = [await ensure('first'), await ensure('second')];
    expect(second.record.id).toBe(first.record.id + 1);
    await insert('second', 10);
    await insert('first', SAMPLE_SIZE);
    expect(keysOf(second)).toHaveLength(10);
  });

  it('should do it in a folder of an earlier version, with the next change of the number of documents', async () => {
    await ensure('events');
    await insert('events', SAMPLE_SIZE);
    await engine.write(() => engine.remove(stoneOf(named('events'))));
    await engine.close();
    engine = new Engine(directory, false);
    expect(engine.has(stoneOf(named('events')))).toBe(false);
    await insert('events', 1);
    expect(engine.has(stoneOf(named('events')))).toBe(true);
  });

  it('should remove its key with the collection', async () => {
    await ensure('events');
    await insert('events', SAMPLE_SIZE);
    await engine.write(() => engine.forget(named('events')));
    await engine.sweep();
    expect([...engine.keys({ start: Buffer.from('d'), end: Buffer.from('e') })]).toEqual([]);
  });
});
