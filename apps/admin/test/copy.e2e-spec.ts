import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { mongo } from 'mongoose';
import { UnusableStoreError } from '#libs/persistence';
import { workerStore } from '../../../test/harness/index.js';
import { unique } from '../../../test/factories/ids.js';
import { builtProgram, runProgram } from '../../../test/support/program.js';
import { startTestApi } from '../../../test/support/test-api.js';
import { copyStore } from '../src/moving/copy-store.js';
import { openPlace, type StorePlace } from '../src/moving/store-place.js';

const PROGRAM = 'apps/admin/src/copy.js';
const { BSON } = mongo;

let folder: string;
let opened: StorePlace[];
let databases: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-copy-'));
  [opened, databases] = [[], []];
});
afterEach(async () => {
  await Promise.all(opened.map((place) => place.close()));
  for (const uri of databases) {
    const connection = await mongoose.createConnection(uri).asPromise();
    await connection.dropDatabase();
    await connection.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

/** A database of its own in the store of the run. */
function database(name: string): string {
  const uri = new URL(workerStore().uri);
  uri.pathname += `_${unique(name)}`;
  databases.push(uri.href);
  return uri.href;
}

async function open(place: string): Promise<StorePlace> {
  const one = await openPlace(place, { mayCreate: true });
  opened.push(one);
  return one;
}

async function close(place: StorePlace): Promise<void> {
  opened.splice(opened.indexOf(place), 1);
  await place.close();
}

const copy = (from: StorePlace, to: StorePlace): ReturnType<typeof copyStore> =>
  copyStore(from, to, 365, () => undefined);

async function interruptAt(line: string, from: StorePlace, to: StorePlace): Promise<void> {
  const interrupted = copyStore(from, to, 365, (reported) => {
    if (reported === line) throw new Error('interrupted');
  });
  await expect(interrupted).rejects.toThrow('interrupted');
}

/** Every record as bytes in the order of the ids, and every index. */
async function contentOf({ db }: StorePlace): Promise<Map<string, readonly string[]>> {
  const content = new Map<string, readonly string[]>();
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
  for (const name of names) {
    const rows = await db.collection(name).find({}, { raw: true }).sort({ _id: 1 }).toArray();
    const indexes = await db.collection(name).listIndexes().toArray();
    content.set(name, [
      ...rows.map((row) => (row as unknown as Buffer).toString('hex')),
      ...indexes.map((index: unknown) => JSON.stringify(index)).sort(),
    ]);
  }
  return content;
}

const FUTURE = new Date(Date.now() + 1e9);

/** One of everything that could be changed on the way. */
async function fill({ db }: StorePlace): Promise<void> {
  const ordered = new Map<string, unknown>([
    ['_id', 'keys like numbers'],
    ['b', 1],
    ['10', new BSON.Double(1)],
    [
      '2',
      new Map<string, unknown>([
        [
          'z',
          [
            'x',
            new Map([
              ['y', 1],
              ['0', 2],
            ]),
          ],
        ],
        ['1', new Date(0)],
      ]),
    ],
  ]);
  await db.collection('kinds').insertMany(
    [
      { _id: 'types', double: new BSON.Double(1), int: 1, long: BSON.Long.fromNumber(1), text: 'ü', none: null },
      {
        _id: 'more',
        decimal: BSON.Decimal128.fromString('1.10'),
        bytes: Buffer.from([1, 2]),
        pattern: /a"b/i,
        at: FUTURE,
      },
      ordered as unknown as { _id: string },
    ] as unknown as mongo.Document[],
    { forceServerObjectId: true },
  );
  await db
    .collection('mixed')
    .insertMany([{ _id: 1 }, { _id: 'one' }, { _id: new BSON.ObjectId() }] as mongo.Document[]);
  await db.createCollection('empty');
  await db.collection('many').insertMany(Array.from({ length: 2_500 }, (_, n) => ({ n, text: 'x'.repeat(200) })));
  await db.collection('many').createIndex({ n: 1, text: -1 }, { unique: true });
  await db.collection('many').createIndex({ text: 1 }, { partialFilterExpression: { n: { $gt: 5 } } });
  await db.collection('expiring').createIndex({ at: 1 }, { expireAfterSeconds: 0 });
  await db.collection('expiring').insertMany([{ at: FUTURE }, { at: 'never' }]);
  await db.collection('storeState').insertOne({ _id: 'schema', version: 1 } as mongo.Document);
}

describe('herald db:copy', () => {
  it('should copy an embedded store to another store and back, every record and index the same', async () => {
    const embedded = await open(join(folder, 'first'));
    await fill(embedded);
    const original = await contentOf(embedded);
    const database1 = await open(database('there'));
    expect(await copy(embedded, database1)).toEqual({ collections: 5, records: 2_508, wasResumed: false });
    expect(await contentOf(database1)).toEqual(original);

    const back = await open(join(folder, 'second'));
    await copy(database1, back);
    expect(await contentOf(back)).toEqual(original);
  });

  it('should tell the log of each environment of the target, once, however often it is resumed', async () => {
    const source = await open(database('source'));
    const environments = [new BSON.ObjectId(), new BSON.ObjectId()];
    const _organizationId = new BSON.ObjectId();
    await source.db.collection('environments').insertMany(environments.map((_id) => ({ _id, _organizationId })));
    const before = { _id: new BSON.ObjectId(), action: 'copyStore' };
    await source.db.collection('auditEntries').insertOne(before);
    const target = await open(database('target'));
    await copy(source, target);
    const entries = target.db.collection('auditEntries');
    const told = { action: 'copyStore', outcome: 'done', untoldSince: expect.any(Date) as Date, _organizationId };
    const written = [before, ...environments.map((_environmentId) => ({ ...told, _environmentId }))];
    expect(await entries.find().sort({ _id: 1 }).toArray()).toMatchObject(written);
    // As if the command had been killed before its last write.
    const rows = await entries.find({ outcome: 'done' }).toArray();
    const mark = { _id: 'copy', source: source.description, auditEntries: rows.map(({ _id }) => _id) };
    await target.db.collection('storeState').insertOne(mark as unknown as mongo.Document);
    expect(await copy(source, target)).toMatchObject({ wasResumed: true });
    expect(await entries.find().sort({ _id: 1 }).toArray()).toMatchObject(written);
    expect(await source.db.collection('auditEntries').countDocuments()).toBe(1);
  });

  it('should refuse a target with other data, or with the unfinished copy of another source', async () => {
    const source = await open(database('source'));
    await fill(source);
    const target = await open(database('target'));
    await target.db.collection('feeds').insertOne({ name: 'there' });
    await expect(copy(source, target)).rejects.toThrow('is not empty');
    await target.db.dropDatabase();
    await target.db.collection('storeState').insertOne({ _id: 'copy', source: 'MongoDB at x' } as mongo.Document);
    await expect(copy(source, target)).rejects.toThrow('is an unfinished copy of MongoDB at x');
    await expect(copy(target, await open(database('third')))).rejects.toThrow('is an unfinished copy itself');
  });

  it('should find that the source was changed during the copy, and keep Herald from starting on the target', async () => {
    const source = await open(database('source'));
    await fill(source);
    const uri = database('target');
    const target = await open(uri);
    await interruptAt('many: 2500 of 2500 (100 %)', source, target);
    await expect(startTestApi({}, { ...workerStore(), uri })).rejects.toThrow(UnusableStoreError);
    await source.db.collection('kinds').deleteOne({ double: 1 });
    await expect(copy(source, target)).rejects.toThrow('The copy differs from its source in: kinds.');
    await expect(startTestApi({}, { ...workerStore(), uri })).rejects.toThrow(UnusableStoreError);
  });

  it('should not count records that expire during the copy as a difference', async () => {
    const source = await open(database('source'));
    const rows = source.db.collection('expiring');
    const soon = new Date(Date.now() + 600_000);
    await rows.insertMany([{ at: soon }, { at: FUTURE }]);
    await rows.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    const target = await open(database('target'));
    await interruptAt('expiring: 2 of 2 (100 %)', source, target);
    await rows.deleteOne({ at: soon });
    expect(await copy(source, target)).toMatchObject({ records: 1, wasResumed: true });
  });

  it('should refuse a source that another process uses, and say what to do', async () => {
    await open(join(folder, 'first'));
    await expect(openPlace(join(folder, 'first'), { mayCreate: false })).rejects.toThrow('npm run herald -- backup');
    await expect(openPlace(join(folder, 'none'), { mayCreate: false })).rejects.toThrow('There is no Herald store');
  });

  it('should continue after it was killed, several times, and end with the same records', async () => {
    const [from, to] = [database('source'), database('target')];
    const source = await open(from);
    await fill(source);
    const rows = Array.from({ length: 12_000 }, (_, n) => ({ n, text: 'y'.repeat(1_000) }));
    await source.db.collection('records').insertMany(rows);
    const target = await open(to);
    for (const least of [1_000, 5_000, 9_000]) await killAt(least, from, to, target);

    const end = await runProgram(PROGRAM, ['--from', from, '--to', to], {}, folder);
    expect(end).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Finished the copy of .*Number and content are equal/) as string,
    });
    expect(await contentOf(target)).toEqual(await contentOf(source));
    await close(target);
  });

  it('should refuse a password that is not percent-encoded, and show nothing of it', async () => {
    const opening = openPlace('mongodb://user:first@SECRET@127.0.0.1:1/db', { mayCreate: false });
    await expect(opening).rejects.toThrow(/^The connection string must be like ((?!SECRET|first).)*percent-encode/s);
  });

  it('should exit with 2 for a wrong command line, and with 1 where nothing can be copied', async () => {
    expect(await runProgram(PROGRAM, [], {}, folder)).toMatchObject({ code: 2, err: /Usage/ });
    expect(await runProgram(PROGRAM, ['--to', database('x')], { DATA_DIR: folder }, folder)).toMatchObject({ code: 1 });
  });
});

/** Runs the program and kills it as soon as the target has so many records. */
async function killAt(least: number, from: string, to: string, target: StorePlace): Promise<void> {
  const child = spawn(process.execPath, [...builtProgram(PROGRAM), '--from', from, '--to', to], {
    cwd: folder,
    stdio: 'ignore',
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  while (child.exitCode === null && (await target.db.collection('records').estimatedDocumentCount()) < least);
  child.kill('SIGKILL');
  await gone;
  expect(child.signalCode).toBe('SIGKILL');
}
