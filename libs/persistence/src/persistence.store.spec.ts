import { Prop, Schema } from '@nestjs/mongoose';
import mongoose, { type Connection, type Model, Types } from 'mongoose';
import { workerStore } from '#libs/testing';
import { isDuplicateKey } from './store-errors.js';
import { ensureIndexes, syncIndexes } from './indexes.js';
import { readPage } from './pagination.js';
import { partialUpdate } from './partial-update.js';
import { INCLUDE_DELETED, softDeleted } from './plugins/soft-delete.plugin.js';
import { UnscopedQueryError } from './plugins/tenant-scope.plugin.js';
import type { TenantModel } from './tenant-model.js';
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

describe('readPage', () => {
  it('should look one row ahead', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => make(name)));
    const page = (number: number, limit: number): ReturnType<typeof readPage<Widget>> =>
      readPage<Widget>(widgets.find(mine()).sort({ name: 1 }).lean(), { page: number, limit });
    expect(await page(0, 2)).toMatchObject({ rows: [{ name: 'a' }, { name: 'b' }], hasMore: true });
    expect(await page(1, 2)).toMatchObject({ rows: [{ name: 'c' }], hasMore: false });
    expect(await page(0, 3)).toMatchObject({ hasMore: false });
    expect(await page(9, 3)).toEqual({ rows: [], hasMore: false });
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

describe('syncIndexes', () => {
  it('should drop what no schema names, and keep the rest', async () => {
    await model.collection.createIndex({ note: 1 }, { name: 'left_over' });
    expect(await syncIndexes(connection)).toEqual({ widgets: ['left_over'] });
    expect(await syncIndexes(connection)).toEqual({});
    const names = (await model.collection.indexes()).map(({ name }) => name);
    expect(names.sort()).toEqual(['_environmentId_1_name_1', '_id_']);
  });
});
