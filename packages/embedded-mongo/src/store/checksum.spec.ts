import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObjectId } from 'bson';
import { encode } from '../bson/codec.js';
import { encodeId } from '../bson/keys.js';
import { KIND } from '../bson/values.js';
import { parseFilter } from '../query/parse.js';
import { search } from '../search/search.js';
import { createIndexes } from '../commands/indexes.js';
import type { Context, Request } from '../commands/context.js';
import { sealed, sealedEntry, unsealedDocument, unsealedEntry } from './checksum.js';
import type { Collection } from './collection.js';
import { Engine } from './engine.js';
import { verify, type VerifyTotals } from './verify.js';

const KEY = Buffer.from('d\x05some key');
const DOCUMENT = encode({ _id: 1, text: 'what was stored', inner: { list: [1, 2, 3] } });

/** Every form of the bytes with one bit turned round. */
function* withOneBitFlipped(bytes: Buffer): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    yield flipped;
  }
}

describe('checksums', () => {
  it('should tell every flipped bit of a document, also where its length would make it one without a checksum', () => {
    expect(unsealedDocument(KEY, sealed(KEY, DOCUMENT))).toEqual(DOCUMENT);
    for (const flipped of withOneBitFlipped(sealed(KEY, DOCUMENT)))
      expect(unsealedDocument(KEY, flipped)).toBeUndefined();
  });

  it('should tell a document under the key of another one', () => {
    for (const other of withOneBitFlipped(KEY)) expect(unsealedDocument(other, sealed(KEY, DOCUMENT))).toBeUndefined();
  });

  it('should give documents of earlier versions, which have none', () => {
    expect(unsealedDocument(KEY, DOCUMENT)).toBe(DOCUMENT);
    expect(unsealedDocument(KEY, DOCUMENT.subarray(0, -1))).toBeUndefined();
    expect(unsealedDocument(KEY, Buffer.alloc(0))).toBeUndefined();
  });

  it.each([
    ['no _id', Buffer.alloc(0)],
    ['an _id', encodeId(new ObjectId()).bytes],
  ])('should tell every flipped bit of an index entry with %s', (_, id) => {
    const stored = sealedEntry(KEY, id);
    expect(unsealedEntry(KEY, stored)).toEqual(id);
    for (const other of withOneBitFlipped(KEY)) expect(unsealedEntry(other, stored)).toBeUndefined();
    for (const flipped of withOneBitFlipped(stored)) {
      const read = unsealedEntry(KEY, flipped);
      // a flipped mark leaves what no version has written
      if (read) expect(read).toHaveLength(stored.length);
    }
  });

  it('should give entries of earlier versions, whichever kind of _id they begin with', () => {
    for (const kind of Object.values(KIND)) {
      const stored = Buffer.from([kind, 1, 2, 3, 4]);
      expect(unsealedEntry(KEY, stored)).toBe(stored);
    }
  });
});

describe('damage', () => {
  let directory: string;
  let engine: Engine;
  const told: string[] = [];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'embedded-checksum-'));
    told.length = 0;
    engine = new Engine(directory, false, undefined, (message) => told.push(message));
    const indexes = [
      { key: { name: 1 }, name: 'name', unique: true },
      { key: { group: 1, n: -1 }, name: 'group' },
    ];
    const request = { name: 'createIndexes', db: 'x', command: { createIndexes: 'things', indexes } };
    await createIndexes({ engine } as Context, request as unknown as Request);
    await engine.write(() => {
      for (let n = 0; n < 20; n++) things().insert(encode({ _id: n, name: `name-${n}`, group: n % 2, n }));
    });
  });

  afterEach(async () => {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const things = (): Collection => engine.ensure('x.things');
  const keyOf = (n: number): Buffer => things().keyOf(encodeId(n).bytes);
  const entryOf = (index: number, n: number): Buffer =>
    things().entriesOf(encodeId(n).bytes, things().get(encodeId(n).bytes) as Buffer)[index]?.[0] as Buffer;
  const find = (filter: object, hint?: string): number => {
    const request = { filter: parseFilter(filter), sort: [], skip: 0, limit: 0, ...(hint !== undefined && { hint }) };
    let found = 0;
    for (const batch of search(engine, things(), request, { examined: 0, scanned: false })) found += batch.length;
    return found;
  };
  const verified = (): { found: string[]; totals: VerifyTotals } => {
    const found: string[] = [];
    const totals = verify(engine, { damage: (sentence) => found.push(sentence), progress: () => undefined });
    return { found, totals };
  };
  /** Behind the back of the collection. */
  const damage = (run: () => void): Promise<void> => engine.write(run);
  const flip = (key: Buffer): Promise<void> =>
    damage(() => {
      const stored = Buffer.from(engine.get(key) as Buffer);
      stored[stored.length - 6] = (stored[stored.length - 6] as number) ^ 4;
      engine.put(key, stored);
    });

  it('should find none in a sound store', () => {
    expect(verified()).toEqual({ found: [], totals: { collections: 1, documents: 20, entries: 40, unsealed: 0 } });
    expect([engine.damage.count, told]).toEqual([0, []]);
  });

  it.each([
    ['a scan of all', () => find({})],
    ['a scan that tests', () => find({ n: { $gte: 0 } }, '_id_')],
    ['its key', () => find({ _id: 7 })],
    ['a unique index', () => find({ name: 'name-7' })],
    ['an index', () => find({ group: 1 })],
    ['a change', () => things().get(encodeId(7).bytes)],
    ['an index that is built', () => [...things().documents.range({ start: keyOf(0), end: keyOf(19) })]],
  ])('should be refused by %s, told once, and counted', async (_path, read) => {
    await flip(keyOf(7));
    const message = 'the document with _id 0x14c01c0000000000008000 of x.things is not as it was stored';
    expect(read).toThrow(
      expect.objectContaining({ code: 246, message: `damaged data: ${message}; restore a backup` }) as Error,
    );
    expect(read).toThrow(message);
    expect([engine.damage.count, told.length]).toEqual([2, 1]);
    expect(verified().found).toEqual([`${message}.`]);
  });

  it('should be a document under the key of another one', async () => {
    await damage(() => engine.put(keyOf(7), engine.get(keyOf(8)) as Buffer));
    expect(() => find({ _id: 7 })).toThrow('is not as it was stored');
    expect(find({ _id: 8 })).toBe(1);
  });

  it.each([
    ['unique', 0, { name: 'name-7' }],
    ['other', 1, { group: 1 }],
  ])('should be an entry of an index that leads to another document: %s', async (_kind, index, filter) => {
    const stored = engine.get(entryOf(index, 8)) as Buffer;
    await damage(() => engine.put(entryOf(index, 7), stored));
    expect(() => find(filter)).toThrow('is not as it was stored');
    expect(verified().found).toEqual([expect.stringMatching(/^the entry \w+ of the index \w+ of x.things is not as/)]);
  });

  it.each([
    ['unique', 0, { name: 'name-7' }],
    ['other', 1, { group: 1 }],
  ])('should be an entry of an index that leads to no document: %s', async (_kind, index, filter) => {
    const entry = entryOf(index, 7);
    await damage(() => engine.remove(keyOf(7)));
    expect(() => find(filter)).toThrow(`the entry ${entry.toString('hex', 2)} of the index`);
    const { found } = verified();
    expect(found).toEqual([
      'x.things has 19 documents and counts 20.',
      expect.stringMatching(/of the index name of x.things leads to no document\.$/),
      expect.stringMatching(/of the index group of x.things leads to no document\.$/),
    ]);
  });

  it('should not be an entry whose document was removed since it was read', async () => {
    const request = {
      filter: parseFilter({ group: { $in: [0, 1] } }),
      sort: [{ path: ['n'], direction: 1 as const }],
      skip: 0,
      limit: 0,
    };
    const steps = search(engine, things(), request, { examined: 0, scanned: false });
    expect(steps.next().value).toHaveLength(20);
    await engine.write(() => things().remove(encodeId(7).bytes, things().get(encodeId(7).bytes) as Buffer));
    await engine.write(() => engine.forget(things()));
    expect(steps.next().done).toBe(true);
  });

  it('should be a document that an index lacks, which only verify tells', async () => {
    await damage(() => engine.remove(entryOf(1, 7)));
    expect(find({ group: 1 }, 'group')).toBe(9);
    expect(verified().found[0]).toMatch(/^the document with _id .* of x\.things is missing in the index group\.$/);
  });

  it('should be an entry too many, which only verify tells', async () => {
    const entry = Buffer.concat([entryOf(1, 7).subarray(0, -11), encodeId(8).bytes]);
    await damage(() => engine.put(entry, sealedEntry(entry, encodeId(8).bytes)));
    expect(verified().found).toEqual(['the index group of x.things has 21 entries, and its documents have 20.']);
  });

  it.each(['the description of the collection x.things', 'the record 4e'])(
    'should keep the store from being opened: %s',
    async (what) => {
      await flip(what.endsWith('things') ? Buffer.from('Cx.things') : Buffer.from('N\0\0\0\x01', 'latin1'));
      expect(() => new Engine(directory, false)).toThrow(what);
    },
  );

  it('should leave documents of earlier versions readable until they change, and count them', async () => {
    await damage(() => engine.put(keyOf(7), (engine.get(keyOf(7)) as Buffer).subarray(0, -4)));
    expect([find({ _id: 7 }), verified().totals.unsealed]).toEqual([1, 1]);
    await engine.write(() => {
      const before = things().get(encodeId(7).bytes) as Buffer;
      things().replace(encodeId(7).bytes, before, encode({ _id: 7, name: 'name-7', group: 1, n: 7, more: true }));
    });
    expect(verified()).toMatchObject({ found: [], totals: { unsealed: 0 } });
  });
});
