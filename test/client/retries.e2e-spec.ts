import { Herald } from '@herald/client';
import type { TestSession } from '../harness/index.js';
import { unique } from '../factories/ids.js';
import { refusalOf } from '../support/client.js';
import { createWorkflow } from '../support/delivery.js';
import { UnreliableProxy } from '../support/unreliable-proxy.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();
const RETRIES = { baseDelayMs: 5, maxDelayMs: 50 };

let session: TestSession;
let proxy: UnreliableProxy;
let herald: Herald;
beforeEach(async () => {
  session = await api.session();
  proxy = await UnreliableProxy.before(api.url);
  herald = new Herald({ baseUrl: proxy.url, apiKey: session.apiKey, retries: RETRIES });
});
afterEach(() => proxy.close());

async function newWorkflow(): Promise<string> {
  const { identifier } = await createWorkflow(session, [{ template: { type: 'in_app', content: 'Hello' } }]);
  return identifier;
}

const answering = (status: number, seconds: string) =>
  ({ status, headers: { 'retry-after': seconds }, body: { code: 'store_unavailable', message: 'Later.' } }) as const;

describe('a trigger of the client', () => {
  it.each([
    ['the connection is lost after Herald has accepted it', 'lost after' as const],
    ['the connection is lost before', 'lost before' as const],
    ['Herald answers 503 with Retry-After', answering(503, '0')],
    ['Herald answers 429 with Retry-After', answering(429, '0')],
  ])('should make one notification where %s', async (_what, mishap) => {
    const name = await newWorkflow();
    proxy.arm(mishap, mishap);
    const triggered = await herald.events.triggerEvent({ body: { name, to: unique('ada'), payload: { order: 1 } } });
    expect(triggered).toMatchObject({ acknowledged: true, status: 'processed' });
    await api.drain();
    const { data } = await herald.request('GET', '/v1/notifications');
    expect(data.map(({ transactionId, status }) => ({ transactionId, status }))).toEqual([
      { transactionId: triggered.transactionId, status: 'completed' },
    ]);
    expect(proxy.attempts.filter(({ route }) => route === 'POST /v1/events/trigger').length).toBe(3);
    expect(new Set(proxy.attempts.slice(0, 3).map(({ key }) => key)).size).toBe(1);
  });

  it('should make one notification for each event of a bulk and of a broadcast', async () => {
    const name = await newWorkflow();
    await herald.subscribers.bulkCreateSubscribers({
      body: { subscribers: [{ subscriberId: 'a' }, { subscriberId: 'b' }] },
    });
    proxy.arm('lost after');
    await herald.events.triggerEvents({
      body: {
        events: [
          { name, to: 'a' },
          { name, to: 'b' },
        ],
      },
    });
    proxy.arm('lost after');
    await herald.events.broadcastEvent({ body: { name, payload: {} } });
    await api.drain();
    expect((await herald.request('GET', '/v1/notifications')).data.length).toBe(4);
  });

  it('should wait as long as Retry-After says', async () => {
    const name = await newWorkflow();
    proxy.arm(answering(503, '1'));
    const started = performance.now();
    await herald.events.triggerEvent({ body: { name, to: 'ada' } });
    expect(performance.now() - started).toBeGreaterThanOrEqual(1_000);
  });
});

describe('other requests of the client', () => {
  it('should create one record where the response is lost', async () => {
    proxy.arm('lost after');
    const feed = await herald.feeds.createFeed({ body: { name: 'News' } });
    expect(await herald.feeds.listFeeds()).toEqual([expect.objectContaining({ _id: feed._id })]);
  });

  it('should fail with what Herald says, and with the id under which the log has it', async () => {
    const error = await refusalOf(herald.subscribers.getSubscriber({ path: { subscriberId: 'nobody' } }));
    expect(error).toMatchObject({ status: 404, code: 'subscriber_not_found' });
    const direct = new Herald({ baseUrl: api.url, apiKey: 'unknown' });
    await expect(direct.topics.listTopics()).rejects.toMatchObject({
      status: 401,
      code: 'unauthorized',
      requestId: expect.stringMatching(/\S/) as string,
    });
  });
});
