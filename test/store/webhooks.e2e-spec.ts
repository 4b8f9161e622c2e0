import { type TestApp, workerStore } from '../harness/index.js';
import { createWorkflow, identifierOf } from '../factories/workflow.factory.js';
import { eventually } from '../support/eventually.js';
import { StoreProxy } from '../support/store-proxy.js';
import { startTestApi } from '../support/test-api.js';
import { createReceiver } from '../support/webhook-receiver.js';

const STEPPED_DOWN = { ok: 0, code: 189, codeName: 'PrimarySteppedDown', errmsg: 'the primary stepped down' };

/** As in the command: the name of a collection follows its length. */
const INSERT_OF_DELIVERIES = 'insert\u0000\u0012\u0000\u0000\u0000webhookDeliveries';

describe('a webhook while the store is unavailable', () => {
  let proxy: StoreProxy;
  let api: TestApp;
  beforeAll(async () => {
    const store = workerStore();
    proxy = await StoreProxy.before(store.uri);
    api = await startTestApi({ ALLOW_PRIVATE_URLS: '1', DELIVERY_POLL_MS: '100' }, { ...store, uri: proxy.uri });
  });
  afterAll(async () => {
    proxy.disarm();
    await api.close();
    proxy.close();
  });

  it('should be called for a message that was stored before its delivery could be recorded', async () => {
    const session = await api.session();
    const receiver = await createReceiver(session, ['message.sent']);
    const workflow = identifierOf(await createWorkflow(session, { active: true }));
    // More often than the recorder of deliveries tries.
    proxy.arm(INSERT_OF_DELIVERIES, STEPPED_DOWN, 6);
    await session.post('/v1/events/trigger', { name: workflow, to: 'ann', payload: {} }).expect(201);
    await eventually(() => Promise.resolve(expect(receiver.bodies()).toHaveLength(1)));
    await receiver.server.close();
  });
});
