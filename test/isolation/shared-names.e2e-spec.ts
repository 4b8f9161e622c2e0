import type { TestSession } from '../harness/index.js';
import { unique } from '../factories/ids.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, feedOf, inApp } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';

/** Two environments of one organization and one of another, which use the same names, keys and ids for everything. */
const delivery = useDeliveryApi('shared_names', { RATE_LIMIT: '1', RATE_LIMIT_GLOBAL: '20' });
let callers: [TestSession, TestSession, TestSession];
beforeEach(async () => {
  callers = [...(await delivery.api.siblings()), await delivery.api.session()];
});

const each = <T>(work: (caller: TestSession, index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(callers.map((caller, index) => work(caller, index)));

describe('environments that use the same names', () => {
  it('should each get their own answer for one Idempotency-Key', async () => {
    const key = unique('key');
    const made = await each(async (caller) => {
      const answer = await caller.post('/v1/feeds', { name: 'News' }).set('Idempotency-Key', key).expect(201);
      expect(answer.headers['idempotency-replay']).toBeUndefined();
      return dataOf(answer);
    });
    expect(made.map(({ _environmentId }) => _environmentId)).toEqual(callers.map(({ environmentId }) => environmentId));
    expect(new Set(made.map(({ _id }) => _id)).size).toBe(3);
  });

  it('should each run their own workflow, event and cancellation', async () => {
    const transactionId = unique('transaction');
    const name = unique('Same name');
    await each((caller, index) =>
      createWorkflow(caller, [delay(), inApp(`From ${index} for {{subscriber.firstName}}`)], { name }),
    );
    const identifier = name.toLowerCase().replaceAll(' ', '-');
    await each(async (caller, index) => {
      const to = { subscriberId: 'ann', firstName: `Ann ${index}` };
      await dataOf(caller.post('/v1/events/trigger', { name: identifier, to, transactionId }), 201);
    });
    // Called off in the second one only.
    expect(await dataOf(callers[1].delete(`/v1/events/trigger/${transactionId}`), 200)).toBe(true);
    await delivery.drain(600_000);
    const contents = await each(async (caller) => (await feedOf(caller, 'ann')).map(({ content }) => content));
    expect(contents).toEqual([['From 0 for Ann 0'], [], ['From 2 for Ann 2']]);
    const stats = await each((caller) => dataOf<{ weeklySent: number }>(caller.get('/v1/notifications/stats'), 200));
    expect(stats.map(({ weeklySent }) => weeklySent)).toEqual([1, 1, 1]);
  });

  it('should each have their own limit of calls', async () => {
    const [busy, sibling, stranger] = callers;
    let status = 200;
    for (let call = 0; call < 200 && status === 200; call += 1) ({ status } = await busy.get('/v1/feeds'));
    expect(status).toBe(429);
    await sibling.get('/v1/feeds').expect(200);
    await stranger.get('/v1/feeds').expect(200);
  });

  it('should not be chosen by a header', async () => {
    const [development, production] = callers;
    await dataOf(production.post('/v1/feeds', { name: 'Production only' }), 201);
    const headers = ['X-Novu-Environment-Id', 'Novu-Environment-Id', 'X-Environment-Id', 'X-Herald-Environment-Id'];
    for (const header of headers) {
      const feeds = await dataOf<Json[]>(development.get('/v1/feeds').set(header, production.environmentId), 200);
      expect(feeds).toEqual([]);
    }
  });

  it('should not replay what belongs to another one', async () => {
    const [development, production, stranger] = callers;
    const { identifier } = await createWorkflow(production, [inApp('Hello')]);
    const body = { name: identifier, to: 'ann', transactionId: unique('transaction') };
    await dataOf(production.post('/v1/events/trigger', body), 201);
    await delivery.drain();
    const path = `/v1/notifications?transactionId=${body.transactionId}`;
    const [notification] = await dataOf<{ _id: string; jobs: { _id: string }[] }[]>(production.get(path), 200);
    const one = `/v1/notifications/${notification?._id ?? ''}`;
    for (const other of [development, stranger]) {
      expect(await codeOf(other.post(`${one}/replay`), 404)).toBe('notification_not_found');
      await other.post(`${one}/jobs/${notification?.jobs[0]?._id ?? ''}/replay`).expect(404);
      expect(await dataOf(other.get(path), 200)).toEqual([]);
    }
  });
});
