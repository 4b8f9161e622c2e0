import {
  BSON,
  Decimal128,
  Double,
  Int32,
  Long,
  ObjectId,
  startTestServer,
  type TestServer,
} from '../test/support/server.js';

type Plain = Record<string, unknown>;
type Case = [what: string, before: Plain, update: Plain | Plain[], after: Plain];

const day = new Date('2026-01-02T00:00:00Z');

/** `before` gets `update`; documents are compared byte by byte, so that types and the order of fields count. */
const CASES: Case[] = [
  ['$set keeps an int32', { a: new Int32(1) }, { $set: { b: new Int32(2) } }, { a: new Int32(1), b: new Int32(2) }],
  [
    '$set keeps a double that is whole',
    { a: new Double(3) },
    { $set: { b: 1 } },
    { a: new Double(3), b: new Int32(1) },
  ],
  ['$set keeps a long', { a: Long.fromNumber(7) }, { $set: { b: 1 } }, { a: Long.fromNumber(7), b: new Int32(1) }],
  [
    '$set keeps a decimal',
    { a: Decimal128.fromString('1.10') },
    { $set: { b: 1 } },
    { a: Decimal128.fromString('1.10'), b: new Int32(1) },
  ],
  ['$set creates documents on the way', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  [
    '$set adds fields in the order of their names',
    { z: 1 },
    { $set: { c: 1, a: 2, b: 3 } },
    { z: 1, a: 2, b: 3, c: 1 },
  ],
  ['$set beyond an array pads with null', { a: [1] }, { $set: { 'a.3': 4 } }, { a: [1, null, null, 4] }],
  ['$set of an element', { a: [{ x: 1 }, { x: 2 }] }, { $set: { 'a.1.x': 9 } }, { a: [{ x: 1 }, { x: 9 }] }],
  ['$inc of a double stays a double', { a: new Double(1) }, { $inc: { a: 1 } }, { a: new Double(2) }],
  ['$inc of an int32 by a double', { a: 1 }, { $inc: { a: 0.5 } }, { a: 1.5 }],
  [
    '$inc grows an int32 to a long',
    { a: new Int32(2147483647) },
    { $inc: { a: 1 } },
    { a: Long.fromNumber(2147483648) },
  ],
  [
    '$inc of a long is exact',
    { a: Long.fromString('9007199254740993') },
    { $inc: { a: 1 } },
    { a: Long.fromString('9007199254740994') },
  ],
  ['$inc creates', {}, { $inc: { a: new Double(2) } }, { a: new Double(2) }],
  ['$mul creates a zero of the type', {}, { $mul: { a: new Double(2) } }, { a: new Double(0) }],
  ['$mul', { a: 3 }, { $mul: { a: 2 } }, { a: 6 }],
  ['$min by BSON order', { a: 'x' }, { $min: { a: 5 } }, { a: 5 }],
  [
    '$set inside a reference keeps the reference',
    { a: { $ref: 'x', $id: 1 } },
    { $set: { 'a.n': 1 } },
    { a: { $ref: 'x', $id: 1, n: 1 } },
  ],
  ['$pull by a condition looks into arrays', { a: [[5], 1] }, { $pull: { a: { $gte: 3 } } }, { a: [1] }],
  ['$pull of a value does not', { a: [[5], 5] }, { $pull: { a: 5 } }, { a: [[5]] }],
  ['$max of dates', { a: day }, { $max: { a: new Date(0) } }, { a: day }],
  ['$unset of an element leaves null', { a: [1, 2, 3] }, { $unset: { 'a.1': '' } }, { a: [1, null, 3] }],
  ['$unset of nothing', { a: 1 }, { $unset: { 'b.c': '' } }, { a: 1 }],
  ['$rename', { a: 1, b: 2 }, { $rename: { a: 'c' } }, { b: 2, c: 1 }],
  ['$rename of nothing', { b: 2 }, { $rename: { a: 'c' } }, { b: 2 }],
  ['$push creates', {}, { $push: { a: 1 } }, { a: [1] }],
  ['$push of an array is one element', { a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
  ['$push at a position', { a: [1, 2] }, { $push: { a: { $each: [8, 9], $position: 1 } } }, { a: [1, 8, 9, 2] }],
  [
    '$push sorted and cut',
    { a: [{ s: 3 }, { s: 1 }] },
    { $push: { a: { $each: [{ s: 2 }], $sort: { s: -1 }, $slice: 2 } } },
    { a: [{ s: 3 }, { s: 2 }] },
  ],
  ['$push cut from the end', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { a: [2, 3] }],
  [
    '$addToSet sees the order of fields',
    { a: [{ x: 1, y: 2 }] },
    { $addToSet: { a: { y: 2, x: 1 } } },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
  ],
  ['$addToSet across number types', { a: [1] }, { $addToSet: { a: { $each: [new Double(1), 2] } } }, { a: [1, 2] }],
  ['$pull of a value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
  ['$pull by condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  ['$pull of documents', { a: [{ x: 1, y: 1 }, { x: 2 }] }, { $pull: { a: { x: 1 } } }, { a: [{ x: 2 }] }],
  [
    '$pull of ids',
    { a: [new ObjectId('507f1f77bcf86cd799439011')] },
    { $pull: { a: new ObjectId('507f1f77bcf86cd799439011') } },
    { a: [] },
  ],
  ['$pullAll', { a: [1, 2, 3] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
  ['$pop', { a: [1, 2, 3], b: [1, 2] }, { $pop: { a: 1, b: -1 } }, { a: [1, 2], b: [2] }],
  ['$bit', { a: new Int32(13) }, { $bit: { a: { and: new Int32(10) } } }, { a: new Int32(8) }],
  [
    '$[] in nested arrays',
    { a: [{ b: [1, 2] }, { b: [3] }] },
    { $inc: { 'a.$[].b.$[]': 10 } },
    { a: [{ b: [11, 12] }, { b: [13] }] },
  ],
  [
    'a pipeline sees the document',
    { a: 1, b: 2 },
    [{ $set: { c: { $add: ['$a', '$b'] } } }, { $unset: 'a' }],
    { b: 2, c: 3 },
  ],
  [
    'a pipeline keeps types',
    { a: new Double(1), l: Long.fromNumber(5) },
    [{ $set: { b: '$a', m: '$l' } }],
    { a: new Double(1), l: Long.fromNumber(5), b: new Double(1), m: Long.fromNumber(5) },
  ],
  ['a pipeline with $replaceWith keeps the id', { a: { x: 1 } }, [{ $replaceWith: '$a' }], { x: 1 }],
  ['a replacement', { a: 1, b: 2 }, [{ $replaceWith: { $literal: { c: 1 } } }], { c: 1 }],
];

const FAILURES: [what: string, before: Plain, update: Plain, code: number][] = [
  ['$rename of every element', { a: [{ x: 1 }] }, { $rename: { 'a.$[].x': 'b' } }, 2],
  ['$inc of a string', { a: 'x' }, { $inc: { a: 1 } }, 14],
  ['$inc of null', { a: null }, { $inc: { a: 1 } }, 14],
  ['$inc by a string', { a: 1 }, { $inc: { a: 'x' } }, 14],
  ['$inc past a long', { a: Long.MAX_VALUE }, { $inc: { a: 1 } }, 2],
  ['$push on no array', { a: 1 }, { $push: { a: 1 } }, 2],
  ['$addToSet on no array', { a: 1 }, { $addToSet: { a: 1 } }, 2],
  ['$pull on no array', { a: 1 }, { $pull: { a: 1 } }, 2],
  ['$pop by 2', { a: [1] }, { $pop: { a: 2 } }, 9],
  ['$set through a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
  ['$set through null', { a: null }, { $set: { 'a.b': 1 } }, 28],
  ['$set of a field of an array', { a: [1] }, { $set: { 'a.b': 1 } }, 28],
  ['two changes of one path', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['a path and something inside', { a: 1 }, { $set: { a: {}, 'a.b': 1 } }, 40],
  ['another _id', { a: 1 }, { $set: { _id: 'other' } }, 66],
  ['no _id', { a: 1 }, { $unset: { _id: '' } }, 66],
  ['an unknown operator', { a: 1 }, { $frobnicate: { a: 1 } }, 9],
  ['an empty name', { a: 1 }, { $set: { 'a..b': 1 } }, 56],
  ['$ without a match', { a: [1] }, { $set: { 'a.$': 1 } }, 2],
  ['an array filter that is not there', { a: [1] }, { $set: { 'a.$[x]': 1 } }, 2],
];

describe('update', () => {
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
  });

  afterAll(async () => {
    await running.stop();
  });

  const bytes = (doc: Plain): string =>
    BSON.EJSON.stringify(BSON.deserialize(BSON.serialize(doc), { promoteValues: false }), { relaxed: false });

  const prepared = async (before: Plain): ReturnType<typeof ready> => ready(before);
  const ready = async (before: Plain): Promise<ReturnType<ReturnType<TestServer['client']['db']>['collection']>> => {
    const collection = running.client.db('update').collection('things');
    await collection.deleteMany({});
    await collection.insertOne({ _id: 1, ...before } as never);
    return collection;
  };

  it.each(CASES)('should do %s', async (_, before, update, after) => {
    const collection = await prepared(before);
    const result = await collection.updateOne({ _id: 1 } as never, update);
    const stored = await collection.findOne({}, { promoteValues: false, promoteLongs: false });
    expect(bytes(stored as Plain)).toBe(bytes({ _id: new Int32(1), ...after }));
    expect(result).toMatchObject({
      matchedCount: 1,
      modifiedCount: bytes({ _id: 1, ...before }) === bytes({ _id: 1, ...after }) ? 0 : 1,
    });
  });

  it.each(FAILURES)('should refuse %s', async (_, before, update, code) => {
    const collection = await prepared(before);
    await expect(collection.updateOne({ _id: 1 } as never, update)).rejects.toMatchObject({ code });
    expect(await collection.findOne()).toEqual({ _id: 1, ...(await stored(before)) });
  });

  const stored = async (doc: Plain): Promise<Plain> => Promise.resolve(BSON.deserialize(BSON.serialize(doc)));

  it('should resolve $ by the condition on the array', async () => {
    const collection = await prepared({
      items: [
        { k: 'a', v: 1 },
        { k: 'b', v: 2 },
      ],
      n: [1, 5, 9],
    });
    await collection.updateOne({ 'items.k': 'b' }, { $set: { 'items.$.v': 7 } });
    await collection.updateOne({ n: { $gte: 5 } }, { $set: { 'n.$': 0 } });
    await collection.updateOne({ items: { $elemMatch: { k: 'a', v: 1 } } }, { $inc: { 'items.$.v': 1 } });
    expect(await collection.findOne()).toMatchObject({ items: [{ v: 2 }, { v: 7 }], n: [1, 0, 9] });
  });

  it('should take every position from the document as it was before the update', async () => {
    const items = [
      { k: 'a', v: 1 },
      { k: 'a', v: 2 },
    ];
    let collection = await prepared({ items });
    await collection.updateOne({ 'items.k': 'a' }, { $set: { 'items.$.k': 'z', 'items.$.v': 9 } });
    expect(await collection.findOne()).toMatchObject({ items: [{ k: 'z', v: 9 }, items[1]] });
    collection = await prepared({ items });
    const change = { $set: { 'items.$[i].v': 5 }, $unset: { 'items.$[i].k': '' }, $inc: { 'items.$[i].n': 1 } };
    await collection.updateOne({}, change, { arrayFilters: [{ 'i.k': 'a', 'i.v': 2 }] });
    expect(await collection.findOne()).toMatchObject({ items: [items[0], { v: 5, n: 1 }] });
    const twice = collection.updateOne(
      {},
      { $inc: { 'items.$[].v': 1, 'items.$[i].v': 1 } },
      { arrayFilters: [{ i: { $exists: true } }] },
    );
    await expect(twice).rejects.toMatchObject({ code: 40 });
  });

  it('should refuse a command with an unknown field in any statement before it does the others', async () => {
    const collection = await prepared({});
    const updates = [
      { q: {}, u: { $set: { a: 1 } } },
      { q: {}, u: { $set: { b: 1 } }, sort: { a: 1 } },
    ];
    const command = running.client.db('update').command({ update: 'things', updates });
    await expect(command).rejects.toMatchObject({ code: 40415 });
    expect(await collection.findOne()).toEqual({ _id: 1 });
  });

  it('should seed an upsert with the equalities of the filter', async () => {
    const collection = await prepared({});
    const result = await collection.updateOne(
      { 'k.x': 1, b: { $eq: 2 }, c: { $gt: 5 }, $and: [{ d: 4 }], e: { $in: [6] } },
      { $set: { z: 1 }, $setOnInsert: { born: true } },
      { upsert: true },
    );
    expect(await collection.findOne({ z: 1 }, { projection: { _id: 0 } })).toEqual({
      k: { x: 1 },
      b: 2,
      d: 4,
      e: 6,
      born: true,
      z: 1,
    });
    expect(result).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1 });
    await collection.updateOne({ z: 1 }, { $setOnInsert: { born: false } }, { upsert: true });
    expect(await collection.findOne({ z: 1 })).toMatchObject({ born: true });
  });

  it('should let one of many concurrent claims win', async () => {
    const collection = running.client.db('update').collection<{ state: string; n: number }>('claims');
    await collection.insertMany(Array.from({ length: 20 }, (_, n) => ({ state: 'pending', n })));
    const claimed = await Promise.all(
      Array.from({ length: 40 }, () =>
        collection.findOneAndUpdate({ state: 'pending' }, { $set: { state: 'claimed' } }, { sort: { n: 1 } }),
      ),
    );
    const won = claimed.flatMap((doc) => (doc ? [doc.n] : []));
    expect(won.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });
});
