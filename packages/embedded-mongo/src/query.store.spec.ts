import { Binary, BSONRegExp, MaxKey, MinKey, Timestamp } from 'bson';
import { Decimal128, Double, Int32, Long, ObjectId, startTestServer, type TestServer } from '../test/support/server.js';

type Plain = Record<string, unknown>;

const id = new ObjectId('507f1f77bcf86cd799439011');

/** A document `{_id: 1, ...doc}` and whether the filter finds it. */
const MATCHES: [doc: Plain, filter: Plain, found: boolean][] = [
  [{ a: 1 }, { a: new Double(1) }, true],
  [{ a: Long.fromNumber(1) }, { a: 1 }, true],
  [{ a: Long.fromString('9007199254740993') }, { a: Long.fromString('9007199254740992') }, false],
  [{ a: Long.fromString('9007199254740993') }, { a: { $gt: 9007199254740992 } }, true],
  [{ a: Decimal128.fromString('0.5') }, { a: 0.5 }, true],
  [{ a: Decimal128.fromString('0.1') }, { a: 0.1 }, false],
  [{ a: 5 }, { a: { $lt: Decimal128.fromString('5.01') } }, true],
  [{ a: Number.NaN }, { a: { $lt: 5 } }, false],
  [{ a: Number.NaN }, { a: Number.NaN }, true],
  [{ a: 1 }, { a: '1' }, false],
  [{ a: 'b' }, { a: { $gt: 5 } }, false],
  [{ a: null }, { a: null }, true],
  [{}, { a: null }, true],
  [{ a: undefined }, { a: { $exists: true } }, false],
  [{ a: null }, { a: { $exists: true } }, true],
  [{ a: null }, { a: { $lte: null } }, true],
  [{}, { a: { $gte: null } }, true],
  [{ a: null }, { a: { $gt: null } }, false],
  [{ a: [{ b: 1 }, {}] }, { 'a.b': null }, true],
  [{ a: [{ b: 1 }] }, { 'a.b': null }, false],
  [{ a: [] }, { 'a.b': null }, false],
  [{ a: [1, 2] }, { 'a.b': null }, false],
  [{ a: 5 }, { 'a.b': null }, true],
  [{ a: [1, 2] }, { 'a.b': { $exists: false } }, true],
  [{ a: [1, 2, 3] }, { a: 2 }, true],
  [{ a: [1, 2] }, { a: [1, 2] }, true],
  [{ a: [2, 1] }, { a: [1, 2] }, false],
  [{ a: [[1, 2]] }, { a: [1, 2] }, true],
  [{ a: [1, 9] }, { a: { $gt: 3, $lt: 5 } }, true],
  [{ a: [1, 9] }, { a: { $elemMatch: { $gt: 3, $lt: 5 } } }, false],
  [
    {
      a: [
        { b: 1, c: 2 },
        { b: 3, c: 4 },
      ],
    },
    { a: { $elemMatch: { b: 1, c: 4 } } },
    false,
  ],
  [
    {
      a: [
        { b: 1, c: 2 },
        { b: 3, c: 4 },
      ],
    },
    { 'a.b': 1, 'a.c': 4 },
    true,
  ],
  [{ a: [{ b: [1, 2] }] }, { 'a.b': 2 }, true],
  [{ a: [[{ b: 1 }]] }, { 'a.b': 1 }, false],
  [{ a: [5, 6] }, { 'a.1': 6 }, true],
  [{ a: [{ b: 7 }] }, { 'a.0.b': 7 }, true],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 2 } }, true],
  [{ a: { c: 2, b: 1 } }, { a: { b: 1, c: 2 } }, false],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }, false],
  [{ a: [1, 2] }, { a: { $ne: 2 } }, false],
  [{}, { a: { $ne: 2 } }, true],
  [{ a: [1, 2] }, { a: { $nin: [2, 7] } }, false],
  [{}, { a: { $in: [null] } }, true],
  [{ a: 'abc' }, { a: { $in: [/^a/] } }, true],
  [{ a: ['x', 'abc'] }, { a: /^a/ }, true],
  [{ a: 'ABC' }, { a: /^a/i }, true],
  [{ a: 'x-y' }, { a: { $regex: 'x\\-y' } }, true],
  [{ a: 'a\nb' }, { a: { $regex: '^b', $options: 'm' } }, true],
  [{ a: 5 }, { a: { $regex: '5' } }, false],
  [{ a: [1, 2] }, { a: { $size: 2 } }, true],
  [{ a: [[1, 2]] }, { a: { $size: 2 } }, false],
  [{ a: [1, 2, 3] }, { a: { $all: [3, 1] } }, true],
  [{ a: [1, 2, 3] }, { a: { $all: [] } }, false],
  [{ a: 1 }, { a: { $all: [1] } }, true],
  [{ a: [{ x: 1 }, { x: 2 }] }, { a: { $all: [{ $elemMatch: { x: 1 } }, { $elemMatch: { x: 2 } }] } }, true],
  [{ a: 7 }, { a: { $mod: [4, 3] } }, true],
  [{ a: -7 }, { a: { $mod: [4, -3] } }, true],
  [{ a: 7.9 }, { a: { $mod: [4, 3] } }, true],
  [{ a: new Int32(6) }, { a: { $bitsAllSet: 6 } }, true],
  [{ a: new Int32(6) }, { a: { $bitsAnySet: [0] } }, false],
  [{ a: id }, { a: id }, true],
  [{ a: id }, { a: id.toHexString() }, false],
  [{ a: id }, { a: { $type: 'objectId' } }, true],
  [{ a: null }, { a: { $type: 'null' } }, true],
  [{ a: 1 }, { a: { $type: 'int' } }, true],
  [{ a: new Double(1) }, { a: { $type: 'int' } }, false],
  [{ a: Long.fromNumber(1) }, { a: { $type: 18 } }, true],
  [{ a: [1] }, { a: { $type: 'array' } }, true],
  [{ a: [1] }, { a: { $type: 'number' } }, true],
  [{ a: new Timestamp({ t: 1, i: 1 }) }, { a: { $type: 'timestamp' } }, true],
  [{ a: new Binary(Buffer.from('x')) }, { a: new Binary(Buffer.from('x')) }, true],
  [{ a: new BSONRegExp('x', 'i') }, { a: new BSONRegExp('x', 'i') }, true],
  [{ a: new Date(5) }, { a: { $gte: new Date(5), $lt: new Date(6) } }, true],
  [{ a: true }, { a: 1 }, false],
  [{ a: 1, b: 2 }, { $or: [{ a: 2 }, { b: 2 }] }, true],
  [{ a: 1, b: 2 }, { $nor: [{ a: 2 }, { b: 2 }] }, false],
  [{ a: 5 }, { a: { $not: { $gt: 5 } } }, true],
  [{}, { a: { $not: { $gt: 5 } } }, true],
  [{ a: 1, b: 2 }, { $expr: { $lt: ['$a', '$b'] } }, true],
  [{ constructor: 1 }, { constructor: 1 }, true],
  [{}, { constructor: { $exists: true } }, false],
  [{ a: '\u{1f600}' }, { a: { $gt: '\uffff' } }, true],
  [{ a: Decimal128.fromString('7.9') }, { a: { $mod: [4, 3] } }, true],
  [{ a: new Double(2 ** 60) }, { a: { $bitsAllSet: [60] } }, true],
  [{ a: new Double(1.5) }, { a: { $bitsAllClear: [1] } }, false],
  [{ a: new Binary(Buffer.from([5, 2])) }, { a: { $bitsAllSet: [0, 2, 9] } }, true],
  [{ a: new Binary(Buffer.from([5])) }, { a: { $bitsAllSet: [1] } }, false],
  [{}, { a: { $gt: new MinKey() } }, true],
  [{}, { a: { $lte: new MaxKey() } }, true],
  [{}, { a: { $lt: new MinKey() } }, false],
  [{}, { a: { $eq: new MinKey() } }, false],
  [{ a: [[[1, 2]]] }, { 'a.0': { $size: 2 } }, false],
  [{ a: [[1, 2]] }, { 'a.0': { $size: 2 } }, true],
  [{ a: { $ref: 'x', $id: id } }, { a: { $ref: 'x', $id: id } }, true],
  [{ a: { $ref: 'x', $id: id } }, { 'a.$id': id }, true],
  [{ a: id }, { a: { $in: [...Array.from({ length: 20 }, () => new ObjectId()), id] } }, true],
];

const REFUSED: [filter: Plain, code: number][] = [
  [{ $where: 'true' }, 238],
  [{ $text: { $search: 'x' } }, 238],
  [{ a: { $near: [1, 1] } }, 238],
  [{ $jsonSchema: {} }, 238],
  [{ a: { $frobnicate: 1 } }, 2],
  [{ $frobnicate: 1 }, 2],
  [{ a: { $regex: '\\Ax' } }, 2],
  [{ a: { $regex: 'x', $options: 'x' } }, 238],
  [{ a: { $regex: '[[:alpha:]]' } }, 238],
  [{ a: { $mod: [Number.POSITIVE_INFINITY, 0] } }, 2],
  [{ a: { $in: 5 } }, 2],
  [{ $and: [] }, 2],
  [{ a: { $size: -1 } }, 9],
  [{ $expr: { $frobnicate: 1 } }, 168],
];

describe('find', () => {
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
  });

  afterAll(async () => {
    await running.stop();
  });

  const things = (): ReturnType<ReturnType<TestServer['client']['db']>['collection']> =>
    running.client.db('query').collection('things');

  it.each(MATCHES)('should answer %j for %j with %s', async (doc, filter, found) => {
    const collection = things();
    await collection.deleteMany({});
    await collection.insertOne({ _id: 1, ...doc } as never, { ignoreUndefined: true });
    expect(await collection.countDocuments(filter)).toBe(found ? 1 : 0);
    expect(await collection.find({ $and: [{ _id: 1 }, filter] } as never).toArray()).toHaveLength(found ? 1 : 0);
  });

  it.each(REFUSED)('should refuse %j with code %i', async (filter, code) => {
    await expect(things().find(filter).toArray()).rejects.toMatchObject({ code });
  });

  it('should sort all kinds of values as MongoDB does', async () => {
    const collection = running.client.db('query').collection('sorted');
    const ordered: unknown[] = [
      [],
      null,
      Number.NaN,
      -5,
      Long.fromString('9007199254740992'),
      Long.fromString('9007199254740993'),
      '',
      'B',
      'a',
      '\uffff',
      '\u{1f600}',
      {},
      { a: 1 },
      new Binary(Buffer.from('x')),
      id,
      false,
      true,
      new Date(-1),
      new Date(1),
      new Timestamp({ t: 1, i: 1 }),
      /x/,
    ];
    await collection.insertMany(ordered.map((value, at) => ({ _id: ordered.length - at, value, at })) as never[]);
    const positions = async (way: 1 | -1): Promise<number[]> =>
      (await collection.find().sort({ value: way }).toArray()).map(({ at }) => at as number);
    const expected = ordered.map((_, at) => at);
    expect(await positions(1)).toEqual(expected);
    await collection.createIndex({ value: 1 });
    expect(await positions(1)).toEqual(expected);
    expect(await positions(-1)).toEqual(expected.toReversed());
  });

  it('should project as asked', async () => {
    const collection = running.client.db('query').collection('projected');
    await collection.insertOne({
      _id: 1,
      a: 1,
      b: { c: 2, d: 3 },
      list: [{ x: 1, y: 1 }, { x: 2, y: 2 }, 5],
      n: [1, 2, 3],
    } as never);
    const project = async (projection: Plain): Promise<unknown> => collection.findOne({}, { projection });
    expect(await project({ 'b.c': 1 })).toEqual({ _id: 1, b: { c: 2 } });
    expect(await project({ 'b.c': 0, list: 0, n: 0 })).toEqual({ _id: 1, a: 1, b: { d: 3 } });
    expect(await project({ 'list.x': 1, _id: 0 })).toEqual({ list: [{ x: 1 }, { x: 2 }] });
    expect(await project({ n: { $slice: -2 }, b: 0, list: 0 })).toEqual({ _id: 1, a: 1, n: [2, 3] });
    expect(await project({ list: { $elemMatch: { x: 2 } } })).toEqual({ _id: 1, list: [{ x: 2, y: 2 }] });
    expect(await project({ _id: 0, twice: { $add: ['$a', '$a'] } })).toEqual({ twice: 2 });
    await expect(project({ a: 1, b: 0 })).rejects.toMatchObject({ code: 31254 });
    await expect(project({ 'n.$': 1 })).rejects.toMatchObject({ code: 51246 });
  });

  it('should compute a projected value in every element of an array', async () => {
    const collection = running.client.db('query').collection('computed');
    await collection.insertOne({ _id: { k: 1, l: 2 }, a: [{ c: 1 }, 5, [{ c: 2 }]], x: 7 } as never);
    const project = async (projection: Plain): Promise<unknown> => collection.findOne({}, { projection });
    expect(await project({ 'a.b': '$x', _id: 0 })).toEqual({ a: [{ b: 7 }, { b: 7 }, [{ b: 7 }]] });
    expect(await project({ '_id.k': 1, x: 1 })).toEqual({ _id: { k: 1 }, x: 7 });
    await expect(project({ a: 1, 'a.b': '$x' })).rejects.toMatchObject({ code: 31249 });
  });

  it('should sort by the smallest entry of several fields inside one array', async () => {
    const collection = running.client.db('query').collection<{ _id: number; a: unknown; b?: unknown }>('arrays');
    const one = [
      { x: 1, y: 5 },
      { x: 2, y: 1 },
    ];
    await collection.insertMany([
      { _id: 1, a: one },
      { _id: 2, a: [{ x: 1, y: 3 }] },
    ]);
    const sorted = async (sort: Record<string, 1 | -1>): Promise<number[]> =>
      (await collection.find().sort(sort).toArray()).map(({ _id }) => _id);
    expect(await sorted({ 'a.x': 1, 'a.y': 1 })).toEqual([2, 1]);
    expect(await sorted({ 'a.x': -1, 'a.y': -1 })).toEqual([1, 2]);
    await collection.insertOne({ _id: 3, a: [1], b: [2] });
    await expect(sorted({ a: 1, b: 1 })).rejects.toMatchObject({ code: 2 });
  });

  it('should count an array inside an array as one distinct value', async () => {
    const collection = running.client.db('query').collection<{ _id: number; a: unknown }>('nested');
    await collection.insertMany([
      { _id: 1, a: [[1, 2], 3] },
      { _id: 2, a: { b: [3, 4] } },
      { _id: 3, a: [{ b: 5 }, { b: [6] }] },
    ]);
    expect(await collection.distinct('a', { _id: 1 })).toEqual([3, [1, 2]]);
    expect(await collection.distinct('a.b')).toEqual([3, 4, 5, 6]);
    expect(await collection.distinct('a.0', { _id: 1 })).toEqual([1, 2]);
  });

  it('should stream a large answer in batches of the asked size', async () => {
    const collection = running.client.db('query').collection<{ _id: number; pad: string }>('large');
    await collection.insertMany(Array.from({ length: 3000 }, (_, _id) => ({ _id, pad: 'x'.repeat(100) })));
    const cursor = collection.find({ pad: { $ne: 'y' } }, { batchSize: 250 });
    const ids: number[] = [];
    for await (const doc of cursor) ids.push(doc._id);
    expect(ids).toEqual(Array.from({ length: 3000 }, (_, at) => at));
    const scans = running.log.filter(({ msg }) => msg === 'scan without an index');
    expect(scans).toContainEqual(
      expect.objectContaining({ ns: 'query.large', filter: { pad: { $ne: '?' } }, examined: 3000 }),
    );
  });

  it('should go on when the document under the cursor is removed', async () => {
    const collection = running.client.db('query').collection<{ _id: number }>('shrinking');
    await collection.insertMany(Array.from({ length: 1000 }, (_, _id) => ({ _id })));
    const cursor = collection.find({}, { batchSize: 10 });
    let seen = 0;
    for await (const doc of cursor) {
      seen++;
      if (doc._id === 100) await collection.deleteMany({ _id: { $gte: 500 } });
    }
    expect(seen).toBeGreaterThanOrEqual(500);
    expect(seen).toBeLessThan(1000);
  });
});
