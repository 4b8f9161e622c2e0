import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type EmbeddedMongoProcess, launchEmbeddedMongo } from '@herald/embedded-mongo';
import type { Herald } from '@herald/client';
import { getConnectionToken } from '@nestjs/mongoose';
import mongoose, { type Connection } from 'mongoose';
import type { TestApp } from '../harness/index.js';
import { MIGRATIONS } from '../../src/bootstrap/migrations.js';
import { clientOf } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { startTestApi } from '../support/test-api.js';

/**
 * The data folder of the first version, after a run of it: one in-app message, a run that waits in a delay of 30 seconds, and
 * a digest of three events that is open for as long.
 */
const FIXTURE = join(process.cwd(), 'test', 'upgrade', 'first-version.mdb.gz');
const SETTINGS = {
  API_KEY: 'a-key-of-the-first-version',
  STORE_ENCRYPTION_KEY: 'the key of the first version, 32 characters or more',
};
const ADA = { subscriberId: 'ada' };

let dataDir: string;
let server: EmbeddedMongoProcess;
let connection: Connection;
let api: TestApp;
let herald: Herald;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'herald-upgrade-'));
  mkdirSync(join(dataDir, 'store'), { mode: 0o700 });
  writeFileSync(join(dataDir, 'store', 'data.mdb'), gunzipSync(readFileSync(FIXTURE)));
  server = await launchEmbeddedMongo({ dataDir, ttlIntervalMs: 86_400_000 });
  connection = await mongoose.createConnection(server.uri).asPromise();
  // Of a later version.
  await connection
    .collection('notifications')
    .createIndex(
      { _environmentId: 1, status: 1, createdAt: -1, _id: -1 },
      { name: 'unusual_status', partialFilterExpression: { status: { $in: ['active', 'failed'] } } },
    );
  const store = { uri: server.uri, description: 'first version', close: () => Promise.resolve() };
  api = await startTestApi(SETTINGS, store);
  herald = clientOf({ baseUrl: api.url, apiKey: SETTINGS.API_KEY });
});
afterAll(async () => {
  await api.close();
  await connection.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a store of the first version', () => {
  it('should have the schema version of this program afterwards', async () => {
    const state = await connection.collection<{ _id: string }>('storeState').findOne({ _id: 'schema' });
    expect(state).toMatchObject({ version: MIGRATIONS.length, applied: MIGRATIONS.map(({ name }) => ({ name })) });
  });

  it('should have every index of a new one, and no unique one besides', async () => {
    const models = Object.values(api.app.get<Connection>(getConnectionToken()).models);
    expect(models.length).toBeGreaterThan(20);
    for (const model of models) {
      const { toCreate, toDrop } = await model.diffIndexes();
      expect(toCreate).toEqual([]);
      const indexes = await model.collection.listIndexes().toArray();
      expect(indexes.filter(({ name, unique }) => unique === true && toDrop.includes(String(name)))).toEqual([]);
    }
  });

  it('should have lost the index that older engines do not know', async () => {
    const indexes = await connection.collection('notifications').listIndexes().toArray();
    const names = indexes.map(({ name }) => String(name));
    expect(names).toEqual(expect.arrayContaining(['status_after_usual', 'status_before_usual']));
    expect(names).not.toContain('unusual_status');
  });

  it.each<[path: string, read: () => Promise<unknown>, expected: object]>([
    [
      '/v1/subscribers/ada',
      () => herald.subscribers.getSubscriber({ path: ADA }),
      { firstName: 'Ada', email: 'ada@example.com', data: { 10: 1, b: 2 } },
    ],
    ['/v1/feeds', () => herald.feeds.listFeeds(), [{ name: 'News' }]],
    ['/v1/tenants', () => herald.tenants.listTenants(), [{ identifier: 'acme', name: 'Acme' }]],
    ['/v1/topics', () => herald.topics.listTopics(), [{ key: 'team', subscribers: ['ada'] }]],
    [
      '/v1/integrations',
      () => herald.integrations.listIntegrations(),
      [{ identifier: 'sms-1', credentials: { token: 'secret-token' }, active: true, primary: true }],
    ],
    ['/v1/webhooks', () => herald.webhooks.listWebhooks(), [{ url: 'http://127.0.0.1:9/hook', active: true }]],
    ['/v1/layouts', () => herald.layouts.listLayouts(), [{ identifier: 'plain', isDefault: true }]],
    [
      '/v1/workflows',
      () => herald.workflows.listWorkflows(),
      [{ name: 'Digest' }, { name: 'Later' }, { name: 'Hello' }],
    ],
    ['/v1/environments/api-keys', () => herald.environments.revealApiKeys(), [{ key: SETTINGS.API_KEY }]],
  ])('should show %s as it was', async (_path, read, expected) => {
    expect(await read()).toMatchObject(expected);
  });

  it('should finish the runs that were in flight', async () => {
    const texts = async (): Promise<string[]> => {
      const feed = await herald.messagesOfASubscriber.getFeed({ path: ADA });
      return feed.map(({ content }) => content).sort();
    };
    await eventually(async () => expect(await texts()).toEqual(['3 events', 'Hello Ada', 'Later Ada']));
  });
});
