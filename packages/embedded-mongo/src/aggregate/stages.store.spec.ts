import { Long, startTestServer, type TestServer } from '../../test/support/server.js';

type Plain = Record<string, unknown>;

/** What stages make of arrays and of missing values. */
const CASES: [what: string, documents: Plain[], pipeline: Plain[], result: unknown[]][] = [
  ['$unwind not to look into arrays on the way', [{ a: [{ c: 1 }, { c: 2 }] }], [{ $unwind: '$a.c' }], []],
  [
    '$unwind to count with longs',
    [{ a: ['x'] }],
    [{ $unwind: { path: '$a', includeArrayIndex: 'at' } }, { $project: { _id: 0, at: { $type: '$at' } } }],
    [{ at: 'long' }],
  ],
  [
    '$project to compute inside of arrays',
    [{ _id: 1, a: [{ c: 1 }, 5], x: 7 }],
    [{ $project: { 'a.b': '$x' } }],
    [{ _id: 1, a: [{ b: 7 }, { b: 7 }] }],
  ],
  [
    '$lookup by every value inside nested arrays',
    [{ _id: 1, a: [{ b: [10, 20] }, { b: 30 }] }],
    [
      { $lookup: { from: 'others', localField: 'a.b', foreignField: 'n', as: 'found' } },
      { $project: { found: '$found._id' } },
    ],
    [{ _id: 1, found: [1, 2, 3] }],
  ],
  [
    '$unionWith to add what another collection gives, after what there is',
    [{ _id: 7 }],
    [{ $unionWith: { coll: 'others', pipeline: [{ $match: { n: { $gt: 10 } } }, { $count: 'many' }] } }],
    [{ _id: 7 }, { many: 3 }],
  ],
  [
    '$unionWith to add a whole collection, also to nothing, and other stages to see all of it',
    [{ _id: 7 }],
    [
      { $match: { _id: 'none' } },
      { $unionWith: 'others' },
      { $unionWith: { coll: 'none' } },
      { $group: { _id: null, sum: { $sum: '$n' } } },
    ],
    [{ _id: null, sum: 100 }],
  ],
  [
    '$group to round a sum of doubles once',
    [{ v: 0.1 }, { v: 0.2 }, { v: 0.3 }],
    [{ $group: { _id: null, sum: { $sum: '$v' } } }],
    [{ _id: null, sum: 0.6 }],
  ],
  [
    '$group to sum longs exactly',
    [{ v: Long.fromString('9007199254740993') }, { v: 2 }],
    [{ $group: { _id: null, sum: { $sum: '$v' } } }, { $project: { _id: 0, sum: { $toString: '$sum' } } }],
    [{ sum: '9007199254740995' }],
  ],
];

describe('stages', () => {
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
    await running.client
      .db('stages')
      .collection<{ _id: number; n: number }>('others')
      .insertMany([1, 2, 3, 4].map((_id) => ({ _id, n: _id * 10 })));
  });

  afterAll(async () => {
    await running.stop();
  });

  it.each(CASES)('should let %s', async (_, documents, pipeline, result) => {
    const collection = running.client.db('stages').collection('things');
    await collection.deleteMany({});
    await collection.insertMany(documents.map((document) => ({ ...document })));
    expect(await collection.aggregate(pipeline).toArray()).toEqual(result);
  });

  it('should give all stages the same now', async () => {
    const collection = running.client.db('stages').collection<{ _id: number }>('many');
    await collection.insertMany(Array.from({ length: 3000 }, (_, _id) => ({ _id })));
    const found = await collection.aggregate([{ $group: { _id: '$$NOW' } }]).toArray();
    expect(found).toHaveLength(1);
  });
});
