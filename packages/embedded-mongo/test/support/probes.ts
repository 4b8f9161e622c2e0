import mongoose, { Schema, type Connection, type Model } from 'mongoose';
import { Decimal128, type Client } from './server.js';

/** A feature of MongoDB that a program may ask for. */
export interface Probe {
  area: string;
  name: string;
  run(at: Place): Promise<unknown>;
  /** What it has to give. A refusal has to say this instead. */
  gives?: unknown;
  refused?: RegExp;
}

export interface Place {
  client: Client;
  db: ReturnType<Client['db']>;
  connection: Connection;
}

type Json = Record<string, unknown>;
interface Row {
  _id: number;
  name?: string;
  team?: string;
  n?: number;
  at?: Date;
  tags?: string[];
  boss?: number | null;
  price?: unknown;
}

const PEOPLE: Row[] = [
  { _id: 1, name: 'Anna', team: 'red', n: 10, at: new Date('2026-03-29T00:30:00Z'), tags: ['a', 'b'], boss: null },
  { _id: 2, name: 'ben', team: 'blue', n: 20, at: new Date('2026-03-29T12:00:00Z'), tags: ['b'], boss: 1 },
  { _id: 3, name: 'Carl', team: 'red', n: 30, at: new Date('2026-10-25T00:30:00Z'), tags: [], boss: 2 },
];

export async function fill({ db }: Place): Promise<void> {
  await db.dropDatabase();
  await db.collection<Row>('people').insertMany(PEOPLE.map((person) => ({ ...person })));
}

const people = ({ db }: Place) => db.collection<Row>('people');
const ids = (documents: { _id: unknown }[]): unknown[] => documents.map(({ _id }) => _id);

const pipeline = (area: string, name: string, stages: Json[], gives: unknown): Probe => ({
  area,
  name,
  gives,
  run: (at) => people(at).aggregate(stages).toArray(),
});

const accumulator = (name: string, field: Json, gives: unknown): Probe =>
  pipeline('Groups', name, [{ $sort: { _id: 1 } }, { $group: { _id: null, x: field } }], [{ _id: null, x: gives }]);

const expression = (name: string, x: unknown, gives: unknown): Probe =>
  pipeline('Expressions', name, [{ $match: { _id: 1 } }, { $project: { _id: 0, x } }], [{ x: gives }]);

const refusedStage = (stage: string, argument: unknown, refused: RegExp): Probe => ({
  area: 'Stages',
  name: stage,
  refused,
  run: (at) =>
    people(at)
      .aggregate([{ [stage]: argument }])
      .toArray(),
});

const index = (name: string, key: Json, options: Json, refused?: RegExp): Probe => ({
  area: 'Indexes',
  name,
  ...(refused ? { refused } : { gives: 'x' }),
  run: (at) => people(at).createIndex(key as never, { ...options, name: 'x' }),
});

const query = (name: string, filter: Json, gives: unknown, options: Json = {}): Probe => ({
  area: 'Queries',
  name,
  gives,
  run: async (at) =>
    ids(
      await people(at)
        .find(filter, { sort: { _id: 1 }, ...options })
        .toArray(),
    ),
});

const refusedQuery = (name: string, filter: Json, refused: RegExp): Probe => ({
  area: 'Queries',
  name,
  refused,
  run: (at) => people(at).find(filter).toArray(),
});

const refusedCommand = (area: string, name: string, command: Json, refused: RegExp): Probe => ({
  area,
  name,
  refused,
  run: ({ db }) => db.command(command),
});

const modelOf = (connection: Connection, name: string, schema: Schema, collection: string): Model<Json> =>
  (connection.models[name] as Model<Json> | undefined) ??
  (connection.model(name, schema, collection) as unknown as Model<Json>);

const models = ({ connection }: Place) => ({
  Person: modelOf(connection, 'Person', PERSON, 'people'),
  Note: modelOf(connection, 'Note', NOTE, 'notes'),
});
const PERSON = new Schema({
  _id: Number,
  name: String,
  team: String,
  n: Number,
  boss: { type: Number, ref: 'Person' },
});
PERSON.virtual('reports', { ref: 'Person', localField: '_id', foreignField: 'boss' });
const NOTE = new Schema(
  { text: String, price: Schema.Types.Decimal128, parts: [String] },
  { optimisticConcurrency: true },
);

const inTransaction = async (at: Place): Promise<unknown> => {
  await at.connection.transaction(async (session) => {
    await models(at).Note.create([{ text: 'one' }], { session });
    await models(at).Person.updateOne({ _id: 1 }, { $set: { n: 0 } }, { session });
  });
  return (await people(at).findOne({ _id: 1 }))?.n;
};

const WORKS: Probe[] = [
  {
    area: 'Mongoose',
    name: 'populate',
    gives: 'Anna',
    run: async (at) => ((await models(at).Person.findById(2).populate('boss'))?.get('boss') as Json).name,
  },
  {
    area: 'Mongoose',
    name: 'populate with match, sort and limit',
    gives: [2],
    run: async (at) =>
      (
        (
          await models(at)
            .Person.findById(1)
            .populate({ path: 'reports', match: { n: { $gt: 1 } }, options: { sort: { n: -1 }, limit: 1 } })
        )?.get('reports') as Json[]
      ).map(({ _id }) => _id),
  },
  {
    area: 'Mongoose',
    name: 'populate of virtuals',
    gives: 1,
    run: async (at) => ((await models(at).Person.findById(1).populate('reports'))?.get('reports') as Json[]).length,
  },
  {
    area: 'Mongoose',
    name: 'discriminators',
    gives: 'Big',
    run: async ({ connection }) => {
      const Base = connection.model('Base', new Schema({ a: Number }));
      const Big = Base.discriminator('Big', new Schema({ b: Number }));
      await Big.create({ a: 1, b: 2 });
      const found = await Base.findOne().lean<Json>();
      connection.deleteModel(/Base|Big/);
      return found?.__t;
    },
  },
  {
    area: 'Mongoose',
    name: 'optimistic concurrency',
    gives: 'VersionError',
    run: async (at) => {
      const note = await models(at).Note.create({ text: 'a' });
      const same = await models(at).Note.findById(note._id).orFail();
      note.set('text', 'b');
      await note.save();
      same.set('text', 'c');
      return same.save().then(
        () => '',
        (error: Error) => error.name,
      );
    },
  },
  {
    area: 'Mongoose',
    name: 'syncIndexes',
    gives: ['_id_', 'team_1'],
    run: async ({ connection, db }) => {
      const Indexed = connection.model('Indexed', new Schema({ team: { type: String, index: true } }));
      await Indexed.syncIndexes();
      connection.deleteModel('Indexed');
      return (await db.collection('indexeds').indexes()).map(({ name }) => name);
    },
  },
  {
    area: 'Mongoose',
    name: 'maps, buffers and UUIDs',
    gives: 'v',
    run: async ({ connection }) => {
      const Typed = connection.model(
        'Typed',
        new Schema({ m: { type: Map, of: String }, b: Buffer, u: Schema.Types.UUID }),
      );
      await Typed.create({ m: { k: 'v' }, b: Buffer.from('x'), u: new mongoose.Types.UUID() });
      const found = await Typed.findOne();
      connection.deleteModel('Typed');
      return (found?.get('m') as Map<string, string>).get('k');
    },
  },
  {
    area: 'Mongoose',
    name: 'GridFS',
    gives: 'file',
    run: async ({ db }) => {
      const bucket = new mongoose.mongo.GridFSBucket(db);
      const up = bucket.openUploadStream('f');
      await new Promise<void>((done) => up.end(Buffer.from('file'), () => done()));
      const parts: Buffer[] = [];
      for await (const part of bucket.openDownloadStream(up.id)) parts.push(part as Buffer);
      return Buffer.concat(parts).toString();
    },
  },
  {
    area: 'Transactions',
    name: '`startSession`',
    gives: true,
    run: ({ client }) => client.withSession((session) => Promise.resolve(session.id !== undefined)),
  },
  { area: 'Transactions', name: '`connection.transaction`, `session.withTransaction`', gives: 0, run: inTransaction },
  {
    area: 'Transactions',
    name: 'retryable writes in the URI',
    gives: 'inserted',
    run: async (at) => {
      await people(at).insertOne({ _id: 9 });
      return 'inserted';
    },
  },
  {
    area: 'Transactions',
    name: 'write concern `majority`',
    gives: 1,
    run: async (at) =>
      (await people(at).updateOne({ _id: 1 }, { $set: { n: 1 } }, { writeConcern: { w: 'majority', j: true } }))
        .modifiedCount,
  },
  pipeline(
    'Stages',
    '$lookup',
    [
      { $match: { _id: 2 } },
      { $lookup: { from: 'people', localField: 'boss', foreignField: '_id', as: 'x' } },
      { $project: { x: '$x.name' } },
    ],
    [{ _id: 2, x: ['Anna'] }],
  ),
  pipeline(
    'Stages',
    '$lookup with let and pipeline',
    [
      { $match: { _id: 2 } },
      {
        $lookup: {
          from: 'people',
          let: { b: '$boss' },
          pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$b'] } } }],
          as: 'x',
        },
      },
      { $project: { x: { $size: '$x' } } },
    ],
    [{ _id: 2, x: 1 }],
  ),
  pipeline(
    'Stages',
    '$lookup with fields and pipeline',
    [
      { $match: { _id: 2 } },
      {
        $lookup: {
          from: 'people',
          localField: 'boss',
          foreignField: '_id',
          pipeline: [{ $project: { n: 1 } }],
          as: 'x',
        },
      },
      { $project: { x: '$x.n' } },
    ],
    [{ _id: 2, x: [10] }],
  ),
  pipeline('Stages', '$facet', [{ $facet: { a: [{ $count: 'n' }] } }], [{ a: [{ n: 3 }] }]),
  pipeline('Stages', '$unwind', [{ $unwind: '$tags' }, { $count: 'n' }], [{ n: 3 }]),
  pipeline('Stages', '$unionWith', [{ $unionWith: 'people' }, { $count: 'n' }], [{ n: 6 }]),
  pipeline(
    'Stages',
    '$sortByCount',
    [{ $sortByCount: '$team' }],
    [
      { _id: 'red', count: 2 },
      { _id: 'blue', count: 1 },
    ],
  ),
  pipeline('Stages', '$sample', [{ $sample: { size: 2 } }, { $count: 'n' }], [{ n: 2 }]),
  pipeline(
    'Stages',
    '$bucket',
    [{ $bucket: { groupBy: '$n', boundaries: [0, 15, 40] } }],
    [
      { _id: 0, count: 1 },
      { _id: 15, count: 2 },
    ],
  ),
  pipeline(
    'Stages',
    '$bucketAuto',
    [{ $bucketAuto: { groupBy: '$n', buckets: 2 } }],
    [
      { _id: { min: 10, max: 30 }, count: 2 },
      { _id: { min: 30, max: 30 }, count: 1 },
    ],
  ),
  pipeline(
    'Stages',
    '$graphLookup',
    [
      { $match: { _id: 3 } },
      {
        $graphLookup: {
          from: 'people',
          startWith: '$boss',
          connectFromField: 'boss',
          connectToField: '_id',
          as: 'x',
          depthField: 'd',
        },
      },
      { $project: { x: { $sortArray: { input: '$x.d', sortBy: 1 } } } },
    ],
    [{ _id: 3, x: [0, 1] }],
  ),
  {
    area: 'Stages',
    name: '$out',
    gives: [1, 2, 3],
    run: async (at) => {
      await people(at)
        .aggregate([{ $out: 'copy' }])
        .toArray();
      return ids(await at.db.collection<Row>('copy').find().toArray());
    },
  },
  {
    area: 'Stages',
    name: '$merge',
    gives: 11,
    run: async (at) => {
      await people(at)
        .aggregate([
          { $match: { _id: 1 } },
          { $set: { n: 11 } },
          { $merge: { into: 'people', on: '_id', whenMatched: 'merge' } },
        ])
        .toArray();
      return (await people(at).findOne({ _id: 1 }))?.n;
    },
  },
  {
    area: 'Stages',
    name: '$documents',
    gives: [{ a: 2 }],
    run: ({ db }) => db.aggregate([{ $documents: [{ a: 1 }, { a: 2 }] }, { $match: { a: 2 } }]).toArray(),
  },
  accumulator('$sum', { $sum: '$n' }, 60),
  accumulator('$avg', { $avg: '$n' }, 20),
  accumulator('$min', { $min: '$n' }, 10),
  accumulator('$max', { $max: '$n' }, 30),
  accumulator('$first', { $first: '$n' }, 10),
  accumulator('$last', { $last: '$n' }, 30),
  accumulator('$push', { $push: '$n' }, [10, 20, 30]),
  accumulator('$addToSet', { $addToSet: 'x' }, ['x']),
  accumulator('$count', { $count: {} }, 3),
  accumulator('$stdDevPop', { $stdDevPop: '$n' }, Math.sqrt(200 / 3)),
  accumulator('$stdDevSamp', { $stdDevSamp: '$n' }, 10),
  accumulator('$top, $topN', { $topN: { n: 2, sortBy: { n: -1 }, output: '$_id' } }, [3, 2]),
  accumulator('$bottom, $bottomN', { $bottom: { sortBy: { n: -1 }, output: '$_id' } }, 1),
  accumulator('$firstN, $lastN, $minN, $maxN', { $lastN: { n: 2, input: '$n' } }, [20, 30]),
  expression(
    '$dateToString with a zone',
    { $dateToString: { date: '$at', format: '%H:%M', timezone: 'Europe/Berlin' } },
    '01:30',
  ),
  expression('$dateTrunc', { $dateTrunc: { date: '$at', unit: 'day' } }, new Date('2026-03-29T00:00:00Z')),
  expression(
    '$dateTrunc with a zone',
    { $dateTrunc: { date: '$at', unit: 'day', timezone: 'Europe/Berlin' } },
    new Date('2026-03-28T23:00:00Z'),
  ),
  expression('$hour with a zone', { $hour: { date: '$at', timezone: 'America/New_York' } }, 20),
  expression(
    '$dateFromString',
    { $dateFromString: { dateString: '2026-07-01 10:00', format: '%Y-%m-%d %H:%M', timezone: 'Europe/Berlin' } },
    new Date('2026-07-01T08:00:00Z'),
  ),
  expression(
    '$dateFromParts',
    { $dateFromParts: { year: 2026, month: 14, timezone: 'Asia/Tokyo' } },
    new Date('2027-01-31T15:00:00Z'),
  ),
  expression(
    '$regexFind',
    { $regexFind: { input: 'x-12', regex: '(\\d+)' } },
    { match: '12', idx: 2, captures: ['12'] },
  ),
  expression('$regexFindAll', { $size: { $regexFindAll: { input: 'a1b2', regex: '\\d' } } }, 2),
  expression('$zip', { $zip: { inputs: [['a'], [1]] } }, [['a', 1]]),
  expression('$sortArray', { $sortArray: { input: '$tags', sortBy: -1 } }, ['b', 'a']),
  expression('$convert', { $convert: { input: '12', to: 'int' } }, 12),
  expression('$toDecimal', { $toString: { $toDecimal: '1.50' } }, '1.50'),
  index('TTL', { at: 1 }, { expireAfterSeconds: 3600 }),
  index('unique', { name: 1 }, { unique: true }),
  index('partial', { name: 1 }, { partialFilterExpression: { n: { $gt: 1 } } }),
  index('unique and sparse', { x: 1 }, { unique: true, sparse: true }),
  index('hidden', { name: 1 }, { hidden: true }),
  {
    area: 'Indexes',
    name: 'Decimal128',
    gives: [2],
    run: async ({ db }) => {
      const prices = db.collection<Row>('prices');
      await prices.createIndex({ price: 1 }, { name: 'price' });
      await prices.insertMany([
        { _id: 1, price: Decimal128.fromString('0.1') },
        { _id: 2, price: Decimal128.fromString('0.3') },
      ]);
      return ids(await prices.find({ price: { $gt: 0.2 } }, { hint: 'price' }).toArray());
    },
  },
  {
    area: 'Queries',
    name: 'sort of Decimal128',
    gives: [2, 1],
    run: async ({ db }) => {
      const prices = db.collection<Row>('prices');
      await prices.insertMany([
        { _id: 1, price: Decimal128.fromString('10.5') },
        { _id: 2, price: Decimal128.fromString('2.5') },
      ]);
      return ids(await prices.find().sort({ price: 1 }).toArray());
    },
  },
  {
    area: 'Updates',
    name: '$inc of Decimal128',
    gives: '0.3',
    run: async ({ db }) => {
      const prices = db.collection<Row>('prices');
      await prices.insertOne({ _id: 1, price: Decimal128.fromString('0.1') });
      await prices.updateOne({}, { $inc: { price: Decimal128.fromString('0.2') } } as never);
      return String((await prices.findOne())?.price);
    },
  },
  query('sort', {}, [3, 1, 2], { sort: { team: -1, n: -1 } }),
  query('regular expressions with the option i', { name: /^b/i }, [2]),
  query('natural order', {}, [3, 2, 1], { sort: { $natural: -1 } }),
  query('collation (strength 1 to 3) in filters', { name: { $in: ['BEN', 'anna'] } }, [1, 2], {
    collation: { locale: 'en', strength: 2 },
  }),
  query('collation in sorts', {}, [1, 2, 3], { sort: { name: 1 }, collation: { locale: 'en' } }),
  query('skip and hint', {}, [3], { skip: 2, hint: '_id_' }),
  {
    area: 'Queries',
    name: '$elemMatch projection',
    gives: ['b'],
    run: async (at) =>
      (await people(at).findOne({ _id: 1 }, { projection: { tags: { $elemMatch: { $eq: 'b' } } } }))?.tags,
  },
  {
    area: 'Queries',
    name: 'positional projection',
    gives: ['b'],
    run: async (at) => (await people(at).findOne({ tags: 'b' }, { projection: { 'tags.$': 1 } }))?.tags,
  },
  {
    area: 'Queries',
    name: 'countDocuments, estimatedDocumentCount',
    gives: [2, 3],
    run: async (at) => [await people(at).countDocuments({ team: 'red' }), await people(at).estimatedDocumentCount()],
  },
  { area: 'Queries', name: 'distinct', gives: ['blue', 'red'], run: (at) => people(at).distinct('team') },
  {
    area: 'Queries',
    name: 'cursors with batches',
    gives: 3,
    run: async (at) => {
      let n = 0;
      for await (const _ of people(at).find({}, { batchSize: 1 })) n += _ ? 1 : 0;
      return n;
    },
  },
  {
    area: 'Queries',
    name: 'cursors of aggregations',
    gives: 3,
    run: async (at) => {
      let n = 0;
      for await (const _ of people(at).aggregate([], { batchSize: 1 })) n += _ ? 1 : 0;
      return n;
    },
  },
  {
    area: 'Queries',
    name: 'explain, every verbosity',
    gives: [3, 2],
    run: async (at) => {
      const plain = (await people(at).find().explain()) as { executionStats: Json };
      const group = (await people(at)
        .aggregate([{ $match: { team: 'red' } }, { $sort: { n: 1 } }])
        .explain('executionStats')) as { executionStats: Json };
      return [plain.executionStats.nReturned, group.executionStats.nReturned];
    },
  },
  {
    area: 'Updates',
    name: 'arrayFilters',
    gives: ['a', 'z'],
    run: async (at) => {
      await people(at).updateOne({ _id: 1 }, { $set: { 'tags.$[t]': 'z' } }, { arrayFilters: [{ t: 'b' }] });
      return (await people(at).findOne({ _id: 1 }))?.tags;
    },
  },
  {
    area: 'Updates',
    name: 'the position `$`',
    gives: ['z', 'b'],
    run: async (at) => {
      await people(at).updateOne({ _id: 1, tags: 'a' }, { $set: { 'tags.$': 'z' } });
      return (await people(at).findOne({ _id: 1 }))?.tags;
    },
  },
  {
    area: 'Updates',
    name: 'pipelines',
    gives: 20,
    run: async (at) => {
      await people(at).updateOne({ _id: 1 }, [{ $set: { n: { $multiply: ['$n', 2] } } }]);
      return (await people(at).findOne({ _id: 1 }))?.n;
    },
  },
  {
    area: 'Updates',
    name: 'findOneAndUpdate with sort, projection, upsert and new',
    gives: { n: 31 },
    run: (at) =>
      people(at).findOneAndUpdate(
        {},
        { $inc: { n: 1 } },
        { sort: { n: -1 }, projection: { n: 1, _id: 0 }, upsert: true, returnDocument: 'after' },
      ),
  },
  {
    area: 'Updates',
    name: 'findOneAndUpdate with its metadata',
    gives: true,
    run: async (at) =>
      (await people(at).findOneAndUpdate({ _id: 1 }, { $set: { n: 1 } }, { includeResultMetadata: true }))
        .lastErrorObject?.updatedExisting as unknown,
  },
  {
    area: 'Updates',
    name: 'findOneAndReplace',
    gives: { _id: 1, name: 'Anna' },
    run: async (at) => {
      const found = await people(at).findOneAndReplace({ _id: 1 }, { n: 1 });
      return { _id: found?._id, name: found?.name };
    },
  },
  {
    area: 'Updates',
    name: 'findOneAndDelete',
    gives: 2,
    run: async (at) => (await people(at).findOneAndDelete({ _id: 2 }))?._id,
  },
  {
    area: 'Updates',
    name: 'bulkWrite',
    gives: [1, 1, 1],
    run: async (at) => {
      const { insertedCount, modifiedCount, deletedCount } = await people(at).bulkWrite([
        { insertOne: { document: { _id: 5 } } },
        { updateOne: { filter: { _id: 1 }, update: { $set: { n: 1 } } } },
        { deleteOne: { filter: { _id: 2 } } },
      ]);
      return [insertedCount, modifiedCount, deletedCount];
    },
  },
  {
    area: 'Updates',
    name: '`client.bulkWrite`',
    gives: [1, 1],
    run: async ({ client, db }) => {
      const { insertedCount, deletedCount } = await client.bulkWrite([
        { name: 'insertOne', namespace: `${db.databaseName}.other`, document: { a: 1 } as never },
        { name: 'deleteOne', namespace: `${db.databaseName}.people`, filter: { _id: 1 as never } },
      ]);
      return [insertedCount, deletedCount];
    },
  },
  {
    area: 'Updates',
    name: 'insertMany, unordered, with duplicates',
    gives: 1,
    run: (at) =>
      people(at)
        .insertMany([{ _id: 1 }, { _id: 8 }], { ordered: false })
        .then(
          () => 0,
          (error: { insertedCount: number }) => error.insertedCount,
        ),
  },
  {
    area: 'Collections',
    name: 'renameCollection',
    gives: 3,
    run: async (at) => {
      await people(at).rename('folk');
      return at.db.collection('folk').countDocuments();
    },
  },
  {
    area: 'Change streams',
    name: '`watch` of a collection and a database, with resume tokens and `updateLookup`',
    gives: 'insert',
    run: async (at) => {
      const stream = people(at).watch([], { maxAwaitTimeMS: 200 });
      try {
        await stream.tryNext();
        await people(at).insertOne({ _id: 7 });
        return (await stream.next()).operationType;
      } finally {
        await stream.close();
      }
    },
  },
];

const REFUSED: Probe[] = [
  {
    area: 'Change streams',
    name: 'documents before the change',
    refused: /keep what the program needs/,
    run: async (at) => {
      const stream = people(at).watch([], { fullDocumentBeforeChange: 'required' });
      try {
        return await stream.tryNext();
      } finally {
        await stream.close();
      }
    },
  },
  {
    area: 'Transactions',
    name: 'read concern `snapshot` outside of a transaction',
    refused: /startTransaction/,
    run: ({ db }) => db.command({ find: 'people', readConcern: { level: 'snapshot' } }),
  },
  refusedStage('$setWindowFields', {}, /compute the window in the program/),
  refusedStage('$densify', {}, /in the program/),
  refusedStage('$fill', {}, /in the program/),
  refusedStage('$redact', {}, /use \$match and \$project/),
  refusedStage('$indexStats', {}, /explain shows/),
  refusedStage('$collStats', {}, /commands collStats and dbStats/),
  {
    area: 'Groups',
    name: '$percentile, $median',
    refused: /\$push/,
    run: (at) =>
      people(at)
        .aggregate([{ $group: { _id: null, x: { $percentile: { input: '$n', p: [0.5], method: 'approximate' } } } }])
        .toArray(),
  },
  {
    area: 'Expressions',
    name: '$function, $accumulator',
    refused: /expressions/,
    run: (at) =>
      people(at)
        .aggregate([{ $project: { x: { $function: {} } } }])
        .toArray(),
  },
  index('text', { name: 'text' }, {}, /\$regex.*search engine/),
  index('2dsphere, 2d', { place: '2dsphere' }, {}, /geohash/),
  index('hashed', { name: 'hashed' }, {}, /1 instead of 'hashed'/),
  index('wildcard', { 'extra.$**': 1 }, {}, /list of \{k, v\}/),
  index(
    'partial with $or or $ne',
    { name: 1 },
    { partialFilterExpression: { $or: [{ n: 1 }, { n: 2 }] } },
    /use equality/,
  ),
  index('with a collation', { name: 1 }, { collation: { locale: 'en', strength: 2 } }, /lower case/),
  refusedQuery('$text', { $text: { $search: 'a' } }, /\$regex.*search engine/),
  refusedQuery('$near, $geoWithin, $geoIntersects', { place: { $near: [1, 1] } }, /geohash/),
  refusedQuery('$where', { $where: 'true' }, /\$expr/),
  refusedQuery('regular expressions with the option x', { name: { $regex: 'a', $options: 'x' } }, /option x/),
  {
    area: 'Queries',
    name: '$group, $lookup and $expr with a collation',
    refused: /begin the pipeline with/,
    run: (at) =>
      people(at)
        .aggregate([{ $group: { _id: '$name' } }], { collation: { locale: 'en', strength: 2 } })
        .toArray(),
  },
  refusedCommand(
    'Collections',
    'capped collections, tailable cursors',
    { create: 'x', capped: true, size: 1000 },
    /TTL index/,
  ),
  refusedCommand('Collections', 'validators', { create: 'x', validator: {} }, /Mongoose/),
  refusedCommand('Collections', 'time series', { create: 'x', timeseries: { timeField: 'at' } }, /index on the time/),
  refusedCommand('Collections', 'views', { create: 'x', viewOn: 'people', pipeline: [] }, /\$merge/),
  refusedCommand('Collections', 'users and roles', { createUser: 'x', pwd: 'x', roles: [] }, /file permissions/),
];

export const PROBES: readonly Probe[] = [...WORKS, ...REFUSED];

/** What works and what does not, by area, as a table of Markdown. */
export function tableOf(probes: readonly Probe[]): string {
  const areas = [...new Set(probes.map(({ area }) => area))];
  const names = (area: string, isRefused: boolean): string =>
    probes
      .filter((probe) => probe.area === area && (probe.refused !== undefined) === isRefused)
      .map(({ name }) => name.replaceAll(/(\$\w+)/g, '`$1`').replaceAll('``', '`'))
      .join(', ');
  const rows = areas.map((area) => `| ${area} | ${names(area, false)} | ${names(area, true)} |`);
  return ['| | Works | Refused |', '| --- | --- | --- |', ...rows].join('\n');
}
