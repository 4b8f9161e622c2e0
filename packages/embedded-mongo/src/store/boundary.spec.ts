import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, Int32, ObjectId } from 'bson';
import { open } from 'lmdb';
import { encode, type Doc } from '../bson/codec.js';
import { after } from '../bson/keys.js';
import type { Context, Request } from '../commands/context.js';
import { insert as insertCommand } from '../commands/crud.js';
import { createIndexes, dropIndexes } from '../commands/indexes.js';
import { boundaryKey, endOfDocuments, endOfEntries } from './boundary.js';
import type { Collection } from './collection.js';
import { SAMPLE_SIZE } from './dictionary.js';
import { Engine } from './engine.js';
import type { Index } from './index.js';

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
  const stoneOf = ({ record }: Collection): Buffer => boundaryKey(endOfDocuments(record));
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

  describe('of indexes by which documents expire', () => {
    const EXPIRY = { key: { at: 1 }, name: 'at', expireAfterSeconds: 0 };
    const command = (name: string, fields: object): [Context, Request] => [
      { engine, store: engine } as unknown as Context,
      { name, db: 'x', command: fields } as unknown as Request,
    ];
    const create = (collection: string, ...indexes: object[]): Promise<unknown> =>
      createIndexes(...command('createIndexes', { createIndexes: collection, indexes }));
    const dropIndex = (collection: string, index: string): Promise<unknown> =>
      dropIndexes(...command('dropIndexes', { dropIndexes: collection, index }));
    const insertAtOnce = (collection: string, documents: Doc[], ordered = false): Promise<Doc> => {
      const [context, request] = command('insert', { insert: collection, ordered });
      return insertCommand(context, { ...request, documents: documents.map((document) => encode(document)) });
    };
    let clock = 0;
    async function insertDated(name: string, count: number): Promise<void> {
      for (let left = count; left > 0; left -= 50) {
        await engine.write(() => {
          const collection = engine.ensure(`x.${name}`);
          for (let n = 0; n < Math.min(left, 50); n++)
            collection.insert(encode({ _id: new ObjectId(), at: new Date(clock++) }));
        });
      }
    }
    const indexOf = (name: string, index = 'at'): Index =>
      named(name).indexes.find((one) => one.name === index) as Index;
    const hasStone = ({ record }: Index): boolean => engine.has(boundaryKey(endOfEntries(record)));
    const entriesOf = ({ prefix }: Index): Buffer[] => [...engine.keys({ start: prefix, end: after(prefix) })];
    /** All keys of entries and stones of indexes. */
    const allKeys = (): Buffer[] => [...engine.keys({ start: Buffer.from('i'), end: Buffer.from('j') })];
    async function reopen(): Promise<void> {
      await engine.close();
      engine = new Engine(directory, false);
    }

    it('should let entries in the order of time fill their pages, although others lie behind them', async () => {
      await create('events', EXPIRY);
      await create('kept', { key: { at: 1 }, name: 'at' });
      await create('later', { key: { at: 1 }, name: 'at' });
      await insertDated('later', 20);
      await insertDated('events', SAMPLE_SIZE);
      await insertDated('kept', SAMPLE_SIZE);
      const pages = [await leafPages()];
      for (const name of ['kept', 'events']) {
        await insertDated(name, 5_000);
        pages.push(await leafPages());
      }
      const [before = 0, between = 0, after = 0] = pages;
      const entries = 5_000 * (entriesOf(indexOf('events'))[0]?.length ?? 0);
      expect(between - before - (after - between)).toBeGreaterThan((entries * 0.75) / 4096);
      expect(entriesOf(indexOf('events'))).toHaveLength(SAMPLE_SIZE + 5_000);
    });

    it('should let entries of one time that come together fill their pages, whatever their ids', async () => {
      await create('events', EXPIRY);
      await create('kept', { key: { at: 1 }, name: 'at' });
      await create('later', { key: { at: 1 }, name: 'at' });
      for (const name of ['later', 'kept', 'events']) await insertDated(name, SAMPLE_SIZE);
      const batches = Array.from({ length: 50 }, () => {
        const at = new Date(clock++);
        return Array.from({ length: 100 }, () => ({ _id: new ObjectId(randomBytes(12)), at }));
      });
      const pages = [await leafPages()];
      for (const name of ['kept', 'events']) {
        for (const documents of batches) expect(await insertAtOnce(name, documents)).toEqual({ n: new Int32(100) });
        pages.push(await leafPages());
      }
      const [before = 0, between = 0, after = 0] = pages;
      const entries = 5_000 * (entriesOf(indexOf('events'))[0]?.length ?? 0);
      expect(between - before - (after - between)).toBeGreaterThan((entries * 0.75) / 4096);
      expect(entriesOf(indexOf('events'))).toHaveLength(SAMPLE_SIZE + 5_000);
    });

    it.each([
      ['ordered', true, 2],
      ['unordered', false, 3],
    ])(
      'should have an entry of each document that was inserted, before and after one that was not: %s',
      async (_how, ordered, stored) => {
        await create('events', EXPIRY);
        const documents = [4, 3, 4, 1].map((_id) => ({ _id, at: new Date(_id) }));
        expect(await insertAtOnce('events', documents, ordered)).toMatchObject({
          n: new Int32(stored),
          writeErrors: [{ index: new Int32(2) }],
        });
        expect(entriesOf(indexOf('events'))).toHaveLength(stored);
        expect(keysOf(named('events'))).toHaveLength(stored);
        await insertDated('events', 1);
        expect(entriesOf(indexOf('events'))).toHaveLength(stored + 1);
      },
    );

    it('should let a unique one refuse documents of one command', async () => {
      await create('events', { ...EXPIRY, unique: true });
      const at = new Date();
      const reply = await insertAtOnce('events', [
        { _id: 1, at },
        { _id: 2, at },
      ]);
      expect(reply).toMatchObject({ n: new Int32(1), writeErrors: [{ index: new Int32(1), code: new Int32(11000) }] });
    });

    it('should leave nothing but one key, in no index', async () => {
      await create('events', EXPIRY);
      await insertDated('events', SAMPLE_SIZE);
      await create('later', { key: { at: 1 }, name: 'at' });
      expect(indexOf('later').record.id).toBeGreaterThan(indexOf('events').record.id + 1);
      expect(allKeys()).toHaveLength(SAMPLE_SIZE + 1);
      expect(entriesOf(indexOf('events'))).toHaveLength(SAMPLE_SIZE);
      expect(hasStone(indexOf('events'))).toBe(true);
    });

    it('should not put its key among the entries of another index, also of another collection', async () => {
      await create('first', EXPIRY, { key: { at: -1 }, name: 'newest' });
      await engine.write(() => engine.ensure('x.third'));
      await create('second', EXPIRY);
      await create('third', { key: { at: 1 }, name: 'at' });
      expect(indexOf('third').record.id).toBe(indexOf('second').record.id + 1);
      await insertDated('third', 10);
      await insertDated('second', SAMPLE_SIZE);
      await insertDated('first', SAMPLE_SIZE);
      expect(allKeys()).toHaveLength(10 + SAMPLE_SIZE + 2 * SAMPLE_SIZE);
    });

    it('should do it for an index that is created later', async () => {
      await insertDated('events', SAMPLE_SIZE);
      await create('events', EXPIRY);
      await insertDated('events', 1);
      expect(hasStone(indexOf('events'))).toBe(true);
      await create('events', { key: { at: -1 }, name: 'newest' });
      expect(entriesOf(indexOf('events', 'newest'))).toHaveLength(SAMPLE_SIZE + 1);
    });

    it('should do it in a folder of an earlier version, with the next change of the number of documents', async () => {
      await create('events', EXPIRY);
      await insertDated('events', SAMPLE_SIZE);
      await engine.write(() => engine.remove(boundaryKey(endOfEntries(indexOf('events').record))));
      await reopen();
      expect(hasStone(indexOf('events'))).toBe(false);
      await insertDated('events', 1);
      expect(hasStone(indexOf('events'))).toBe(true);
      await reopen();
      await insertDated('events', 1);
      expect(allKeys()).toHaveLength(SAMPLE_SIZE + 2 + 1);
    });

    it('should do it behind an index that was dropped by a process that ended before its entries were removed', async () => {
      await create('events', EXPIRY, { key: { at: -1 }, name: 'newest' });
      await insertDated('events', SAMPLE_SIZE);
      await engine.write(() => {
        const collection = named('events');
        engine.forgetIndex(indexOf('events', 'newest'));
        collection.indexes = [indexOf('events')];
        engine.saveRecord(collection);
      });
      await reopen();
      await insertDated('events', 1);
      await engine.sweep();
      expect(allKeys()).toEqual(entriesOf(indexOf('events')));
      await reopen();
      await insertDated('events', 1);
      expect(hasStone(indexOf('events'))).toBe(true);
      expect(entriesOf(indexOf('events'))).toHaveLength(SAMPLE_SIZE + 2);
    });

    it('should remove its key with the index', async () => {
      await create('events', EXPIRY);
      await insertDated('events', SAMPLE_SIZE);
      await dropIndex('events', 'at');
      expect(allKeys()).toEqual([]);
      await create('events', EXPIRY);
      await insertDated('events', 1);
      expect(hasStone(indexOf('events'))).toBe(true);
      expect(allKeys()).toHaveLength(SAMPLE_SIZE + 1 + 1);
    });

    it('should remove its key with the collection', async () => {
      await create('events', EXPIRY);
      await insertDated('events', SAMPLE_SIZE);
      await engine.write(() => engine.forget(named('events')));
      await engine.sweep();
      expect(allKeys()).toEqual([]);
    });
  });
});
