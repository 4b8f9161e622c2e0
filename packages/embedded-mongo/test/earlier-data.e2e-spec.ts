import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ObjectId, startTestServer, type TestServer } from './support/server.js';

const DOCUMENTS = 40;
/** Written by version 0.1.0 before index entries stopped repeating the `_id`: a unique, a compound, a multikey and a partial index. */
const EARLIER = join(import.meta.dirname, 'fixtures', 'data-of-0.1.0.mdb.gz');

describe('data of an earlier version', () => {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-earlier-'));
  let running: TestServer;

  beforeAll(async () => {
    writeFileSync(join(directory, 'data.mdb'), gunzipSync(readFileSync(EARLIER)));
    running = await startTestServer({ directory });
  });

  afterAll(async () => {
    await running.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const things = (): ReturnType<ReturnType<TestServer['client']['db']>['collection']> =>
    running.client.db('old').collection('things');

  it('should be found by every index', async () => {
    expect(await things().countDocuments({})).toBe(DOCUMENTS);
    expect(await things().countDocuments({ tags: 'all' }, { hint: 'tags' })).toBe(DOCUMENTS);
    expect(await things().find({ name: 'name-10' }).project({ _id: 1 }).toArray()).toEqual([{ _id: 'text-10' }]);
    const group = await things().find({ group: 'g1', changed: true }).sort({ at: -1 }).toArray();
    expect(group.map(({ n }) => n as number)).toEqual([37, 33, 29, 25, 21, 17, 13, 9, 5, 1]);
    expect(
      await things()
        .find({ open: true, n: { $gte: 0 } })
        .hint('n_partial')
        .toArray(),
    ).toHaveLength(DOCUMENTS / 2);
  });

  it('should stay readable beside documents that are compressed', async () => {
    const many = Array.from({ length: 600 }, (_, i) => ({
      name: `many-${i}`,
      group: 'many',
      at: new Date(i),
      tags: ['x'],
      n: i,
    }));
    await things().insertMany(many);
    await things().updateOne({ name: 'many-599' }, { $set: { text: 'x'.repeat(300) } });
    await things().updateOne({ name: 'name-3' }, { $set: { text: 'y'.repeat(300) } });
    await running.stop();
    running = await startTestServer({ directory });
    expect(await things().findOne({ name: 'many-599' })).toMatchObject({ group: 'many', text: 'x'.repeat(300) });
    expect(await things().findOne({ name: 'name-3' })).toMatchObject({ text: 'y'.repeat(300) });
    const found = await things().find({}).toArray();
    expect(found).toHaveLength(DOCUMENTS + many.length);
    expect((await things().deleteMany({ group: 'many' })).deletedCount).toBe(many.length);
    await things().updateOne({ name: 'name-3' }, { $unset: { text: 1 } });
  });

  it('should be changed and removed together with new documents, and leave no entry behind', async () => {
    const added = Array.from({ length: 10 }, (_, i) => ({
      _id: i % 2 ? new ObjectId() : (`new-${i}` as never),
      name: `new-${i}`,
      group: 'g1',
      at: new Date(1.8e12 + i),
      tags: ['all'],
      n: 100 + i,
      open: true,
    }));
    await things().insertMany(added);
    await things().updateMany({ group: 'g1' }, { $set: { group: 'moved' }, $inc: { n: 1000 } });
    expect(await things().countDocuments({ group: 'g1' }, { hint: 'group_at' })).toBe(0);
    const moved = await things().find({ group: 'moved' }).hint('group_at').sort({ at: 1 }).toArray();
    expect(moved.map(({ n }) => n as number)).toEqual([
      ...Array.from({ length: 10 }, (_, i) => 1001 + 4 * i),
      ...Array.from({ length: 10 }, (_, i) => 1100 + i),
    ]);
    await expect(things().insertOne({ name: 'name-7' })).rejects.toMatchObject({ code: 11000 });
    await things().deleteMany({ tags: 'all' });
    for (const hint of ['name', 'group_at', 'tags'])
      expect(await things().find({}).hint(hint).toArray()).toHaveLength(0);
    expect(await things().find({ open: true }).hint('n_partial').toArray()).toHaveLength(0);
  });
});
