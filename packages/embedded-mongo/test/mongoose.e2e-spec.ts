import { existsSync } from 'node:fs';
import { MongoMemoryServer } from 'mongodb-memory-server';
import mongoose, { Schema } from 'mongoose';
import { EXECUTABLE, PROGRAM } from './support/paths.js';

interface Thing {
  name: string;
  email: string;
  n: number;
  tags: string[];
  items: { k: string; v: number }[];
  deleted: boolean;
}

const schema = new Schema<Thing>(
  {
    name: { type: String, index: true },
    email: { type: String, unique: true },
    n: { type: Number, default: 0 },
    tags: [String],
    items: [{ _id: false, k: String, v: Number }],
    deleted: { type: Boolean, default: false },
  },
  { timestamps: true },
);
schema.index({ name: 1, deleted: 1 }, { unique: true, partialFilterExpression: { deleted: false } });

/** The program is started as a test set-up does it: by mongodb-memory-server, as its system binary. */
describe('Mongoose on the program', () => {
  if (!existsSync(PROGRAM)) {
    it.skip('needs the compiled program; build first', () => undefined);
    return;
  }
  const connection = mongoose.createConnection();
  const things = connection.model('Thing', schema);
  let server: MongoMemoryServer;

  beforeAll(async () => {
    server = await MongoMemoryServer.create({
      binary: { systemBinary: EXECUTABLE, version: '7.0.14' },
      instance: { args: ['--no-sync'], launchTimeout: 120_000 },
    });
    await connection.openUri(server.getUri(), { dbName: 'mongoose' });
    await things.syncIndexes();
  });

  beforeEach(async () => {
    await things.deleteMany({});
    await things.create([
      {
        name: 'a',
        email: 'a@x',
        tags: ['x', 'y'],
        items: [
          { k: 'p', v: 1 },
          { k: 'q', v: 2 },
        ],
      },
      { name: 'b', email: 'b@x', n: 2 },
    ]);
  });

  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  it('should report a duplicate with its key', async () => {
    await expect(things.create({ name: 'c', email: 'a@x' })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { email: 1 },
      keyValue: { email: 'a@x' },
    });
  });

  it('should add what belongs to an insert in an upsert', async () => {
    const made = await things.findOneAndUpdate(
      { email: 'z@x' },
      { $set: { name: 'z' }, $inc: { n: 5 } },
      { upsert: true, returnDocument: 'after' },
    );
    expect(made).toMatchObject({ n: 5, deleted: false, name: 'z' });
    expect(made).toHaveProperty('createdAt');
  });

  it('should save a changed document', async () => {
    const doc = await things.findOne({ name: 'a' }).orFail();
    doc.tags.push('new');
    doc.items.splice(0, 1);
    doc.n = 9;
    await doc.save();
    expect(await things.findOne({ name: 'a' }).lean()).toMatchObject({
      tags: ['x', 'y', 'new'],
      items: [{ k: 'q', v: 2 }],
      n: 9,
    });
  });

  it('should notice a concurrent change of an array', async () => {
    const [one, two] = [await things.findOne({ name: 'a' }).orFail(), await things.findOne({ name: 'a' }).orFail()];
    one.tags = ['other'];
    await one.save();
    two.tags.splice(0, 1);
    two.markModified('tags');
    two.items.splice(0, 1);
    await expect(two.save()).rejects.toThrow(/version/i);
  });

  it('should run a mixed unordered bulk and report its one failure', async () => {
    const bulk = things.bulkWrite(
      [
        { insertOne: { document: { name: 'c', email: 'c@x' } as Thing } },
        { updateOne: { filter: { name: 'b' }, update: { $set: { n: 99 } } } },
        { insertOne: { document: { name: 'd', email: 'c@x' } as Thing } },
        { updateMany: { filter: { deleted: false }, update: { $inc: { n: 1 } } } },
        { updateOne: { filter: { email: 'up@x' }, update: { $set: { name: 'up' } }, upsert: true } },
        { deleteOne: { filter: { name: 'a' } } },
      ],
      { ordered: false },
    );
    await expect(bulk).rejects.toMatchObject({
      code: 11000,
      result: { insertedCount: 1, upsertedCount: 1, deletedCount: 1 },
    });
    expect(await things.find({ n: { $gt: 50 } }).lean()).toMatchObject([{ name: 'b', n: 100 }]);
  });

  it('should page, count and stream', async () => {
    await things.insertMany(
      Array.from({ length: 500 }, (_, n) => ({ name: `n${n}`, email: `e${n}`, n, deleted: true })),
    );
    expect(await things.find({ deleted: true }).sort({ n: -1 }).skip(10).limit(2).select('n -_id').lean()).toEqual([
      { n: 489 },
      { n: 488 },
    ]);
    expect(await things.countDocuments({ deleted: true, n: { $gte: 490 } })).toBe(10);
    let seen = 0;
    for await (const doc of things.find({ deleted: true }).batchSize(50).cursor()) seen += doc.deleted ? 1 : 0;
    expect(seen).toBe(500);
    expect(await things.distinct('deleted')).toEqual([false, true]);
  });
});
