import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedMongoProcess, launchEmbeddedMongo } from '@herald/embedded-mongo';
import { type TestApp, type TestSession } from '../harness/index.js';
import request from 'supertest';
import { VERSION } from '#libs/config';
import { HealthService } from '../../src/operations/health/index.js';
import { eventually } from '../support/eventually.js';
import { startTestApi } from '../support/test-api.js';

const UP = { status: 'up' };

let dataDir: string;
let store: EmbeddedMongoProcess;
let api: TestApp;
let session: TestSession;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'herald-health-'));
  store = await launchEmbeddedMongo({ dataDir });
  api = await startTestApi({}, { uri: store.uri, description: 'store of its own', close: () => store.stop() });
  session = await api.session();
});
afterAll(async () => {
  await api.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const health = (): request.Test => request(api.url).get('/v1/health-check').timeout(60_000);

/** Asks until the answer has this status. */
const until = (status: number): Promise<request.Response> => eventually(() => health().expect(status));

describe('/v1/health-check', () => {
  it('should answer 200 without a key while all is well', async () => {
    const { body } = await health().expect(200);
    expect(body).toEqual({
      data: {
        status: 'ok',
        info: { db: UP, process: UP },
        error: {},
        details: { db: UP, process: UP },
        version: VERSION,
      },
    });
  });

  it('should answer 503 in the same shape while the store is unavailable, other routes too, and recover by itself', async () => {
    await session.post('/v1/feeds', { name: 'Kept' }).expect(201);
    await store.stop();

    const db = { status: 'down', message: expect.any(String) as string };
    const { body } = await until(503);
    expect(body).toEqual({
      data: { status: 'error', info: { process: UP }, error: { db }, details: { db, process: UP }, version: VERSION },
    });
    // left to itself, the driver waits for half a minute
    const refused = await session.get('/v1/feeds').timeout(25_000).expect(503);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.body).toMatchObject({ statusCode: 503, code: 'store_unavailable', error: 'Service Unavailable' });

    store = await launchEmbeddedMongo({ dataDir });
    await until(200);
    const { body: feeds } = await session.get('/v1/feeds').expect(200);
    expect(feeds).toMatchObject({ data: [{ name: 'Kept' }] });
  });

  it('should say 503 after a signal, while requests that are under way are still taken', async () => {
    // an application of its own, since there is no way back from stopping
    const stopping = await startTestApi({ SHUTDOWN_DRAIN_MS: '250' });
    const caller = await stopping.session();
    const ended = stopping.app.get(HealthService).drain();
    const { body } = await request(stopping.url).get('/v1/health-check').expect(503);
    expect(body).toMatchObject({ data: { error: { process: { status: 'down', message: 'shutting down' } } } });
    await caller.get('/v1/feeds').expect(200);
    await ended;
    await stopping.close();
  });
});
