import { Double, Long, startTestServer, type TestServer } from '../test/support/server.js';

type Plain = Record<string, unknown>;

const ORDERS = [
  { _id: 1, who: 'ann', sum: 10, tags: ['a', 'b'], at: new Date('2026-03-05T10:20:30.400Z'), sub: { x: 1 } },
  { _id: 2, who: 'bob', sum: 25, tags: [], at: new Date('2026-03-06T00:00:00Z') },
  { _id: 3, who: 'ann', sum: 2.5, tags: ['b'], at: new Date('2026-04-01T00:00:00Z'), sub: { x: 2, y: [1, 2] } },
  { _id: 4, who: null, sum: 5, at: new Date('2025-12-31T23:59:59Z') },
];

const PIPELINES: [what: string, pipeline: Plain[], result: unknown[]][] = [
  [
    '$match and $sort and $limit',
    [{ $match: { sum: { $gt: 2 } } }, { $sort: { sum: -1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { _id: 1 } }],
    [{ _id: 1 }, { _id: 4 }],
  ],
  ['$limit before $sort', [{ $limit: 2 }, { $sort: { sum: -1 } }, { $project: { _id: 1 } }], [{ _id: 2 }, { _id: 1 }]],
  [
    '$group with all accumulators',
    [
      { $match: { who: 'ann' } },
      {
        $group: {
          _id: '$who',
          n: { $sum: 1 },
          total: { $sum: '$sum' },
          avg: { $avg: '$sum' },
          min: { $min: '$sum' },
          max: { $max: '$sum' },
          ids: { $push: '$_id' },
          first: { $first: '$_id' },
          last: { $last: '$_id' },
          c: { $count: {} },
        },
      },
    ],
    [{ _id: 'ann', n: 2, total: 12.5, avg: 6.25, min: 2.5, max: 10, ids: [1, 3], first: 1, last: 3, c: 2 }],
  ],
  [
    '$group by a document',
    [{ $group: { _id: { w: '$who' }, n: { $sum: 1 } } }, { $sort: { '_id.w': 1 } }],
    [
      { _id: { w: null }, n: 1 },
      { _id: { w: 'ann' }, n: 2 },
      { _id: { w: 'bob' }, n: 1 },
    ],
  ],
  [
    '$group of null, the count of drivers',
    [{ $match: { who: 'ann' } }, { $group: { _id: 1, n: { $sum: 1 } } }],
    [{ _id: 1, n: 2 }],
  ],
  ['$count', [{ $match: { who: 'ann' } }, { $count: 'n' }], [{ n: 2 }]],
  ['$count of nothing', [{ $match: { who: 'zoe' } }, { $count: 'n' }], []],
  ['$group of nothing', [{ $match: { who: 'zoe' } }, { $group: { _id: null, n: { $sum: 1 } } }], []],
  ['$count after a limit', [{ $limit: 3 }, { $count: 'n' }], [{ n: 3 }]],
  [
    '$unwind',
    [{ $unwind: '$tags' }, { $project: { tags: 1 } }],
    [
      { _id: 1, tags: 'a' },
      { _id: 1, tags: 'b' },
      { _id: 3, tags: 'b' },
    ],
  ],
  [
    '$unwind that keeps',
    [
      { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
      { $project: { tags: 1, i: 1 } },
    ],
    [
      { _id: 1, tags: 'a', i: 0 },
      { _id: 1, tags: 'b', i: 1 },
      { _id: 2, i: null },
      { _id: 3, tags: 'b', i: 0 },
      { _id: 4, i: null },
    ],
  ],
  [
    '$sortByCount',
    [{ $unwind: '$tags' }, { $sortByCount: '$tags' }],
    [
      { _id: 'b', count: 2 },
      { _id: 'a', count: 1 },
    ],
  ],
  [
    '$addFields with a dotted path',
    [{ $match: { _id: 1 } }, { $addFields: { 'sub.z': '$sum', 'sub.gone': '$nothing' } }, { $project: { sub: 1 } }],
    [{ _id: 1, sub: { x: 1, z: 10 } }],
  ],
  [
    '$project of missing fields',
    [{ $match: { _id: 4 } }, { $project: { t: '$tags', n: { $ifNull: ['$nothing', 'none'] } } }],
    [{ _id: 4, n: 'none' }],
  ],
  [
    '$replaceRoot and $unset',
    [
      { $match: { _id: 3 } },
      { $replaceRoot: { newRoot: { $mergeObjects: [{ y: 0, z: 3 }, '$sub'] } } },
      { $unset: 'z' },
    ],
    [{ y: [1, 2], x: 2 }],
  ],
  [
    '$facet',
    [
      {
        $facet: {
          one: [{ $match: { _id: 1 } }, { $project: { _id: 1 } }],
          n: [{ $count: 'n' }],
          none: [{ $match: { _id: 99 } }],
        },
      },
    ],
    [{ one: [{ _id: 1 }], n: [{ n: 4 }], none: [] }],
  ],
  [
    '$lookup by fields',
    [
      { $match: { _id: { $lte: 2 } } },
      { $lookup: { from: 'people', localField: 'who', foreignField: 'name', as: 'p' } },
      { $project: { p: 1 } },
    ],
    [
      { _id: 1, p: [{ _id: 'p1', name: 'ann' }] },
      { _id: 2, p: [] },
    ],
  ],
  [
    '$lookup by pipeline',
    [
      { $match: { _id: 1 } },
      {
        $lookup: {
          from: 'people',
          let: { w: '$who' },
          pipeline: [{ $match: { $expr: { $eq: ['$name', '$$w'] } } }, { $project: { _id: 0 } }],
          as: 'p',
        },
      },
      { $project: { p: 1 } },
    ],
    [{ _id: 1, p: [{ name: 'ann' }] }],
  ],
];

const EXPRESSIONS: [expression: unknown, value: unknown][] = [
  [{ $add: [1, 2.5] }, 3.5],
  [{ $add: ['$at', 1000] }, new Date('2026-03-05T10:20:31.400Z')],
  [{ $add: ['$nothing', 1] }, null],
  [{ $subtract: ['$at', new Date('2026-03-05T10:20:30Z')] }, 400],
  [{ $multiply: ['$sum', 2] }, 20],
  [{ $divide: [7, 2] }, 3.5],
  [{ $mod: [-7, 3] }, -1],
  [{ $abs: -3 }, 3],
  [{ $floor: -1.5 }, -2],
  [{ $round: [2.567, 2] }, 2.57],
  [{ $round: 2.5 }, 2],
  [{ $trunc: 2.9 }, 2],
  [{ $concat: ['a', '$who', '!'] }, 'aann!'],
  [{ $concat: ['a', null] }, null],
  [{ $toUpper: '$who' }, 'ANN'],
  [{ $substrCP: ['hello', 1, 3] }, 'ell'],
  [{ $strLenCP: 'h\u{1f600}' }, 2],
  [{ $split: ['a,b', ','] }, ['a', 'b']],
  [{ $trim: { input: ' x ' } }, 'x'],
  [{ $regexMatch: { input: 'Hello', regex: '^h', options: 'i' } }, true],
  [{ $replaceAll: { input: 'a-b-c', find: '-', replacement: '+' } }, 'a+b+c'],
  [{ $cond: [{ $gt: ['$sum', 5] }, 'big', 'small'] }, 'big'],
  [{ $cond: { if: '$nothing', then: 1, else: 2 } }, 2],
  [{ $switch: { branches: [{ case: { $eq: ['$who', 'ann'] }, then: 'A' }], default: 'X' } }, 'A'],
  [{ $eq: ['$nothing', null] }, false],
  [{ $lt: ['$nothing', null] }, true],
  [{ $gt: ['a', 5] }, true],
  [{ $cmp: [2, 10] }, -1],
  [{ $and: ['$sum', '$nothing'] }, false],
  [{ $not: [0] }, true],
  [{ $in: ['b', '$tags'] }, true],
  [{ $size: '$tags' }, 2],
  [{ $arrayElemAt: ['$tags', -1] }, 'b'],
  [{ $slice: ['$tags', 1] }, ['a']],
  [{ $concatArrays: ['$tags', ['c']] }, ['a', 'b', 'c']],
  [{ $filter: { input: '$tags', as: 't', cond: { $eq: ['$$t', 'b'] } } }, ['b']],
  [{ $map: { input: '$tags', in: { $concat: ['$$this', '!'] } } }, ['a!', 'b!']],
  [{ $reduce: { input: [1, 2, 3], initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6],
  [{ $let: { vars: { x: 2 }, in: { $multiply: ['$$x', '$$x'] } } }, 4],
  [{ $setUnion: [['b', 'a'], ['a']] }, ['a', 'b']],
  [{ $objectToArray: '$sub' }, [{ k: 'x', v: 1 }]],
  [{ $arrayToObject: [[{ k: 'a', v: 1 }]] }, { a: 1 }],
  [{ $dateToString: { date: '$at', format: '%Y-%m-%dT%H:%M' } }, '2026-03-05T10:20'],
  [{ $dateTrunc: { date: '$at', unit: 'day' } }, new Date('2026-03-05T00:00:00Z')],
  [{ $year: '$at' }, 2026],
  [{ $dayOfWeek: '$at' }, 5],
  [{ $dateAdd: { startDate: '$at', unit: 'day', amount: 1 } }, new Date('2026-03-06T10:20:30.400Z')],
  [{ $dateDiff: { startDate: new Date('2026-03-01T00:00:00Z'), endDate: '$at', unit: 'day' } }, 4],
  [{ $toString: 5 }, '5'],
  [{ $toInt: '12' }, 12],
  [{ $toDate: '2026-01-01T00:00:00Z' }, new Date('2026-01-01T00:00:00Z')],
  [{ $type: '$tags' }, 'array'],
  [{ $type: '$nothing' }, 'missing'],
  [{ $literal: '$who' }, '$who'],
  [{ $sum: [1, '$sum', 'x'] }, 11],
  [{ $max: [1, null, 7] }, 7],
  [{ $getField: { field: 'who', input: '$$ROOT' } }, 'ann'],
  [{ a: '$sum', gone: '$nothing' }, { a: 10 }],
  [
    ['$sum', '$nothing'],
    [10, null],
  ],
];

const REFUSED: [pipeline: Plain[], code: number][] = [
  [[{ $out: 5 }], 14],
  [[{ $out: 'x' }, { $match: {} }], 40324],
  [[{ $merge: { into: 'x', on: 'unindexed' } }], 51183],
  [[{ $merge: { into: 'x', whenMatched: 'x' } }], 2],
  [[{ $documents: [] }], 40324],
  [[{ $sample: { size: 0 } }], 28747],
  [[{ $bucket: { groupBy: '$a', boundaries: [2, 1] } }], 9],
  [[{ $bucketAuto: { groupBy: '$a', buckets: 0 } }], 5787902],
  [[{ $graphLookup: { from: 'x' } }], 9],
  [[{ $group: { _id: null, x: { $topN: { n: 0, sortBy: { a: 1 }, output: 1 } } } }], 5787902],
  [[{ $geoNear: {} }], 40324],
  [[{ $match: 5 }], 15959],
  [[{ $project: {} }], 51272],
  [[{ $group: { n: { $sum: 1 } } }], 15955],
  [[{ $group: { _id: 1, n: { $frobnicate: 1 } } }], 15952],
  [[{ $limit: 0 }], 15958],
  [[{ $unwind: 'tags' }], 28818],
  [[{ $project: { x: { $frobnicate: 1 } } }], 168],
  [[{ $project: { x: '$$nothing' } }], 17276],
];

describe('aggregate', () => {
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
    await things().insertMany(ORDERS.map((doc) => ({ ...doc })) as never[]);
    await running.client
      .db('agg')
      .collection<{ _id: string; name: string }>('people')
      .insertOne({ _id: 'p1', name: 'ann' });
  });

  afterAll(async () => {
    await running.stop();
  });

  const things = (): ReturnType<ReturnType<TestServer['client']['db']>['collection']> =>
    running.client.db('agg').collection('orders');

  it.each(PIPELINES)('should do %s', async (_, pipeline, result) => {
    expect(await things().aggregate(pipeline).toArray()).toEqual(result);
  });

  it.each(EXPRESSIONS)('should evaluate %j', async (expression, value) => {
    const [found] = await things()
      .aggregate([{ $match: { _id: 1 } }, { $project: { _id: 0, value: expression } }])
      .toArray();
    expect(found).toEqual({ value });
  });

  it.each(REFUSED)('should refuse %j with code %i', async (pipeline, code) => {
    await expect(things().aggregate(pipeline).toArray()).rejects.toMatchObject({ code });
  });

  it('should keep the types of what passes through and refuse to compute with what it cannot hold', async () => {
    const wide = running.client.db('agg').collection<{ _id: number; l: unknown; d: unknown }>('wide');
    await wide.insertOne({ _id: 1, l: Long.fromString('9007199254740993'), d: new Double(2) });
    const [doc] = await wide
      .aggregate([{ $project: { l: 1, d: '$d', more: { $add: ['$l', 1] } } }], { promoteValues: false })
      .toArray();
    expect(doc).toMatchObject({
      l: Long.fromString('9007199254740993'),
      d: new Double(2),
      more: Long.fromString('9007199254740994'),
    });
    await expect(wide.aggregate([{ $project: { x: { $pow: ['$l', 2] } } }]).toArray()).rejects.toMatchObject({
      code: 238,
    });
  });
});
