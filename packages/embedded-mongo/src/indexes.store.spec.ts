import { MinKey } from 'bson';
import { ObjectId, startTestServer, type TestServer } from '../test/support/server.js';

describe('indexes', () => {
  let running: TestServer;
  let round = 0;

  beforeAll(async () => {
    running = await startTestServer({ ttlIntervalMs: 50 });
  });

  afterAll(async () => {
    await running.stop();
  });

  const fresh = (): ReturnType<ReturnType<TestServer['client']['db']>['collection']> =>
    running.client.db('idx').collection(`c${round++}`);

  it('should report a duplicate as MongoDB does', async () => {
    const things = fresh();
    await things.createIndex({ org: 1, 'a.b': -1 }, { unique: true });
    await things.insertOne({ org: 'o', a: { b: 5 } });
    await expect(things.insertOne({ org: 'o', a: { b: 5 } })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { org: 1, 'a.b': -1 },
      keyValue: { org: 'o', 'a.b': 5 },
      message: `E11000 duplicate key error collection: ${things.namespace} index: org_1_a.b_-1 dup key: { org: "o", a.b: 5 }`,
    });
    await things.insertOne({ org: 'p', a: { b: 5 } });
    await expect(things.updateOne({ org: 'p' }, { $set: { org: 'o' } })).rejects.toMatchObject({ code: 11000 });
    await expect(
      things.insertOne({ _id: 1 } as never).then(() => things.insertOne({ _id: 1 } as never)),
    ).rejects.toMatchObject({ keyPattern: { _id: 1 } });
  });

  it.each([
    ['ObjectIds', (n: number) => new ObjectId(n.toString(16).padStart(24, '0'))],
    ['texts', (n: number) => `id-${String.fromCharCode(97 + n)}`],
  ])('should keep an index that ends in a descending _id in its order, with %s', async (_what, idOf) => {
    const things = fresh();
    await things.createIndex({ org: 1, _id: -1 }, { name: 'newest' });
    const ids = Array.from({ length: 12 }, (_, n) => idOf(n));
    await things.insertMany(ids.map((_id, n) => ({ _id, org: n % 2 ? 'b' : 'a' })) as never[]);
    const found = async (sort?: Record<string, 1 | -1>): Promise<unknown[]> => {
      const cursor = things.find({}).hint('newest');
      return (await (sort ? cursor.sort(sort) : cursor).toArray()).map(({ _id }) =>
        ids.findIndex((id) => String(id) === String(_id)),
      );
    };
    const inOrder = [10, 8, 6, 4, 2, 0, 11, 9, 7, 5, 3, 1];
    expect(await found()).toEqual(inOrder);
    expect(await found({ org: 1, _id: -1 })).toEqual(inOrder);
    expect(await found({ org: -1, _id: 1 })).toEqual(inOrder.toReversed());
    expect(await found({ org: 1, _id: 1 })).toEqual([0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11]);
    const between = { org: { $in: ['a', 'b'] }, _id: { $gt: ids[3], $lte: ids[7] } };
    expect(await things.countDocuments(between as never, { hint: 'newest' })).toBe(4);
    await things.updateMany({ org: 'a' }, { $set: { org: 'c' } });
    expect(await found()).toEqual([...inOrder.slice(6), ...inOrder.slice(0, 6)]);
    await things.deleteMany({ org: 'c' });
    expect(await found()).toEqual(inOrder.slice(6));
  });

  it('should go on after a duplicate in an unordered insert, and stop in an ordered one', async () => {
    const things = fresh();
    await things.createIndex({ k: 1 }, { unique: true });
    const batch = [1, 1, 2, 2, 3].map((k) => ({ k }));
    await expect(things.insertMany(batch, { ordered: false })).rejects.toMatchObject({
      code: 11000,
      writeErrors: [
        { index: 1, code: 11000 },
        { index: 3, code: 11000 },
      ],
      result: { insertedCount: 3 },
    });
    await things.deleteMany({});
    await expect(things.insertMany(batch.map(({ k }) => ({ k })))).rejects.toMatchObject({
      result: { insertedCount: 1 },
    });
    expect(await things.countDocuments()).toBe(1);
  });

  it('should hold a unique partial index to the documents in its filter', async () => {
    const things = fresh();
    await things.createIndex({ key: 1 }, { unique: true, partialFilterExpression: { deleted: false } });
    await things.insertMany([
      { key: 'a', deleted: true },
      { key: 'a', deleted: true },
      { key: 'a', deleted: false },
    ]);
    await expect(things.insertOne({ key: 'a', deleted: false })).rejects.toMatchObject({ code: 11000 });
    await expect(things.updateMany({ deleted: true }, { $set: { deleted: false } })).rejects.toMatchObject({
      code: 11000,
    });
    await things.updateOne({ deleted: false }, { $set: { deleted: true } });
    await things.insertOne({ key: 'a', deleted: false });
    expect(await things.countDocuments({ key: 'a' })).toBe(4);
    expect(await things.countDocuments({ key: 'a', deleted: false })).toBe(1);
  });

  it('should let a sparse unique index ignore documents without the field', async () => {
    const things = fresh();
    await things.createIndex({ k: 1 }, { unique: true, sparse: true });
    await things.insertMany([{}, {}, { k: 1 }]);
    await expect(things.insertOne({ k: 1 })).rejects.toMatchObject({ code: 11000 });
    expect(await things.find({ k: null } as never).toArray()).toHaveLength(2);
    expect(await things.find().sort({ k: 1 }).toArray()).toHaveLength(3);
  });

  it('should enter a repeated field name of an array into a sparse index', async () => {
    const things = running.client.db('indexes').collection<{ _id: number; a: unknown }>('repeated');
    await things.createIndex({ 'a.a': 1 }, { sparse: true });
    await things.insertMany([
      { _id: 1, a: [{ a: 1 }] },
      { _id: 2, a: [{ b: 1 }] },
    ]);
    expect(await things.find({ 'a.a': 1 }).toArray()).toHaveLength(1);
  });

  it('should not use a partial index for a range that missing values are in', async () => {
    const things = running.client.db('indexes').collection<{ _id: number; a?: number; b: number }>('ranges');
    await things.createIndex({ b: 1 }, { partialFilterExpression: { a: { $exists: true } } });
    await things.insertMany([
      { _id: 1, a: 1, b: 1 },
      { _id: 2, b: 1 },
    ]);
    expect(await things.find({ b: 1, a: { $gt: new MinKey() } } as never).toArray()).toHaveLength(2);
  });

  it('should find what is longer than a key may be', async () => {
    const things = fresh();
    const long = 'x'.repeat(5000);
    await things.createIndex({ k: 1 }, { unique: true });
    await things.insertMany([{ _id: long as never, k: `${long}a` }, { k: `${long}b` }, { k: 'short' }]);
    expect(await things.countDocuments({ k: `${long}b` })).toBe(1);
    expect(await things.countDocuments({ _id: long as never })).toBe(1);
    expect(await things.countDocuments({ k: { $gt: `${long}a` } })).toBe(1);
    expect((await things.find().sort({ k: -1 }).toArray()).map(({ k }) => String(k).slice(-1))).toEqual([
      'b',
      'a',
      't',
    ]);
    await expect(things.insertOne({ k: `${long}b` })).rejects.toMatchObject({ code: 11000 });
  });

  it('should list, refuse conflicts and drop', async () => {
    const things = fresh();
    await things.createIndex({ a: 1 }, { name: 'one', expireAfterSeconds: 3600 });
    expect(await things.createIndex({ a: 1 }, { name: 'one', expireAfterSeconds: 3600 })).toBe('one');
    await expect(things.createIndex({ a: 1 }, { name: 'two' })).rejects.toMatchObject({ code: 85 });
    await expect(things.createIndex({ a: 1 }, { name: 'one' })).rejects.toMatchObject({ code: 85 });
    await expect(things.createIndex({ b: 1 }, { name: 'one' })).rejects.toMatchObject({ code: 86 });
    await expect(things.createIndex({ a: 'text' })).rejects.toMatchObject({ code: 238 });
    await expect(things.createIndex({ 'a.0': 1 })).rejects.toMatchObject({ code: 238 });
    await expect(things.createIndex({ b: 1 }, { partialFilterExpression: { c: { $ne: 1 } } })).rejects.toMatchObject({
      code: 67,
    });
    expect(await things.indexes()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1 }, name: 'one', expireAfterSeconds: 3600 },
    ]);
    await things.dropIndex('one');
    await expect(things.dropIndex('one')).rejects.toMatchObject({ code: 27 });
    await expect(running.client.db('idx').collection('nothing').indexes()).rejects.toMatchObject({ code: 26 });
  });

  it('should undo an index that the data does not allow', async () => {
    const things = fresh();
    await things.insertMany([{ k: 1 }, { k: 1 }]);
    await expect(things.createIndex({ k: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect(await things.indexes()).toHaveLength(1);
    await things.insertOne({ k: 1 });
    expect(await things.countDocuments({ k: 1 })).toBe(3);
  });

  it('should remember after a restart that a field held arrays', async () => {
    const first = await startTestServer();
    const things = first.client.db('m').collection('things');
    await things.createIndex({ tags: 1 });
    await things.insertOne({ tags: ['a', 'b'] });
    await first.client.close();
    await first.server.close();
    const second = await startTestServer({ directory: first.directory });
    expect(
      await second.client
        .db('m')
        .collection('things')
        .find({ tags: { $in: ['a', 'b'] } })
        .toArray(),
    ).toHaveLength(1);
    expect(
      await second.client
        .db('m')
        .collection('things')
        .countDocuments({ tags: { $gte: 'a' } }),
    ).toBe(1);
    await second.stop();
  });

  it('should remove expired documents and only those', async () => {
    const things = fresh();
    await things.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
    const past = new Date(Date.now() - 5000);
    await things.insertMany([
      { n: 1, at: past },
      { n: 2, at: new Date(Date.now() + 3_600_000) },
      { n: 3 },
      { n: 4, at: 'text' },
      { n: 5, at: [past, new Date(Date.now() + 3_600_000)] },
    ] as never[]);
    const left = async (): Promise<unknown[]> =>
      (await things.find().sort({ n: 1 }).toArray()).map(({ n }) => n as unknown);
    while ((await left()).length > 3) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await left()).toEqual([2, 3, 4]);
  });
});
