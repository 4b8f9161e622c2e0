import { STORE_FAULTS } from '#libs/telemetry';
import { type TestApp, type TestSession, workerStore } from '../harness/index.js';
import { createWorkflow, identifierOf } from '../factories/workflow.factory.js';
import { dataOf } from '../support/answers.js';
import { eventually } from '../support/eventually.js';
import { StoreProxy } from '../support/store-proxy.js';
import { startTestApi } from '../support/test-api.js';

let proxy: StoreProxy;
let api: TestApp;
let session: TestSession;
let workflow: string;
beforeAll(async () => {
  const store = workerStore();
  proxy = await StoreProxy.before(store.uri);
  api = await startTestApi({ DELIVERY_WORKER: 'off' }, { ...store, uri: proxy.uri });
  session = await api.session();
  workflow = identifierOf(await createWorkflow(session, { active: true }));
});
afterAll(async () => {
  proxy.disarm();
  await api.close();
  proxy.close();
});
afterEach(async () => {
  proxy.disarm();
  await eventually(() => session.get('/v1/health-check').expect(200));
  await eventually(() => session.get('/v1/feeds').expect(200));
});

const trigger = (transactionId: string): ReturnType<TestSession['post']> =>
  session.post('/v1/events/trigger', { name: workflow, to: 'ann', payload: {}, transactionId });

describe('a store that becomes unavailable while an event is stored', () => {
  it.each(['lost before', 'lost after'] as const)(
    'should be reported with 503, and repeating the trigger should be safe: the connection is %s',
    async (mishap) => {
      const transactionId = `away-${mishap.replace(' ', '-')}`;
      await trigger(`warm-${transactionId}`).expect(201);

      proxy.arm(transactionId, mishap);
      const lost = await trigger(transactionId).expect(503);
      expect(lost.headers['retry-after']).toBe('2');
      expect(lost.body).toMatchObject({ code: 'store_unavailable', error: 'Service Unavailable' });
      const { message } = lost.body as { message: string };
      expect(message).toMatch(/not known/);
      expect(message).toContain('transactionId');

      // Workflow and key are known without the store by now.
      const next = await trigger(transactionId).expect(503);
      expect(next.body).toMatchObject({ code: 'store_unavailable' });
      expect(next.headers['retry-after']).toBe('2');

      proxy.disarm();
      const repeated = await eventually(() => trigger(transactionId).expect(201));
      expect(dataOf(repeated)).toMatchObject({ transactionId, status: 'processed' });
    },
  );

  it('should not claim that nothing was changed, since that can be untrue', async () => {
    proxy.arm('written-and-lost', 'lost after');
    const tenant = { identifier: 'written-and-lost', name: 'Written' };
    const { body } = await session.post('/v1/tenants', tenant).expect(503);
    expect((body as { message: string }).message).not.toMatch(/nothing was changed/i);
    proxy.disarm();
    await eventually(() => session.get('/v1/tenants/written-and-lost').expect(200));
  });
});

describe('a store whose primary changes', () => {
  it.each([10107, 189, 91, 11600, 11602, 13435])(
    'should be reported with 503 for code %i, to the request in flight and to later ones',
    async (code) => {
      const transactionId = `fail-over-${code}`;
      proxy.arm(transactionId, { ok: 0, code, errmsg: 'the primary changes' });
      for (let n = 0; n < 2; n++) {
        const refused = await trigger(transactionId).expect(503);
        expect(refused.headers['retry-after']).toBe('2');
        expect(refused.body).toMatchObject({ code: 'store_unavailable' });
      }
      proxy.disarm();
      await eventually(() => trigger(transactionId).expect(201));
    },
  );

  it('should be recognized by the label of an error and by a write that was not confirmed', async () => {
    proxy.arm('labelled', { ok: 0, code: 1, errmsg: 'x', errorLabels: ['RetryableWriteError'] });
    await trigger('labelled').expect(503);
    const writeConcernError = {
      code: 64,
      codeName: 'WriteConcernTimeout',
      errmsg: 'waiting for replication timed out',
    };
    proxy.arm('unconfirmed', { ok: 1, n: 1, writeConcernError });
    await trigger('unconfirmed').expect(503);
  });

  it('should have changed nothing for a request that only reads', async () => {
    proxy.arm('feeds', { ok: 0, code: 189, errmsg: 'stepped down' });
    const { body } = await session.get('/v1/feeds').expect(503);
    expect(body).toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(/Nothing was changed/) as string,
    });
  });
});

describe('a store without space', () => {
  it('should be reported with 503 and by the health check until it takes writes again', async () => {
    proxy.arm('no-space', 'full');
    const refused = await trigger('no-space').expect(503);
    expect(refused.body).toMatchObject({ code: 'store_full', error: 'Service Unavailable' });
    expect(refused.headers['retry-after']).toBe('30');
    await session.get('/v1/feeds').expect(200);

    proxy.arm('healthProbes', 'full');
    const ill = await session.get('/v1/health-check').expect(503);
    expect(ill.body).toMatchObject({
      data: { status: 'error', error: { db: { status: 'down', message: expect.stringMatching(/space/) as string } } },
    });

    proxy.disarm();
    const well = await eventually(() => session.get('/v1/health-check').expect(200));
    expect(well.body).toMatchObject({ data: { status: 'ok' } });
    await trigger('no-space').expect(201);
  });
});

describe('a damaged record', () => {
  it('should be answered with 500 and not be named to callers', async () => {
    proxy.arm('feeds', {
      ok: 0,
      code: 246,
      codeName: 'DataCorruptionDetected',
      errmsg: 'damaged data: a secret place',
    });
    const { body } = await session.get('/v1/feeds').expect(500);
    expect(body).toMatchObject({ code: 'store_damaged', errorId: expect.any(String) as string });
    expect(JSON.stringify(body)).not.toContain('secret place');
    proxy.disarm();
    await session.get('/v1/feeds').expect(200);
  });

  it('should be told by the health check, and counted, while all else is served', async () => {
    const counted = jest.spyOn(STORE_FAULTS, 'add');
    for (const reads of [3, 3, 5]) {
      proxy.arm('ping', { ok: 1, damage: { reads } });
      const { body } = await session.get('/v1/health-check').expect(200);
      const db = { status: 'up', message: `damaged data was found by ${reads} reads` };
      expect(body).toMatchObject({ data: { status: 'ok', details: { db } } });
    }
    expect(counted.mock.calls).toEqual([
      [{ kind: 'damaged_reads' }, 3],
      [{ kind: 'damaged_reads' }, 2],
    ]);
    counted.mockRestore();
    proxy.disarm();
    const { body } = await session.get('/v1/health-check').expect(200);
    expect(body).toMatchObject({ data: { details: { db: { status: 'up' } } } });
  });
});
