import { startTestServer, type TestServer } from '../test/support/server.js';

interface Row {
  _id: number;
  k?: string;
  n?: number;
}

describe('stages that write, and what else names and fills collections', () => {
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
  });

  afterAll(async () => {
    await running.stop();
  });

  const db = () => running.client.db('writing');
  const rows = (name: string) => db().collection<Row>(name);

  beforeEach(async () => {
    await db().dropDatabase();
    await rows('from').insertMany([
      { _id: 1, k: 'a', n: 1 },
      { _id: 2, k: 'b', n: 2 },
    ]);
    await rows('into').createIndex({ k: 1 }, { unique: true, name: 'k' });
    await rows('into').insertMany([
      { _id: 1, k: 'a', n: 10 },
      { _id: 9, k: 'z', n: 90 },
    ]);
  });

  const into = (): Promise<Row[]> => rows('into').find().sort({ _id: 1 }).toArray();

  it('should replace a collection by $out as a whole, with its indexes, or leave it as it was', async () => {
    await rows('from')
      .aggregate([{ $out: 'into' }])
      .toArray();
    expect(await into()).toEqual([
      { _id: 1, k: 'a', n: 1 },
      { _id: 2, k: 'b', n: 2 },
    ]);
    expect((await rows('into').indexes()).map(({ name }) => name)).toEqual(['_id_', 'k']);
    await expect(rows('into').insertOne({ _id: 3, k: 'a' })).rejects.toMatchObject({ code: 11000 });
    await expect(
      rows('from')
        .aggregate([{ $set: { k: 'x' } }, { $out: 'into' }])
        .toArray(),
    ).rejects.toMatchObject({
      code: 11000,
    });
    expect(await rows('into').countDocuments({ k: 'b' })).toBe(1);
    await rows('from')
      .aggregate([{ $match: { _id: 0 } }, { $out: { db: 'writing', coll: 'fresh' } }])
      .toArray();
    const names = (await db().listCollections().toArray()).map(({ name }) => name).sort();
    expect(names).toEqual(['fresh', 'from', 'into']);
  });

  it.each<[string, Record<string, unknown>, Row[]]>([
    [
      'merge',
      {},
      [
        { _id: 1, k: 'a', n: 1 },
        { _id: 2, k: 'b', n: 2 },
      ],
    ],
    [
      'replace',
      { whenMatched: 'replace' },
      [
        { _id: 1, k: 'a', n: 1 },
        { _id: 2, k: 'b', n: 2 },
      ],
    ],
    [
      'keepExisting',
      { whenMatched: 'keepExisting' },
      [
        { _id: 1, k: 'a', n: 10 },
        { _id: 2, k: 'b', n: 2 },
      ],
    ],
    ['discard', { whenNotMatched: 'discard' }, [{ _id: 1, k: 'a', n: 1 }]],
    [
      'a pipeline with let',
      { let: { more: '$n' }, whenMatched: [{ $set: { n: { $add: ['$n', '$$more'] } } }] },
      [
        { _id: 1, k: 'a', n: 11 },
        { _id: 2, k: 'b', n: 2 },
      ],
    ],
  ])('should merge: %s', async (_what, options, expected) => {
    await rows('from')
      .aggregate([{ $merge: { into: 'into', ...options } }])
      .toArray();
    expect(await into()).toEqual([...expected, { _id: 9, k: 'z', n: 90 }]);
  });

  it('should merge by the fields of a unique index, and fail where it has to', async () => {
    const byKey = (more: object) =>
      rows('from')
        .aggregate([{ $project: { _id: 0 } }, { $merge: { into: 'into', on: 'k', ...more } }])
        .toArray();
    await byKey({ whenNotMatched: 'discard' });
    expect(await rows('into').findOne({ k: 'a' })).toEqual({ _id: 1, k: 'a', n: 1 });
    await expect(byKey({ whenMatched: 'fail' })).rejects.toMatchObject({ code: 11000 });
    await expect(byKey({ whenNotMatched: 'fail' })).rejects.toMatchObject({ code: 13113 });
    await expect(
      rows('from')
        .aggregate([{ $merge: { into: 'into', on: 'n' } }])
        .toArray(),
    ).rejects.toMatchObject({ code: 51183 });
  });

  it('should rename a collection with its documents and indexes', async () => {
    await expect(rows('from').rename('into')).rejects.toMatchObject({ code: 48 });
    await rows('into').rename('moved');
    expect(await rows('moved').find({ k: 'z' }, { hint: 'k' }).toArray()).toEqual([{ _id: 9, k: 'z', n: 90 }]);
    expect(await rows('into').countDocuments()).toBe(0);
    await rows('from').rename('moved', { dropTarget: true });
    expect(await rows('moved').estimatedDocumentCount()).toBe(2);
    await expect(rows('nowhere').rename('x')).rejects.toMatchObject({ code: 26 });
  });

  it('should keep a hidden index up to date, and use it for no search', async () => {
    await rows('from').createIndex({ n: 1 }, { hidden: true, unique: true, name: 'n' });
    const plan = await rows('from').find({ n: 1 }).explain('queryPlanner');
    expect(JSON.stringify(plan)).toContain('COLLSCAN');
    await expect(rows('from').insertOne({ _id: 5, n: 2 })).rejects.toMatchObject({ code: 11000 });
    await expect(rows('from').find({}, { hint: 'n' }).toArray()).rejects.toMatchObject({ code: 2 });
    expect((await rows('from').indexes()).at(-1)).toMatchObject({ name: 'n', hidden: true });
  });

  it('should write to several collections by one command of a client', async () => {
    const result = await running.client.bulkWrite(
      [
        { name: 'insertOne', namespace: 'writing.from', document: { _id: 3, n: 3 } as never },
        { name: 'updateMany', namespace: 'writing.into', filter: {}, update: { $inc: { n: 1 } } },
        {
          name: 'updateOne',
          namespace: 'writing.into',
          filter: { k: 'new' },
          update: { $set: { n: 0 } },
          upsert: true,
        },
        { name: 'deleteOne', namespace: 'writing.from', filter: { _id: 1 as never } },
      ],
      { verboseResults: true },
    );
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 2,
      modifiedCount: 2,
      upsertedCount: 1,
      deletedCount: 1,
    });
    const failing = running.client.bulkWrite(
      [
        { name: 'insertOne', namespace: 'writing.from', document: { _id: 2 } as never },
        { name: 'insertOne', namespace: 'writing.from', document: { _id: 4 } as never },
      ],
      { ordered: false },
    );
    await expect(failing).rejects.toMatchObject({
      writeErrors: new Map([[0, expect.objectContaining({ code: 11000 })]]),
    });
    expect((await rows('from').find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual([2, 3, 4]);
  });

  it('should reach everything in a graph once, also round a circle and to a depth', async () => {
    await db()
      .collection<{ _id: number; to: number[] }>('graph')
      .insertMany([
        { _id: 1, to: [2, 3] },
        { _id: 2, to: [1] },
        { _id: 3, to: [4] },
        { _id: 4, to: [] },
      ]);
    const reach = async (more: object) => {
      const lookup = {
        from: 'graph',
        startWith: '$to',
        connectFromField: 'to',
        connectToField: '_id',
        as: 'all',
        ...more,
      };
      const [found] = await db()
        .collection('graph')
        .aggregate<{ all: { _id: number }[] }>([{ $match: { _id: 1 } }, { $graphLookup: lookup }])
        .toArray();
      return found?.all.map(({ _id }) => _id).sort();
    };
    expect(await reach({})).toEqual([1, 2, 3, 4]);
    expect(await reach({ maxDepth: 0 })).toEqual([2, 3]);
    expect(await reach({ restrictSearchWithMatch: { _id: { $ne: 3 } } })).toEqual([1, 2]);
  });

  it('should sort and find decimals among other numbers, by an index and without', async () => {
    const { Decimal128 } = await import('../test/support/server.js');
    const prices = db().collection<{ _id: number; p: unknown }>('prices');
    const values = ['0.1', '0.10000000000000000000000000000001', '2.5', '-1', '1E400', '10'];
    await prices.insertMany(values.map((text, _id) => ({ _id, p: Decimal128.fromString(text) })));
    await prices.insertMany([
      { _id: 10, p: 0.1 },
      { _id: 11, p: 10 },
      { _id: 12, p: 2 },
    ]);
    const ids = async (filter: object, options: object) =>
      (await prices.find(filter, options).toArray()).map(({ _id }) => _id);
    const scanned = await ids({ p: { $gte: 0.1 } }, { sort: { p: 1, _id: 1 }, hint: '_id_' });
    expect(scanned).toEqual([10, 12, 2, 5, 11, 4]);
    for (const direction of [1, -1] as const) {
      await prices.createIndex({ p: direction });
      const hint = { p: direction };
      expect(await ids({ p: { $gte: 0.1 } }, { sort: { p: 1 }, hint })).toHaveLength(6);
      expect((await ids({ p: 10 }, { hint })).sort()).toEqual([11, 5]);
      expect(await ids({ p: { $gt: 10 } }, { hint })).toEqual([4]);
      expect(await prices.countDocuments({ p: Decimal128.fromString('0.1') }, { hint })).toBe(1);
      expect(await prices.countDocuments({ p: { $lte: Decimal128.fromString('0.1') } }, { hint })).toBe(2);
    }
  });
});
