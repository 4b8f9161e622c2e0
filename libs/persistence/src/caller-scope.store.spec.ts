import { EventEmitter } from 'node:events';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken, getModelToken, MongooseModule, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import mongoose, { type Connection, Model, type mongo, Schema as MongooseSchema, Types } from 'mongoose';
import { asTenant, type RecordOwner } from '#libs/common';
import { workerStore } from '../../../test/harness/index.js';
import { MongoModule } from './mongo.module.js';
import { BaseRecord, defineGlobalSchema, TenantRecord } from './tenant.schema.js';

const SECRET = 'a secret of the owner';

/** As the manuals of Nest and Mongoose have it. */
@Schema({ collection: 'scoped_notes', timestamps: true })
class Note extends TenantRecord {
  @Prop({ type: String, required: true })
  text: string;

  @Prop({ type: Number, default: 0 })
  reads: number;

  @Prop({ type: MongooseSchema.Types.ObjectId, ref: 'Note' })
  answers?: Types.ObjectId;
}
const NoteSchema = SchemaFactory.createForClass(Note);
/** Nothing in common but the environment, and that as a text. */
const TagSchema = new MongooseSchema({ _environmentId: String, label: String }, { collection: 'scoped_tags' });
/** Names an environment, and is part of a record that belongs to none. */
const MemberSchema = new MongooseSchema({ _environmentId: MongooseSchema.Types.ObjectId }, { _id: false });

@Schema({ collection: 'scoped_globals' })
class Above extends BaseRecord {
  @Prop({ type: String })
  text: string;

  @Prop({ type: [MemberSchema] })
  members?: { _environmentId: Types.ObjectId }[];
}

async function start(): Promise<INestApplicationContext> {
  @Module({
    imports: [
      MongoModule.forRoot({ ...workerStore(), monitorCommands: true }, { migrations: [], collections: [] }),
      MongooseModule.forFeature([
        { name: Note.name, schema: NoteSchema },
        { name: 'Tag', schema: TagSchema },
        { name: Above.name, schema: defineGlobalSchema(Above) },
      ]),
    ],
  })
  class App {}
  return NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
}

const tenant = (): Required<RecordOwner> => ({
  organizationId: new Types.ObjectId().toHexString(),
  environmentId: new Types.ObjectId().toHexString(),
});

let app: INestApplicationContext;
let connection: Connection;
let notes: Model<Note>;
let owner: Required<RecordOwner>;
let other: Required<RecordOwner>;
let record: Note;
beforeAll(async () => {
  app = await start();
  connection = app.get<Connection>(getConnectionToken());
  notes = app.get<Model<Note>>(getModelToken(Note.name));
});
afterAll(async () => {
  for (const name of ['scoped_notes', 'scoped_tags', 'scoped_globals']) await connection.dropCollection(name);
  await app.close();
});
beforeEach(async () => {
  [owner, other] = [tenant(), tenant()];
  record = (await asTenant(owner, () => notes.create({ text: SECRET }))).toObject();
});

/** What the store has, whoever asks. */
const stored = ({ environmentId }: RecordOwner): Promise<mongo.WithId<mongo.Document>[]> =>
  raw()
    .find({ _environmentId: new Types.ObjectId(environmentId) })
    .sort({ _id: 1 })
    .toArray();
const raw = (): mongo.Collection => (connection.db as mongo.Db).collection('scoped_notes');

type Call = (model: Model<Note>, record: Note) => unknown;

/** As someone who knows everything of the record, with the environment of its owner. */
const theirs = (more: object = {}): Note =>
  ({ _organizationId: record._organizationId, _environmentId: record._environmentId, text: 'stolen', ...more }) as Note;
const stolen = { $set: { text: 'stolen' } };

/** Each reads or changes the record of the owner, or adds one for them. */
const CALLS: Record<string, Call> = {
  find: (model) => model.find(),
  findAndCount: (model) => model.findAndCount({}, null, { sort: { _id: 1 }, limit: 10 }),
  findById: (model, { _id }) => model.findById(_id),
  findOne: (model) => model.findOne({ text: SECRET }),
  exists: (model) => model.exists({ text: SECRET }),
  countDocuments: (model) => model.countDocuments(),
  estimatedDocumentCount: (model) => model.estimatedDocumentCount(),
  distinct: (model) => model.distinct('text'),
  where: (model) => model.where('text', SECRET),
  $where: (model) => model.$where('true'),
  aggregate: (model) => model.aggregate([{ $group: { _id: '$text' } }]),
  populate: (model, { _id }) => model.populate([{ answers: _id }], { path: 'answers', model: model.modelName }),
  updateOne: (model) => model.updateOne({ text: SECRET }, stolen),
  updateMany: (model) => model.updateMany({}, stolen),
  replaceOne: (model) => model.replaceOne({ text: SECRET }, theirs()),
  findOneAndUpdate: (model) => model.findOneAndUpdate({ text: SECRET }, stolen),
  findByIdAndUpdate: (model, { _id }) => model.findByIdAndUpdate(_id, stolen),
  findOneAndReplace: (model) => model.findOneAndReplace({ text: SECRET }, theirs()),
  findOneAndDelete: (model) => model.findOneAndDelete({ text: SECRET }),
  findByIdAndDelete: (model, { _id }) => model.findByIdAndDelete(_id),
  deleteOne: (model) => model.deleteOne({ text: SECRET }),
  deleteMany: (model) => model.deleteMany(),
  create: (model) => model.create(theirs()),
  insertOne: (model) => model.insertOne(theirs()),
  insertMany: (model) => model.insertMany([theirs()]),
  hydrate: (model, plain) => model.hydrate(plain).set({ text: 'stolen' }).save(),
  bulkSave: (model, plain) => model.bulkSave([model.hydrate(plain).set({ text: 'stolen' })]),
  bulkWrite: (model) => model.bulkWrite([{ updateMany: { filter: {}, update: stolen } }]),
};

const NOTHING = 'reads and writes no record';
/** What the other functions of a model do. A function of a new Mongoose is neither here nor above, which fails the test. */
const OTHERS: Record<string, string> = {
  watch: 'has a test of its own',
  ...Object.fromEntries(
    'useConnection discriminator init startSession applyDefaults applyVirtuals applyTimestamps castObject validate translateAliases buildBulkWriteOperations compile recompileSchema clientEncryption inspect namespace'
      .split(' ')
      .map((name) => [name, NOTHING]),
  ),
  ...Object.fromEntries(
    'createCollection syncIndexes diffIndexes cleanIndexes listIndexes ensureIndexes createIndexes createSearchIndex createSearchIndexes updateSearchIndex dropSearchIndex listSearchIndexes'
      .split(' ')
      .map((name) => [name, 'is about indexes, which all environments share']),
  ),
};

describe('Every function of the model of a plain schema', () => {
  it('should be judged', () => {
    const emitter = new Set(Object.keys(EventEmitter.prototype));
    const names = Object.getOwnPropertyNames(Model).filter(
      (name) =>
        typeof Model[name as keyof typeof Model] === 'function' &&
        !name.startsWith('_') &&
        !name.startsWith('$__') &&
        !emitter.has(name),
    );
    expect([...Object.keys(CALLS), ...Object.keys(OTHERS)].sort()).toEqual(names.sort());
  });

  const effectOf = async (name: string, who: RecordOwner): Promise<{ answer: unknown; hasReached: boolean }> => {
    const before = await stored(owner);
    const answer = await asTenant(who, async () => await CALLS[name]?.(notes, record)).catch((error: unknown) => error);
    const text = answer instanceof Error ? answer.message : JSON.stringify(answer);
    // An error names the record that it was given.
    const names = answer instanceof Error ? [SECRET] : [SECRET, String(record._id)];
    const hasSeen = names.some((name) => text.includes(name)) || (answer as number) > 0;
    const hasChanged = JSON.stringify(before) !== JSON.stringify(await stored(owner));
    return { answer, hasReached: hasSeen || hasChanged };
  };

  it.each(Object.keys(CALLS))('%s should reach what the caller owns', async (name) => {
    const { answer, hasReached } = await effectOf(name, owner);
    // Not every store evaluates JavaScript.
    if (answer instanceof mongoose.mongo.MongoServerError && answer.code === 238) return;
    expect({ answer, hasReached }).toMatchObject({ hasReached: true });
  });

  it.each(Object.keys(CALLS))('%s should not reach what another tenant owns', async (name) => {
    const { answer, hasReached } = await effectOf(name, other);
    expect({ answer, hasReached }).toMatchObject({ hasReached: false });
    expect(JSON.stringify(await stored(owner))).toContain(SECRET);
  });

  it.each(Object.keys(CALLS))('%s should say what to do where nobody calls', async (name) => {
    const call = async (): Promise<unknown> => await CALLS[name]?.(notes, record);
    await expect(call()).rejects.toThrow(/^Note belongs to environments, .* asTenant\(tenant, /);
  });
});

describe('The model of a plain schema', () => {
  const asOther = <T>(work: () => PromiseLike<T>): Promise<T> => asTenant(other, work);
  const asOwner = <T>(work: () => PromiseLike<T>): Promise<T> => asTenant(owner, work);
  const texts = async (who: RecordOwner): Promise<unknown[]> => (await stored(who)).map(({ text }) => text as unknown);

  it.each<[string, (found: mongoose.HydratedDocument<Note>) => PromiseLike<unknown>]>([
    ['save', (found) => found.set({ text: 'stolen' }).save()],
    ['save without validation', (found) => found.set({ text: 'stolen' }).save({ validateBeforeSave: false })],
    ['increment', (found) => found.increment().save()],
    ['deleteOne', (found) => found.deleteOne()],
    ['updateOne', (found) => found.updateOne(stolen)],
    ['replaceOne', (found) => found.replaceOne({ text: 'stolen' })],
    ['populate', (found) => found.set({ answers: found._id }).populate('answers')],
    ['model', (found) => found.$model<Model<Note>>().updateMany({}, stolen)],
  ])('should not let %s of a document reach what another tenant owns', async (name, write) => {
    const before = await stored(owner);
    const result = await asOther(() => write(notes.hydrate(record))).catch((error: unknown) => error);
    expect(await stored(owner)).toEqual(before);
    if (name === 'populate') expect((result as Note).answers).toBeNull();
    await asOwner(() => write(notes.hydrate(record)));
    if (name !== 'populate') expect(await stored(owner)).not.toEqual(before);
  });

  it('should limit cursors, streams, explanations and queries of a query', async () => {
    const count = async (rows: AsyncIterable<unknown>): Promise<number> => {
      let sum = 0;
      for await (const row of rows) sum += Number(row !== undefined);
      return sum;
    };
    const ways = [
      () => count(notes.find().cursor()),
      () => count(notes.find().lean()),
      () => count(notes.aggregate([{ $sort: { text: 1 } }]).cursor()),
      () => notes.find().countDocuments().exec(),
      () =>
        notes
          .find({ $or: [{ text: SECRET }, {}] })
          .exec()
          .then(({ length }) => length),
    ];
    for (const way of ways) expect([await asOwner(way), await asOther(way)]).toEqual([1, 0]);
    await expect(asOwner(() => notes.find().estimatedDocumentCount().exec())).rejects.toThrow(/Use countDocuments/);
    const plan = JSON.stringify(await asOther(() => notes.find().explain('queryPlanner')));
    expect(plan).toContain(other.environmentId);
  });

  it('should find nothing where a filter names another environment', async () => {
    const { environmentId } = owner;
    for (const _environmentId of [environmentId, { $ne: null }, { $in: [environmentId] }]) {
      expect(await asOther(() => notes.find({ _environmentId }).exec())).toEqual([]);
      expect(await asOther(() => notes.countDocuments({ $or: [{ _environmentId }] }).exec())).toBe(0);
      expect(await asOwner(() => notes.countDocuments({ _environmentId }).exec())).toBe(1);
    }
  });

  it('should keep the owner of a record, whatever an update says', async () => {
    const taken = { _environmentId: other.environmentId, _organizationId: other.organizationId };
    const updates: object[] = [
      { $set: { ...taken, reads: 1 } },
      { ...taken, reads: 2 },
      { $unset: { _environmentId: 1 }, $set: { reads: 3 } },
      { $rename: { _environmentId: 'lost', text: 'words' } },
      { $rename: { words: '_environmentId', lost: 'lost2' } },
    ];
    for (const update of updates) await asOwner(() => notes.updateOne({}, update).exec());
    const replaced = [{ $replaceWith: { _id: '$_id', text: 'b', ...taken } }];
    await asOwner(() => notes.updateOne({}, replaced, { updatePipeline: true }).exec());
    await asOwner(() => notes.bulkWrite([{ updateOne: { filter: {}, update: { $set: taken } } }]));
    await asOwner(() => notes.replaceOne({}, { text: 'c', ...taken }).exec());
    const found = await asOwner(() => notes.findOne().orFail());
    await asOwner(() => found.set(taken).save());
    expect(await texts(other)).toEqual([]);
    expect(await stored(owner)).toMatchObject([{ text: 'c', _organizationId: record._organizationId }]);
  });

  it('should give what is added to the caller, also by an upsert and a bulk write', async () => {
    const { _id } = record;
    const add = async (): Promise<void> => {
      await notes.create({ text: '1' });
      await new notes({ text: '2' }).save();
      await notes.insertMany([{ text: '3' }, new notes({ text: '4' })]);
      await notes.insertMany([{ text: '5' }] as Note[], { lean: true });
      await notes.updateOne({ text: '6' }, { $set: { reads: 1 } }, { upsert: true });
      await notes.findOneAndUpdate({ text: '7' }, [{ $set: { reads: 1 } }], { upsert: true, updatePipeline: true });
      await notes.findOneAndReplace({ text: '8' }, { text: '8' }, { upsert: true });
      await notes.bulkSave([new notes({ text: '9' })]);
      await notes.bulkWrite([
        { insertOne: { document: { text: 'a' } as Note } },
        { updateOne: { filter: { text: 'b' }, update: { $set: { reads: 1 } }, upsert: true } },
        { replaceOne: { filter: { text: 'c' }, replacement: { text: 'c' } as Note, upsert: true } },
        { deleteOne: { filter: { _id } } },
        { deleteMany: { filter: { text: SECRET } } },
      ]);
    };
    await asOther(add);
    const added = await stored(other);
    expect(added.map(({ text }) => text as unknown).sort()).toEqual([...'123456789abc']);
    const organizations = new Set(added.map(({ _organizationId }) => String(_organizationId)));
    expect([...organizations]).toEqual([other.organizationId]);
    expect(await texts(owner)).toEqual([SECRET]);
    await expect(asOther(() => notes.create({}))).rejects.toThrow(/text/);
  });

  it('should not change what it is given', async () => {
    const seeds = [{ text: 'seed' }] as Note[];
    for (const who of [owner, other]) await asTenant(who, () => notes.insertMany(seeds));
    expect(seeds).toEqual([{ text: 'seed' }]);
    expect([await texts(owner), await texts(other)]).toEqual([[SECRET, 'seed'], ['seed']]);
  });

  it('should join only what the caller owns', async () => {
    const tags = connection.model<{ label: string }>('Tag');
    for (const [who, label] of [
      [owner, 'theirs'],
      [other, 'own'],
    ] as const)
      await asTenant(who, () => tags.create({ label }));
    await asOther(() => notes.create({ text: 'own' }));
    const labels = { from: 'scoped_tags', pipeline: [{ $project: { _id: 0, label: 1 } }], as: 'tags' };
    const [joined] = await asOther(() => notes.aggregate<{ tags: unknown }>([{ $lookup: labels }]).exec());
    expect(joined?.tags).toEqual([{ label: 'own' }]);
    const nested = {
      $facet: { all: [{ $lookup: { from: 'scoped_notes', as: 'x', pipeline: [{ $lookup: labels }] } }] },
    };
    const union = [{ $unionWith: 'scoped_tags' }, { $unionWith: { coll: 'scoped_notes', pipeline: [{ $limit: 9 }] } }];
    for (const pipeline of [[nested], union]) {
      const text = JSON.stringify(await asOther(() => notes.aggregate(pipeline).exec()));
      expect(text).toContain('own');
      expect(text).not.toMatch(new RegExp(`theirs|${SECRET}`));
    }
  });

  it.each([
    [{ $out: 'scoped_tags' }, /\$out may reach records of other environments/],
    [{ $merge: { into: 'scoped_notes' } }, /\$merge may reach/],
    [
      { $lookup: { from: 'scoped_globals', as: 'x', pipeline: [] } },
      /\$lookup names scoped_globals, .* use populate\(\)/,
    ],
    [{ $unionWith: 'users' }, /\$unionWith names users/],
    [{ $facet: { a: [{ $graphLookup: { from: 'users' } }] } }, /\$graphLookup names users/],
    [{ $collStats: {} }, /\$collStats may reach/],
  ])('should refuse an aggregation with %j', async (stage, fault) => {
    await expect(asOther(() => notes.aggregate([stage as mongoose.PipelineStage]).exec())).rejects.toThrow(fault);
  });

  it('should watch what the caller owns', async () => {
    const client = connection.getClient();
    const stream = await asOther(async () => {
      await Promise.resolve();
      const opened = notes.watch([{ $match: { operationType: 'insert' } }]);
      // A store without change streams refuses it; what it was asked for is what counts.
      return [opened.on('error', () => undefined).on('change', () => undefined)];
    });
    const command = await new Promise<mongo.Document>((resolve) => {
      client.on('commandStarted', function listen({ command: sent }: mongo.CommandStartedEvent) {
        if (sent['aggregate'] !== 'scoped_notes') return;
        client.off('commandStarted', listen);
        resolve(sent);
      });
    });
    await stream[0]?.close();
    const _environmentId = new Types.ObjectId(other.environmentId);
    expect(command['pipeline']).toEqual([
      { $changeStream: expect.objectContaining({ fullDocument: 'updateLookup' }) as unknown },
      { $match: { 'fullDocument._environmentId': _environmentId } },
      { $match: { operationType: 'insert' } },
    ]);
  });

  it('should leave parts of shared records alone, whoever saves them', async () => {
    const shared = app.get<Model<Above>>(getModelToken(Above.name));
    const members = [{ _environmentId: new Types.ObjectId() }];
    const { _id } = await shared.create({ text: 'of all', members });
    expect(await shared.findById(_id).lean()).toMatchObject({ members });
  });

  it('should limit its discriminators, too', async () => {
    const pinned = notes.discriminator<Note & { place: string }>(
      'PinnedNote',
      new MongooseSchema({ place: { type: String } }),
    );
    await asOwner(() => pinned.create({ text: 'pinned', place: 'door' }));
    expect(await asOther(() => pinned.find().exec())).toEqual([]);
    expect(await asOwner(() => pinned.countDocuments().exec())).toBe(1);
    expect(await asOwner(() => notes.countDocuments().exec())).toBe(2);
  });
});
