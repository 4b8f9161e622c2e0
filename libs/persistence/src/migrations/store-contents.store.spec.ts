import { NestFactory } from '@nestjs/core';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { workerStore } from '../../../../test/harness/index.js';
import { connectToStore } from '../connect-to-store.js';
import { type Migration } from './migrator.js';
import { STORE_STATE, type StoreStateRecord } from './store-state.js';
import { MongoModule } from '../mongo.module.js';
import { databaseOf } from '../raw-collection.js';
import { contentsOf } from './store-contents.js';

let connection: Connection;
let db: mongo.Db;
const store = () => {
  const uri = new URL(workerStore().uri);
  uri.pathname += '_contents';
  return { ...workerStore(), uri: uri.href };
};
beforeAll(async () => {
  connection = await mongoose.createConnection(store().uri).asPromise();
  db = databaseOf(connection);
});
beforeEach(() => db.dropDatabase());
afterAll(async () => {
  await db.dropDatabase();
  await connection.close();
});

const state = (_id: string, fields: Partial<StoreStateRecord> = {}): Promise<unknown> =>
  db.collection<StoreStateRecord>(STORE_STATE).insertOne({ _id, ...fields });
const names = async (): Promise<string[]> =>
  (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();

describe('what a database contains', () => {
  it.each<[what: string, make: () => Promise<unknown>]>([
    ['nothing', () => Promise.resolve()],
    ['the collection of a first start that ended before its first record', () => db.createCollection(STORE_STATE)],
    ['the record of a plugin after which the first start ended', () => state('plugin:rooms', { version: 1 })],
  ])('should be for a new store if it is %s', async (_what, make) => {
    await make();
    expect(await contentsOf(db)).toEqual({ owner: 'nobody', others: [] });
  });

  it.each<[what: string, make: () => Promise<unknown>]>([
    ['a schema version', () => state('schema', { version: 0, lease: 'dead' })],
    ['the mark of an unfinished copy', () => state('copy', { source: 'MongoDB at x' })],
    [
      'collections of the first versions, which kept no state',
      async () => {
        for (const name of ['apiKeys', 'notificationGroups', 'subscribers', 'triggerEvents', 'workflowSnapshots'])
          await db.createCollection(name);
      },
    ],
  ])("should be Herald's if it has %s, whatever else is there", async (_what, make) => {
    await make();
    await db.collection('invoices').insertOne({ paid: true });
    expect(await contentsOf(db)).toEqual({ owner: 'herald', others: [] });
  });

  it.each<[what: string, make: () => Promise<unknown>, others: string[]]>([
    ['records', () => db.collection('jobs').insertOne({}), ['jobs']],
    ['an empty collection', () => db.createCollection('subscribers'), ['subscribers']],
    ['a state that is not of Herald', () => state('counter'), [STORE_STATE]],
  ])("should be somebody else's if it has %s", async (_what, make, others) => {
    await make();
    expect(await contentsOf(db)).toEqual({ owner: 'others', others });
    await expect(connectToStore(store())).rejects.toThrow(
      `(test store) has no data of Herald, but the collection ${others.join()} of another application, so nothing was written`,
    );
  });
});

describe('a store that begins', () => {
  const runs: string[] = [];
  beforeEach(() => void runs.splice(0));
  const migration = (version: number): Migration => ({
    version,
    name: `m${version}`,
    run: () => Promise.resolve(void runs.push(`m${version}`)),
  });
  interface Program {
    readonly migrations?: readonly Migration[];
    readonly ofPlugin?: readonly Migration[];
    readonly collections?: readonly string[];
    readonly mayShare?: boolean;
  }
  const start = async ({
    migrations = [migration(1), migration(2)],
    ofPlugin,
    collections = [],
    mayShare = false,
  }: Program) => {
    const ofPlugins = ofPlugin === undefined ? [] : [{ plugin: 'rooms', migrations: ofPlugin }];
    const module = MongoModule.forRoot({ ...store(), mayShare }, { migrations, collections }, ofPlugins);
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    await app.close();
  };

  it('should have the newest version without any migration, however many processes start at once', async () => {
    await Promise.all([1, 2, 3].map(() => start({ ofPlugin: [migration(1)] })));
    expect(runs).toEqual([]);
    const rows = await db.collection<StoreStateRecord>(STORE_STATE).find().sort({ _id: 1 }).toArray();
    expect(rows).toEqual([
      { _id: 'plugin:rooms', version: 1, applied: [] },
      { _id: 'schema', version: 2, applied: [] },
    ]);
    await start({ migrations: [1, 2, 3].map(migration), ofPlugin: [migration(1), migration(2)] });
    expect(runs).toEqual(['m3', 'm2']);
  });

  it('should be refused in a database of others, and write nothing', async () => {
    await db.collection('invoices').insertOne({ paid: true });
    await expect(start({})).rejects.toThrow('ALLOW_SHARED_DATABASE=1');
    expect(await names()).toEqual(['invoices']);
  });

  it('should share a database where that is allowed, and run migrations on its own records only', async () => {
    await db.collection('rooms').insertOne({ of: 'others' });
    await start({ mayShare: true, collections: ['subscribers'] });
    await db.collection('subscribers').insertOne({ of: 'Herald' });
    // A plugin that is new there has no records of its own, whatever its collections contain.
    await start({ ofPlugin: [migration(1)], collections: ['subscribers'] });
    expect(runs).toEqual([]);
    await start({ migrations: [1, 2, 3].map(migration), collections: ['subscribers'] });
    expect(runs).toEqual(['m3']);
    // A later version has a collection more, whose name the other application has used before.
    const later = start({ migrations: [1, 2, 3, 4].map(migration), collections: ['rooms', 'subscribers'] });
    await expect(later).rejects.toThrow(
      'cannot be shared, because the collection rooms of another application has a name',
    );
    expect(runs).toEqual(['m3']);
  });

  it('should not share a database that has a collection with a name that Herald uses', async () => {
    await db.createCollection('subscribers');
    await db.collection('jobs').insertOne({});
    await expect(start({ mayShare: true, collections: ['messages', 'subscribers'] })).rejects.toThrow(
      'cannot be shared, because the collection subscribers of another application has a name that Herald uses',
    );
    expect(await names()).toEqual(['jobs', 'subscribers']);
  });
});
