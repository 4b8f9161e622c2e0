import { jest } from '@jest/globals';
import { Prop, Schema } from '@nestjs/mongoose';
import mongoose, { type Connection, type Model, Types } from 'mongoose';
import { workerStore } from '../../../test/harness/index.js';
import { isDuplicateKey } from './store-errors.js';
import { ensureIndexes, syncIndexes } from './indexes.js';
import type { PageRows } from './pagination.js';
import { partialUpdate } from './partial-update.js';
import { INCLUDE_DELETED, softDeleted } from './plugins/soft-delete.plugin.js';
import { UnscopedQueryError } from './plugins/tenant-scope.plugin.js';
import type { TenantModel } from './tenant-model.js';
import { RecordLoader } from './record-loader.js';
import { OLDEST_FIRST } from './tenant-reads.js';
import { defineSchema, TenantRecord, uniqueWhileAlive } from './tenant.schema.js';

@Schema({ collection: 'widgets', timestamps: true })
class Widget extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String })
  note?: string;
}
const WidgetSchema = defineSchema(Widget);
WidgetSchema.index({ _environmentId: 1, name: 1 }, uniqueWhileAlive);

let connection: Connection;
let model: Model<Widget>;
let widgets: TenantModel<Widget>;
let environment: string;
beforeAll(async () => {
  connection = await mongoose.createConnection(workerStore().uri, { autoIndex: false }).asPromise();
  model = connection.model<Widget>(Widget.name, WidgetSchema);
  widgets = model as unknown as TenantModel<Widget>;
  await ensureIndexes(connection);
});
beforeEach(() => {
  environment = new Types.ObjectId().toHexString();
});
afterAll(async () => {
  await connection.dropCollection('widgets');
  await connection.close();
});

const make = (name: string, _environmentId = environment): Promise<Widget> =>
  widgets.create({ _organizationId: environment, _environmentId, name });
const mine = (): { _environmentId: string } => ({ _environmentId: environment });
const remove = (name: string): Promise<unknown> =>
  widgets.updateOne({ ...mine(), name }, softDeleted('key-1', new Date(1_000))).exec();
const namesOf = (rows: readonly { name: string }[]): string[] => rows.map(({ name }) => name).sort();

describe('soft delete', () => {
  beforeEach(async () => {
    await Promise.all([make('a'), make('b')]);
    await remove('a');
  });

  it('should hide the record from every way of reading', async () => {
    expect(namesOf(await widgets.find(mine()).lean().exec())).toEqual(['b']);
    expect(await widgets.findOne({ ...mine(), name: 'a' }).exec()).toBeNull();
    expect(await widgets.exists({ ...mine(), name: 'a' }).exec()).toBeNull();
    expect(await widgets.countDocuments(mine()).exec()).toBe(1);
    expect(await widgets.distinct('name', mine()).exec()).toEqual(['b']);
    const match = { $match: { _environmentId: new Types.ObjectId(environment) } };
    expect(namesOf(await widgets.aggregate<Widget>([match]).exec())).toEqual(['b']);
  });

  it('should keep it from every way of writing', async () => {
    const named = { ...mine(), name: 'a' };
    expect(await widgets.findOneAndUpdate(named, { $set: { note: 'x' } }).exec()).toBeNull();
    expect((await widgets.updateMany(named, { $set: { note: 'x' } }).exec()).matchedCount).toBe(0);
    expect((await widgets.deleteOne(named).exec()).deletedCount).toBe(0);
  });

  it('should say when and by whom, to those who ask for deleted records', async () => {
    const row = await widgets
      .findOne({ ...mine(), name: 'a' }, null, INCLUDE_DELETED)
      .lean()
      .exec();
    expect(row).toMatchObject({ deleted: true, deletedBy: 'key-1', deletedAt: new Date(1_000) });
  });

  it('should let the name be used again, once', async () => {
    await make('a');
    await expect(make('a')).rejects.toMatchObject({ code: 11000 });
    await make('a').catch((error: unknown) => expect(isDuplicateKey(error)).toBe(true));
    expect.assertions(2);
  });
});

describe('tenant scope', () => {
  it('should hide the records of another environment', async () => {
    await make('theirs', new Types.ObjectId().toHexString());
    expect(await widgets.find(mine()).lean().exec()).toEqual([]);
  });

  it.each([
    ['find', () => model.find({ name: 'a' })],
    ['findOne', () => model.findOne({})],
    ['updateMany', () => model.updateMany({}, { $set: { note: 'x' } })],
    ['deleteMany', () => model.deleteMany({})],
    ['countDocuments', () => model.countDocuments({})],
    ['distinct', () => model.distinct('name', {})],
    ['aggregate', () => model.aggregate([{ $group: { _id: '$name' } }])],
    ['find by an operator', () => model.find({ _environmentId: { $exists: true } })],
    ['find without value', () => model.find({ _environmentId: undefined })],
  ])('should stop %s that names no environment', async (_name, query) => {
    await expect(query().exec()).rejects.toThrow(UnscopedQueryError);
  });

  it('should let declared exceptions through', async () => {
    await make('a');
    const rows = await model.find({ name: 'a' }).setOptions({ crossTenant: true }).lean().exec();
    expect(rows.map((row) => String(row._environmentId))).toContain(environment);
  });
});

describe('reads without Mongoose', () => {
  const tenant = (): { environmentId: string } => ({ environmentId: environment });
  const oldest = { sort: OLDEST_FIRST };
  const makeAll = async (...names: string[]): Promise<void> => {
    for (const name of names) await make(name);
  };

  it('should find one, or say that there is none', async () => {
    await makeAll('a', 'b');
    const row = await widgets.one(tenant(), { name: 'b' });
    expect(row).toEqual(await widgets.findOne({ ...mine(), name: 'b' }).lean());
    expect(await widgets.one(tenant(), { name: 'c' })).toBeUndefined();
  });

  it('should hide other environments and deleted records from every read', async () => {
    await makeAll('a', 'b');
    const theirs = new Types.ObjectId().toHexString();
    const foreign = await make('theirs', theirs);
    await remove('a');
    expect(await widgets.one(tenant(), { name: 'a' })).toBeUndefined();
    expect(namesOf(await widgets.list(tenant(), {}))).toEqual(['b']);
    expect(namesOf((await widgets.page(tenant(), {}, { page: 0, limit: 9, ...oldest })).rows)).toEqual(['b']);
    expect(await widgets.byIds(tenant(), [foreign._id.toHexString()])).toEqual(new Map());
    expect(await widgets.count(tenant(), {})).toBe(1);
    expect(namesOf(await widgets.list(tenant(), {}, { withDeleted: true }))).toEqual(['a', 'b']);
    const hole = { _environmentId: new Types.ObjectId(theirs) } as unknown as object;
    expect(namesOf(await widgets.list(tenant(), hole))).toEqual(['b']);
  });

  it('should read only the fields that are named, or all but some', async () => {
    await makeAll('a');
    expect(await widgets.list(tenant(), {}, { fields: ['name'] })).toEqual([
      { _id: expect.any(Types.ObjectId) as unknown, name: 'a' },
    ]);
    const [row] = await widgets.list(tenant(), {}, { without: ['name'] });
    expect(row).not.toHaveProperty('name');
    expect(row).toHaveProperty('createdAt');
  });

  it('should look one row ahead', async () => {
    await makeAll('a', 'b', 'c');
    const page = (number: number, limit: number): Promise<PageRows<Widget>> =>
      widgets.page(tenant(), {}, { page: number, limit, sort: { name: 1 } });
    expect(await page(0, 2)).toMatchObject({ rows: [{ name: 'a' }, { name: 'b' }], hasMore: true });
    expect(await page(1, 2)).toMatchObject({ rows: [{ name: 'c' }], hasMore: false });
    expect(await page(0, 3)).toMatchObject({ hasMore: false });
    expect(await page(9, 3)).toEqual({ rows: [], hasMore: false });
  });

  it('should count all, or up to a limit', async () => {
    await makeAll('a', 'b', 'c');
    expect(await widgets.count(tenant(), {})).toBe(3);
    expect(await widgets.count(tenant(), {}, 2)).toBe(2);
  });

  it('should count for concurrent callers in few commands, each up to its limit', async () => {
    await makeAll('a', 'b', 'c');
    const other = new Types.ObjectId().toHexString();
    await make('a', other);
    const commands = jest.spyOn(connection.db as mongoose.mongo.Db, 'command');
    const asked = Array.from({ length: 60 }, (_, place) => place);
    const counts = await Promise.all(
      asked.map((place) =>
        widgets.countUpTo(
          place % 5 === 4 ? { environmentId: other } : tenant(),
          place % 5 === 3 ? { name: 'none' } : {},
          (place % 5) + 1,
        ),
      ),
    );
    expect(commands.mock.calls.length).toBeLessThanOrEqual(3);
    commands.mockRestore();
    expect(counts).toEqual(asked.map((place) => [1, 2, 3, 0, 1][place % 5]));
  });

  it('should count for the others where one asks what cannot be answered, and again after a lost connection', async () => {
    await makeAll('a', 'b');
    const wrong = { name: { $unknown: 1 } } as unknown as object;
    const [first, refused, last] = await Promise.allSettled([
      widgets.countUpTo(tenant(), {}, 9),
      widgets.countUpTo(tenant(), wrong, 9),
      widgets.countUpTo(tenant(), { name: 'b' }, 9),
    ]);
    expect([first, last]).toMatchObject([{ value: 2 }, { value: 1 }]);
    expect(refused).toMatchObject({ reason: { message: expect.stringContaining('$unknown') as unknown } });
    const commands = jest.spyOn(connection.db as mongoose.mongo.Db, 'command');
    commands.mockRejectedValueOnce(new mongoose.mongo.MongoNetworkError('connection closed'));
    const again = [widgets.countUpTo(tenant(), {}, 1), widgets.countUpTo(tenant(), { name: 'c' }, 1)];
    expect(await Promise.all(again)).toEqual([1, 0]);
    commands.mockRestore();
  });

  it('should find by ids, repeated ones once', async () => {
    const [a, b] = [await make('a'), await make('b')];
    const ids = [a, b, a].map(({ _id }) => _id.toHexString());
    const found = await widgets.byIds(tenant(), [...ids, new Types.ObjectId().toHexString()]);
    expect([...found].map(([id, { name }]) => [id, name]).sort()).toEqual(
      [
        [ids[0], 'a'],
        [ids[1], 'b'],
      ].sort(),
    );
    expect(await widgets.byIds(tenant(), [])).toEqual(new Map());
  });

  it('should read more rows than one reply has, whatever their number and size', async () => {
    const record = { _organizationId: environment, _environmentId: environment, deleted: false };
    const many = Array.from({ length: 2_500 }, (_, index) => ({ ...record, name: `w${index}` }));
    await widgets.insertMany(many);
    expect(await widgets.list(tenant(), {})).toHaveLength(2_500);
    const large = Array.from({ length: 10 }, (_, index) => ({ ...record, name: `x${index}`, note: 'x'.repeat(2e6) }));
    await widgets.insertMany(large);
    const { rows } = await widgets.page(tenant(), { name: /^x/ }, { page: 0, limit: 10, sort: { name: 1 } });
    expect(rows.map(({ note }) => note?.length)).toEqual(Array.from({ length: 10 }, () => 2e6));
  });

  it.each([
    ['a lost connection', new mongoose.mongo.MongoNetworkError('connection closed')],
    ['a server that steps down', Object.assign(new Error('not primary'), { code: 10107 })],
  ])('should read again after %s', async (_name, fault) => {
    await makeAll('a');
    const commands = jest.spyOn(connection.db as mongoose.mongo.Db, 'command');
    commands.mockRejectedValueOnce(fault);
    expect(namesOf(await widgets.list(tenant(), {}))).toEqual(['a']);
    commands.mockRejectedValueOnce(fault);
    expect(await widgets.count(tenant(), {})).toBe(1);
    commands.mockRestore();
  });

  it('should report other faults at once', async () => {
    const wrong = { name: { $unknown: 1 } } as unknown as object;
    await expect(widgets.list(tenant(), wrong)).rejects.toThrow(/\$unknown/);
  });
});

describe('RecordLoader', () => {
  const other = new Types.ObjectId().toHexString();
  const loader = (options = {}): RecordLoader<Widget, 'name'> => new RecordLoader(widgets, 'name', options);

  it('should find for concurrent callers in one query of each environment', async () => {
    for (const name of ['a', 'b', 'gone']) await make(name);
    await make('a', other);
    await remove('gone');
    const lists = jest.spyOn(widgets, 'list');
    const found = loader();
    const names = ['a', 'b', 'none', 'gone', 'a'];
    const mineAndTheirs = [environment, other].flatMap((environmentId) =>
      names.map(async (name) => (await found.find({ environmentId }, name))?.name),
    );
    expect(await Promise.all(mineAndTheirs)).toEqual([
      ...['a', 'b', undefined, undefined, 'a'],
      ...['a', undefined, undefined, undefined, 'a'],
    ]);
    expect(lists).toHaveBeenCalledTimes(2);
    lists.mockRestore();
  });

  it('should read the fields that are named, of records that fulfil the condition', async () => {
    await make('a');
    await make('b');
    await widgets.updateOne({ ...mine(), name: 'b' }, { $set: { note: 'x' } }).exec();
    const noted = loader({ where: { note: { $exists: true } }, fields: ['name'] });
    const tenant = { environmentId: environment };
    expect(await noted.find(tenant, 'a')).toBeUndefined();
    expect(await noted.find(tenant, 'b')).toEqual({ _id: expect.any(Types.ObjectId) as unknown, name: 'b' });
  });

  it('should see what was written before the call', async () => {
    const found = loader();
    const tenant = { environmentId: environment };
    const seen = Array.from({ length: 40 }, async (_, place) => {
      const name = `w${place}`;
      const before = await found.find(tenant, name);
      await make(name);
      return [before, (await found.find(tenant, name))?.name];
    });
    expect(await Promise.all(seen)).toEqual(Array.from({ length: 40 }, (_, place) => [undefined, `w${place}`]));
  });
});

describe('partialUpdate', () => {
  it('should set what is sent, unset null and leave the rest', async () => {
    await make('a');
    const update = partialUpdate({ note: 'x', name: null, extra: undefined }, ['name']);
    await widgets.updateOne(mine(), update).exec();
    expect(await widgets.findOne(mine()).lean().exec()).toMatchObject({ name: 'a', note: 'x' });
    await widgets.updateOne(mine(), partialUpdate({ note: null })).exec();
    expect(await widgets.findOne(mine()).lean().exec()).not.toHaveProperty('note');
  });

  it('should be empty where nothing is to change', () => {
    expect(partialUpdate({ a: undefined })).toEqual({});
  });
});

describe('timestamps', () => {
  it('should move updatedAt with a change, and only that', async () => {
    const made = await make('a');
    while (Date.now() <= made.updatedAt.getTime()) await new Promise((resolve) => setTimeout(resolve, 1));
    const changed = await widgets
      .findOneAndUpdate(mine(), { $set: { note: 'x' } }, { returnDocument: 'after' })
      .lean()
      .exec();
    expect(changed?.createdAt).toEqual(made.createdAt);
    expect(changed?.updatedAt.getTime()).toBeGreaterThan(made.updatedAt.getTime());
  });
});

describe('ensureIndexes', () => {
  it('should say which collection has an index that the store refuses, and what Herald needs', async () => {
    await model.collection.dropIndexes();
    await model.collection.createIndex({ note: 1 }, { name: '_environmentId_1_name_1' });
    await expect(ensureIndexes(connection)).rejects.toMatchObject({
      name: 'UnusableStoreError',
      message: expect.stringMatching(
        /^The store refuses the indexes of the collection 'widgets': .* MongoDB 4\.4 or later/,
      ),
    });
    await model.collection.dropIndexes();
    await ensureIndexes(connection);
  });
});

describe('syncIndexes', () => {
  it('should drop what no schema names, and keep the rest', async () => {
    await model.collection.createIndex({ note: 1 }, { name: 'left_over' });
    expect(await syncIndexes(connection)).toEqual({ widgets: ['left_over'] });
    expect(await syncIndexes(connection)).toEqual({});
    const names = (await model.collection.indexes()).map(({ name }) => name);
    expect(names.sort()).toEqual(['_environmentId_1_name_1', '_id_']);
  });
});
