import { type TestApp, type TestSession, workerStore } from '../harness/index.js';
import { StoreProxy } from '../support/store-proxy.js';
import { startTestApi } from '../support/test-api.js';

/** Answers of engines that speak MongoDB's protocol and differ from MongoDB in their errors. */
const DEADLOCK = { ok: 0, code: 1, codeName: 'InternalError', errmsg: 'deadlock detected' };
const WRITE_CONFLICT = { ok: 0, code: 112, codeName: 'WriteConflict', errmsg: 'WriteConflict' };
const CONSTRAINT = { ok: 0, code: 1, errmsg: 'conflicting key value violates exclusion constraint "documents_2"' };
const DUPLICATE = { ok: 1, n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: 'E11000 duplicate key error' }] };

let proxy: StoreProxy;
let api: TestApp;
let session: TestSession;
beforeAll(async () => {
  const store = workerStore();
  proxy = await StoreProxy.before(store.uri);
  api = await startTestApi({ DELIVERY_WORKER: 'off' }, { ...store, uri: proxy.uri });
});
beforeEach(async () => {
  session = await api.session();
});
afterEach(() => proxy.disarm());
afterAll(async () => {
  await api.close();
  proxy.close();
});

describe('an engine that does not repeat conflicting writes by itself', () => {
  it.each([
    ['WriteConflict', WRITE_CONFLICT],
    ['a deadlock', DEADLOCK],
  ])('should have writes that are safe to repeat repeated after %s', async (_name, answer) => {
    proxy.arm('contended-one', answer, 3);
    await session.post('/v1/subscribers', { subscriberId: 'contended-one' }).expect(201);
    proxy.arm(
      'contended-many',
      { ok: 1, n: 0, writeErrors: [{ index: 0, code: answer.code, errmsg: answer.errmsg }] },
      3,
    );
    const subscribers = [{ subscriberId: 'contended-many' }];
    const { body } = await session.post('/v1/subscribers/bulk', { subscribers }).expect(201);
    expect(body).toMatchObject({ data: { created: [{ subscriberId: 'contended-many' }], failed: [] } });
  });

  it('should have other writes reported with 503 and Retry-After', async () => {
    proxy.arm('contended-tenant', WRITE_CONFLICT);
    const tenant = { identifier: 'contended-tenant', name: 'Contended' };
    const refused = await session.post('/v1/tenants', tenant).expect(503);
    expect(refused.headers['retry-after']).toBe('1');
    proxy.disarm();
    await session.post('/v1/tenants', tenant).expect(201);
  });
});

describe('an engine that does not say which key is a duplicate', () => {
  const inApp = (identifier: string): object => ({
    providerId: 'novu',
    channel: 'in_app',
    name: 'Inbox',
    identifier,
    active: true,
    credentials: {},
  });

  it('should have the second in-app integration and a taken identifier told apart', async () => {
    await session.post('/v1/integrations', inApp('the-first')).expect(201);
    proxy.arm('the-second', DUPLICATE, 1);
    const second = await session.post('/v1/integrations', inApp('the-second')).expect(409);
    expect(second.body).toMatchObject({ code: 'in_app_integration_exists' });
    proxy.arm('the-first', DUPLICATE, 1);
    const taken = await session.post('/v1/integrations', inApp('the-first')).expect(409);
    expect(taken.body).toMatchObject({ code: 'integration_identifier_taken' });
  });

  it('should have a duplicate recognized that is reported as an internal error', async () => {
    await session.post('/v1/tenants', { identifier: 'moved', name: 'Moved' }).expect(201);
    proxy.arm('taken-name', CONSTRAINT, 1);
    const { body } = await session.patch('/v1/tenants/moved', { identifier: 'taken-name' }).expect(409);
    expect(body).toMatchObject({ code: 'tenant_already_exists' });
  });
});

describe('a store that refuses the credentials', () => {
  it('should end the start with one line that says what to check', async () => {
    const closed = await StoreProxy.before(workerStore().uri);
    const errmsg = 'Command listCollections requires authentication';
    closed.arm('listCollections', { ok: 0, code: 13, codeName: 'Unauthorized', errmsg });
    const start = startTestApi({}, { ...workerStore(), uri: closed.uri });
    await expect(start).rejects.toThrow(
      'The store (test store) does not accept the credentials in MONGODB_URI: Command listCollections requires authentication. Check user',
    );
    closed.close();
  });
});
