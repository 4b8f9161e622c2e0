import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, ObjectId } from 'bson';
import fc from 'fast-check';
import { decode, encode } from '../bson/codec.js';
import { after } from '../bson/keys.js';
import { StoreError } from '../errors.js';
import { SUM_BYTES } from './checksum.js';
import { SAMPLE_SIZE } from './dictionary.js';
import { Engine } from './engine.js';
import { FORMAT_NAME } from './format.js';
import { CATALOG_RANGE, catalogKey } from './keyspace.js';

const NS = 'db.messages';

const make = (n: number): Buffer =>
  Buffer.from(
    BSON.serialize({
      _id: new ObjectId(),
      recipientOfMessage: `somebody-${n}`,
      channelOfMessage: 'in_app',
      createdAt: new Date(1.7e12 + n),
      contentOfMessage: `Hello ${n}`,
      stepsOfMessage: [{ nameOfStep: 'first', finishedAt: new Date(1.7e12) }],
    }),
  );

describe('compressed documents', () => {
  let directory: string;
  let engine: Engine;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'embedded-compression-'));
    engine = new Engine(directory, false);
  });

  afterEach(async () => {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const insert = (raws: Buffer[]): Promise<void> =>
    engine.write(() => {
      const collection = engine.ensure(NS);
      for (const raw of raws) collection.insert(raw);
    });
  const many = (count: number, from = 0): Buffer[] => Array.from({ length: count }, (_, i) => make(from + i));
  const collection = (): NonNullable<ReturnType<Engine['find']>> => {
    const found = engine.find(NS);
    if (!found) throw new Error('no such collection');
    return found;
  };
  const range = (): { start: Buffer; end: Buffer } => ({
    start: collection().prefix,
    end: after(collection().prefix),
  });
  /** As they are on disk. */
  const stored = (): Buffer[] => [...engine.range(range())].map(({ value }) => value);
  const read = (): Buffer[] => [...collection().documents.range(range())].map(({ value }) => value);
  const reopen = async (): Promise<void> => {
    await engine.close();
    engine = new Engine(directory, false);
  };

  it('should begin once there are documents to learn from, and leave those as they are', async () => {
    const first = many(SAMPLE_SIZE);
    await insert(first);
    const second = many(100, SAMPLE_SIZE);
    await insert(second);
    const lengths = stored().map(({ length }) => length);
    expect(lengths.slice(0, SAMPLE_SIZE)).toEqual(first.map(({ length }) => length + SUM_BYTES));
    for (const [at, length] of lengths.slice(SAMPLE_SIZE).entries())
      expect(length).toBeLessThan((second[at] as Buffer).length * 0.7);
    expect(read()).toEqual([...first, ...second]);
  });

  it('should read the same after a restart, one by one and in reverse order', async () => {
    const all = many(SAMPLE_SIZE);
    await insert(all);
    const more = many(50, 1000);
    await insert(more);
    await reopen();
    expect(read()).toEqual([...all, ...more]);
    const reverse = [...collection().documents.range({ ...range(), reverse: true, limit: 3 })];
    expect(reverse.map(({ value }) => value)).toEqual(more.slice(-3).reverse());
    for (const { key, value } of reverse) expect(collection().get(key.subarray(2))).toEqual(value);
  });

  it('should take documents of any size and content', async () => {
    await insert(many(SAMPLE_SIZE));
    const document = fc.record({ filler: fc.uint8Array({ maxLength: 300 }), text: fc.string(), deep: fc.object() });
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 5 }), async (docs) => {
        const raws = docs.map((doc) => Buffer.from(BSON.serialize({ _id: new ObjectId(), ...doc })));
        await insert(raws);
        expect(read().slice(-raws.length)).toEqual(raws);
      }),
    );
    const large = [2_000, 5_000, 70_000, 3_000_000].map((length) =>
      Buffer.from(
        BSON.serialize({ _id: new ObjectId(), noise: new Uint8Array(length).map(() => Math.random() * 256) }),
      ),
    );
    await insert(large);
    expect(
      read()
        .slice(-large.length)
        .every((raw, at) => raw.equals(large[at] as Buffer)),
    ).toBe(true);
  });

  it('should change and remove documents of both forms', async () => {
    await insert(many(SAMPLE_SIZE));
    await insert(many(SAMPLE_SIZE, 1000));
    const entries = [...collection().documents.range(range())].map(({ key, value }) => ({
      id: key.subarray(2),
      value,
    }));
    await engine.write(() => {
      for (const { id, value } of entries) {
        const changed = encode({ ...decode(value), contentOfMessage: 'changed' });
        expect(collection().replace(id, value, changed)).toBe(true);
      }
    });
    expect(new Set(read().map((raw) => decode(raw).contentOfMessage))).toEqual(new Set(['changed']));
    await engine.write(() => {
      for (const { id } of entries) collection().remove(id, collection().get(id) as Buffer);
    });
    expect([stored(), collection().count, collection().bytes]).toEqual([[], 0, 0]);
  });

  it('should refuse a second document with the same _id', async () => {
    const all = many(SAMPLE_SIZE);
    await insert(all);
    const [added] = many(1, 5000);
    await insert([added as Buffer]);
    for (const raw of [all[0], added]) await expect(insert([raw as Buffer])).rejects.toThrow(StoreError);
    expect([collection().count, read().length]).toEqual([SAMPLE_SIZE + 1, SAMPLE_SIZE + 1]);
  });

  it('should learn again when the transaction that learnt was undone', async () => {
    await insert(many(SAMPLE_SIZE - 1));
    const failing = engine.write(() => {
      collection().insert(make(1));
      collection().learn();
      throw new Error('undo');
    });
    await expect(failing).rejects.toThrow('undo');
    expect([collection().count, collection().record.dictionary]).toEqual([SAMPLE_SIZE - 1, undefined]);
    await insert(many(2));
    const [last] = many(1, 7);
    await insert([last as Buffer]);
    await reopen();
    expect(read().at(-1)).toEqual(last);
  });

  it('should be read by a search that began before an undone transaction', async () => {
    await insert(many(10));
    const held = collection();
    await expect(engine.write(undo)).rejects.toThrow('undo');
    await insert(many(SAMPLE_SIZE));
    const [last] = many(1, 7);
    await insert([last as Buffer]);
    expect([...held.documents.range(range())].at(-1)?.value).toEqual(last);
  });

  it('should be refused by this version and by earlier ones if a newer version wrote the data', async () => {
    await insert(many(SAMPLE_SIZE));
    const record = [...engine.range(CATALOG_RANGE)].find(({ key }) => key.equals(catalogKey(FORMAT_NAME)));
    const { format, ...rest } = decode(record?.value as Buffer);
    expect(Number(format)).toBe(3);
    await engine.write(() => engine.put(catalogKey(FORMAT_NAME), encode({ format: 4, ...rest })));
    expect(() => new Engine(directory, false)).toThrow(/newer version of the embedded store/);
    // what an earlier version does with a record that it does not know
    await engine.write(() => {
      engine.remove(catalogKey(FORMAT_NAME));
      engine.put(catalogKey('earlier.view'), encode(rest));
    });
    expect(() => new Engine(directory, false)).toThrow(/written by a newer version/);
    await engine.write(() => engine.remove(catalogKey('earlier.view')));
  });

  it('should mark data with the first write, and not when it is opened', async () => {
    await engine.sweep();
    expect(engine.get(catalogKey(FORMAT_NAME))).toBeUndefined();
    await insert(many(1));
    expect(engine.get(catalogKey(FORMAT_NAME))).toBeDefined();
    await reopen();
    expect(read()).toHaveLength(1);
  });
});

function undo(): never {
  throw new Error('undo');
}
