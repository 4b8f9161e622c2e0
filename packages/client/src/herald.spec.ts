import { HeraldApiError, HeraldConnectionError } from './errors.js';
import { Herald, type HeraldOptions } from './herald.js';

interface Seen {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

type Step = Error | { status: number; body?: unknown; headers?: Record<string, string> };

/** A client whose requests are answered by the steps in turn; the last step repeats. */
function scripted(steps: readonly Step[], options: Partial<HeraldOptions> = {}): { herald: Herald; seen: Seen[] } {
  const seen: Seen[] = [];
  const answer: typeof fetch = (input, init) => {
    const step = steps[Math.min(seen.length, steps.length - 1)];
    const { method = '', headers, body } = init ?? {};
    seen.push({
      url: input as string,
      method,
      headers: headers as Record<string, string>,
      body: typeof body === 'string' ? JSON.parse(body) : undefined,
    });
    if (step === undefined || step instanceof Error) return Promise.reject(step ?? new Error('no step'));
    const text = step.body === undefined ? null : JSON.stringify(step.body);
    return Promise.resolve(new Response(text, { status: step.status, headers: step.headers ?? {} }));
  };
  const retries = { baseDelayMs: 1, ...options.retries };
  const herald = new Herald({ baseUrl: 'http://herald.test/', apiKey: 'key', fetch: answer, ...options, retries });
  return { herald, seen };
}

const DROPPED = new TypeError('fetch failed');
const UNAVAILABLE: Step = { status: 503, body: { code: 'store_unavailable', message: 'Later.' } };
const ACCEPTED: Step = { status: 201, body: { data: { acknowledged: true, status: 'processed', transactionId: 't' } } };
const EVENT = { name: 'order-shipped', to: 'ada' };

describe('requests', () => {
  it('should fill the path, repeat lists in the query and carry the key of the environment', async () => {
    const { herald, seen } = scripted([{ status: 200, body: { data: [] } }]);
    const path = '/v1/subscribers/{subscriberId}/preferences/{levelOrWorkflowId}';
    await herald.request('GET', path, { path: { subscriberId: 'a/b', levelOrWorkflowId: 'template' } });
    await herald.request('GET', '/v1/notifications', { query: { channels: ['email', 'sms'], search: 'ada' } });
    await herald.request('GET', '/v1/notifications', { query: { channels: 'email' } });
    expect(seen[0]?.url).toBe('http://herald.test/v1/subscribers/a%2Fb/preferences/template');
    expect(seen[1]?.url).toBe('http://herald.test/v1/notifications?channels=email&channels=sms&search=ada');
    expect(seen[2]?.url).toBe('http://herald.test/v1/notifications?channels=email');
    expect(seen[0]?.headers['authorization']).toBe('ApiKey key');
    expect(seen[0]?.headers['idempotency-key']).toBeUndefined();
  });

  it('should be methods by group, whose result is the data', async () => {
    const { herald, seen } = scripted([{ status: 200, body: { data: { subscriberId: 'ada' } } }]);
    const subscriber = await herald.subscribers.getSubscriber({ path: { subscriberId: 'ada' } });
    expect(subscriber.subscriberId).toBe('ada');
    expect(seen[0]).toMatchObject({ method: 'GET', url: 'http://herald.test/v1/subscribers/ada' });
  });

  it.each(['.', '..'])("should be refused before they are sent if a parameter of the path is '%s'", async (name) => {
    const { herald, seen } = scripted([{ status: 200, body: { data: [] } }]);
    await expect(herald.subscribers.getSubscriber({ path: { subscriberId: name } })).rejects.toThrow(
      `/v1/subscribers/{subscriberId} cannot be called with '${name}' as path.subscriberId`,
    );
    expect(seen).toEqual([]);
  });

  it('should be refused before they are sent if a parameter of the path is empty', async () => {
    const { herald, seen } = scripted([ACCEPTED]);
    await expect(herald.subscribers.getSubscriber({ path: { subscriberId: '' } })).rejects.toThrow('path.subscriberId');
    expect(seen).toEqual([]);
  });

  it('should carry the token of a subscriber, without an idempotency key, which is for API keys', async () => {
    const { herald, seen } = scripted([{ status: 200, body: { data: {} } }], { apiKey: undefined, sessionToken: 's' });
    await herald.request('POST', '/v1/widgets/messages/markAs', { body: { messageId: 'm', mark: { seen: true } } });
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer s' });
    expect(seen[0]?.headers['idempotency-key']).toBeUndefined();
  });

  it('should carry the headers of the client, and those of the request instead of them', async () => {
    const { herald, seen } = scripted([{ status: 200, body: { data: [] } }], {
      headers: { 'x-team': 'a', 'x-zone': '1' },
    });
    await herald.feeds.listFeeds();
    await herald.feeds.listFeeds({ headers: { 'x-team': 'b' } });
    expect(seen.map(({ headers }) => [headers['x-team'], headers['x-zone']])).toEqual([
      ['a', '1'],
      ['b', '1'],
    ]);
    expect(seen[0]?.headers['authorization']).toBe('ApiKey key');
  });

  it('should need one credential', () => {
    expect(() => new Herald({ baseUrl: 'http://herald.test' })).toThrow('either apiKey or sessionToken');
  });
});

describe('types', () => {
  /** Not called: the compiler checks it. */
  async function wrongCalls(herald: Herald): Promise<void> {
    // @ts-expect-error the parameter of the path is missing
    await herald.subscribers.getSubscriber();
    // @ts-expect-error there is no such path
    await herald.request('GET', '/v1/nothing');
    // @ts-expect-error the recipient is missing
    await herald.events.triggerEvent({ body: { name: 'order-shipped' } });
    // @ts-expect-error the list has no pages
    herald.list('/v1/feeds');
    const steps = [{ template: { type: 'fax' as const } }];
    // @ts-expect-error there is no such type of step
    await herald.workflows.createWorkflow({ body: { name: 'a', notificationGroupId: 'g', steps } });
  }

  it('should refuse what the document does not have', () => {
    expect(wrongCalls).toBeInstanceOf(Function);
  });
});

describe('retries', () => {
  it.each([
    ['a lost connection', DROPPED],
    ['503', UNAVAILABLE],
    ['429', { status: 429, body: { code: 'rate_limited' }, headers: { 'retry-after': '0' } }],
    ['an attempt that is still in progress', { status: 409, body: { code: 'idempotency_key_in_progress' } }],
    ['a proxy', { status: 502, body: 'Bad gateway' }],
  ])('should follow %s, with the same key and body', async (_what, step: Step) => {
    const { herald, seen } = scripted([step, step, ACCEPTED]);
    expect(await herald.events.triggerEvent({ body: EVENT })).toMatchObject({ status: 'processed' });
    expect(seen.length).toBe(3);
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(1);
    expect(seen.map(({ body }) => body)).toEqual(seen.map(() => ({ ...EVENT, transactionId: [...keys][0] })));
  });

  it('should keep a transaction id and an idempotency key of the caller, and number events of a bulk', async () => {
    const { herald, seen } = scripted([ACCEPTED]);
    await herald.events.triggerEvent({ body: { ...EVENT, transactionId: 'mine' }, idempotencyKey: 'k' });
    await herald.events.triggerEvents({ body: { events: [EVENT, EVENT] }, idempotencyKey: 'k' });
    expect(seen[0]).toMatchObject({ body: { transactionId: 'mine' }, headers: { 'idempotency-key': 'k' } });
    expect(seen[1]?.body).toMatchObject({ events: [{ transactionId: 'k-0' }, { transactionId: 'k-1' }] });
  });

  it('should need no key where nothing is repeated', async () => {
    const once = scripted([ACCEPTED], { retries: { maxAttempts: 1 } });
    await once.herald.events.triggerEvent({ body: EVENT });
    await once.herald.events.triggerEvent({ body: EVENT, maxAttempts: 2 });
    const often = scripted([ACCEPTED]);
    await often.herald.events.triggerEvent({ body: EVENT, maxAttempts: 1 });
    const hasKey = [...once.seen, ...often.seen].map(({ headers }) => headers['idempotency-key'] !== undefined);
    expect(hasKey).toEqual([false, true, false]);
    expect(once.seen[0]?.body).toEqual(EVENT);
  });

  it('should not follow a refusal, and show what it says', async () => {
    const body = { statusCode: 400, code: 'validation_failed', message: ['to must not be empty', 'name is missing'] };
    const { herald, seen } = scripted([{ status: 400, body, headers: { 'x-request-id': 'r1' } }]);
    const error: unknown = await herald.events.triggerEvent({ body: EVENT }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HeraldApiError);
    expect(error).toMatchObject({
      status: 400,
      code: 'validation_failed',
      details: body.message,
      requestId: 'r1',
      body,
    });
    expect(String(error)).toContain('POST /v1/events/trigger: 400 to must not be empty; name is missing');
    expect(seen.length).toBe(1);
  });

  it('should end after the last attempt with the error of it', async () => {
    const { herald, seen } = scripted([DROPPED], { retries: { maxAttempts: 3, baseDelayMs: 1 } });
    await expect(herald.topics.listTopics()).rejects.toThrow(HeraldConnectionError);
    expect(seen.length).toBe(3);
    await expect(herald.topics.listTopics({ maxAttempts: 1 })).rejects.toThrow('the connection failed');
    expect(seen.length).toBe(4);
  });

  it('should not wait longer than the limit of time', async () => {
    const busy: Step = { status: 429, body: { code: 'rate_limited' }, headers: { 'retry-after': '3600' } };
    const { herald, seen } = scripted([busy]);
    await expect(herald.topics.listTopics()).rejects.toMatchObject({ code: 'rate_limited' });
    expect(seen.length).toBe(1);
  });

  it('should not follow a lost connection of a request that is not safe to repeat', async () => {
    const { herald, seen } = scripted([DROPPED], { apiKey: undefined, sessionToken: 's' });
    await expect(
      herald.browserClients.createInboxSession({ body: { applicationIdentifier: 'a', subscriberId: 'ada' } }),
    ).rejects.toThrow(HeraldConnectionError);
    expect(seen.length).toBe(1);
  });

  it('should end at once when the caller aborts', async () => {
    const { herald } = scripted([UNAVAILABLE], { retries: { baseDelayMs: 60_000, maxElapsedMs: 600_000 } });
    const controller = new AbortController();
    const listing = herald.topics.listTopics({ signal: controller.signal });
    controller.abort(new Error('the page was closed'));
    await expect(listing).rejects.toThrow('the page was closed');
  });

  it('should end an attempt that takes too long', async () => {
    const hanging: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
    const herald = new Herald({ baseUrl: 'http://herald.test', apiKey: 'key', fetch: hanging, timeoutMs: 5 });
    await expect(herald.topics.listTopics({ maxAttempts: 1 })).rejects.toThrow('no response in time');
  });
});

describe('lists', () => {
  const rows = async (herald: Herald): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const { _id } of herald.list('/v1/subscribers', { query: { limit: 2 } })) found.push(_id);
    return found;
  };
  const page = (number: number, ids: string[], hasMore: boolean): Step => ({
    status: 200,
    body: { page: number, pageSize: 2, hasMore, data: ids.map((_id) => ({ _id })) },
  });

  it('should be read page by page, each row once, also where added rows move the others', async () => {
    const { herald, seen } = scripted([page(0, ['d', 'c'], true), page(1, ['c', 'b'], true), page(2, ['a'], false)]);
    expect(await rows(herald)).toEqual(['d', 'c', 'b', 'a']);
    expect(seen.map(({ url }) => url.replace(/.*\?/, ''))).toEqual(['limit=2', 'limit=2&page=1', 'limit=2&page=2']);
  });

  it('should be read by cursor where the response has no page', async () => {
    const inbox = (ids: string[], hasMore: boolean): Step => ({
      status: 200,
      body: { data: ids.map((id) => ({ id })), hasMore, filter: {} },
    });
    const { herald, seen } = scripted([inbox(['b', 'a'], true), inbox([], false)], {
      apiKey: undefined,
      sessionToken: 's',
    });
    const found: string[] = [];
    for await (const { id } of herald.list('/v1/inbox/notifications')) found.push(id);
    expect(found).toEqual(['b', 'a']);
    expect(seen[1]?.url).toContain('limit=100&after=a');
  });

  it('should be read by the links between pages where the response has some', async () => {
    const linked = (ids: string[], next: string | null): Step => ({
      status: 200,
      body: { data: ids.map((_id) => ({ _id })), next, previous: null, totalCount: 3, totalCountCapped: false },
    });
    const { herald, seen } = scripted([linked(['c', 'b'], 'after-b'), linked(['a'], null)]);
    const found: string[] = [];
    for await (const { _id } of herald.list('/v2/topics', { query: { limit: 2 } })) found.push(_id);
    expect(found).toEqual(['c', 'b', 'a']);
    expect(seen.map(({ url }) => url.replace(/.*\?/, ''))).toEqual(['limit=2', 'limit=2&after=after-b']);
  });

  it('should end after a short page where the response does not say whether there are more', async () => {
    const details = (ids: string[]): Step => ({ status: 200, body: { data: ids.map((_id) => ({ _id })) } });
    const { herald, seen } = scripted([details(['a', 'b']), details(['c'])]);
    const query = { subscriberId: 'ada', notificationId: 'n', limit: 2 };
    const found: string[] = [];
    for await (const { _id } of herald.list('/v1/execution-details', { query })) found.push(_id);
    expect([found, seen.length]).toEqual([['a', 'b', 'c'], 2]);
  });
});
