import { jest } from '@jest/globals';
import fc from 'fast-check';
import { InboxStore } from './store.js';
import type { InboxNotification, InboxOptions } from './types.js';

fc.configureGlobal({ seed: 20_261_125 });

const START = Date.UTC(2026, 10, 25);
const OPTIONS = { backendUrl: 'https://herald.test/', applicationIdentifier: 'app', subscriberId: 'ada' };

/** Herald as browsers see it: lists, changes, and a stream that resumes. */
class FakeHerald {
  readonly rows: InboxNotification[] = [];
  readonly calls: string[] = [];
  isReached = true;
  private readonly held: { readonly what: string; readonly part: string; readonly ended: Promise<void> }[] = [];
  /** Status of what is refused, by a part of its path. */
  refused: readonly [part: string, status: number, code?: string] | undefined;
  private readonly streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  private told = 0;

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const path = url.pathname.replace('/v1/inbox/', '');
    const call = `${init.method ?? 'GET'} ${path}`;
    this.calls.push(call);
    await Promise.resolve();
    if (!this.isReached) throw new TypeError('Failed to fetch');
    const [part, status = 0, code] = this.refused ?? [];
    if (part !== undefined && call.includes(part)) return Response.json({ message: 'Refused', code }, { status });
    const held = this.held.find((one) => call.includes(one.part));
    if (held?.what === 'requests') await held.ended;
    const response = this.answer(path, url.searchParams, init);
    if (held?.what === 'answers') await held.ended;
    return response;
  };

  /** @returns releases what was held */
  hold(what: 'requests' | 'answers', part: string): () => void {
    let release = (): void => undefined;
    const one = { what, part, ended: new Promise<void>((resolve) => (release = resolve)) };
    this.held.push(one);
    return () => {
      this.held.splice(this.held.indexOf(one), 1);
      release();
    };
  }

  private answer(path: string, query: URLSearchParams, { body, signal }: RequestInit): Response {
    if (path === 'session') return this.session();
    if (path === 'stream') return this.stream(query.get('lastEventId'), signal);
    if (path === 'notifications') return this.list(query);
    if (path === 'notifications/count')
      return Response.json({
        data: (JSON.parse(query.get('filters') ?? '[]') as object[]).map(() => ({ count: this.unread })),
      });
    const sent = (typeof body === 'string' ? JSON.parse(body) : {}) as { notificationIds?: string[] };
    const [, id = '', change = id] = path.split('/');
    const state = {
      read: { isRead: true, isSeen: true },
      unread: { isRead: false },
      archive: { isArchived: true, isRead: true },
      unarchive: { isArchived: false },
      seen: { isSeen: true },
    }[change];
    this.rows.forEach((row, at) => {
      const isMeant = id === change ? (sent.notificationIds?.includes(row.id) ?? true) : row.id === id;
      if (isMeant) this.rows[at] = { ...row, ...state };
    });
    this.tellCounts();
    return new Response(null, { status: 204 });
  }

  private session(): Response {
    return Response.json({ data: { token: 't', unreadCount: { total: this.unread }, maxSnoozeDurationHours: 24 } });
  }

  private list(query: URLSearchParams): Response {
    const limit = Number(query.get('limit'));
    const after = this.sorted.findIndex(({ id }) => id === query.get('after'));
    const wanted = this.sorted
      .slice(after + 1)
      .filter(
        (row) => String(row.isArchived) === query.get('archived') && (query.get('read') !== 'false' || !row.isRead),
      );
    return Response.json({ data: wanted.slice(0, limit), hasMore: wanted.length > limit });
  }

  private stream(lastEventId: string | null, signal?: AbortSignal | null): Response {
    const missed = lastEventId === null ? [] : this.rows.slice(Number(lastEventId));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.streams.add(controller);
        signal?.addEventListener('abort', () => this.end(controller));
        controller.enqueue(new TextEncoder().encode('retry: 2000\n\n'));
        for (const row of missed) this.sendMessage(row, [controller]);
        this.tellCounts([controller]);
      },
    });
    return new Response(body);
  }

  get sorted(): InboxNotification[] {
    return [...this.rows].sort((one, other) =>
      one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id) ? 1 : -1,
    );
  }

  get unread(): number {
    return this.rows.filter(({ isRead, isArchived }) => !isRead && !isArchived).length;
  }

  /** @param agoMs it was made before others, and becomes visible now */
  add(agoMs = 0): void {
    const number = this.rows.length + 1;
    const row: InboxNotification = {
      id: String(number).padStart(6, '0'),
      body: `Message ${number}`,
      createdAt: new Date(START + number * 1_000 - agoMs).toISOString(),
      isRead: false,
      isSeen: false,
      isArchived: false,
      isSnoozed: false,
      tags: [],
      severity: 'none',
    };
    this.rows.push(row);
    this.told = this.rows.length;
    this.sendMessage(row, this.streams);
    this.tellCounts();
  }

  cut(): void {
    for (const controller of this.streams) this.end(controller);
  }

  get open(): number {
    return this.streams.size;
  }

  private end(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (this.streams.delete(controller)) controller.error(new TypeError('network error'));
  }

  private sendMessage(
    { id, body, createdAt }: InboxNotification,
    to: Iterable<ReadableStreamDefaultController<Uint8Array>>,
  ): void {
    this.send('message', { _id: id, content: body, createdAt }, to, Number(id));
  }

  private tellCounts(to: Iterable<ReadableStreamDefaultController<Uint8Array>> = this.streams): void {
    this.send('counts', { unseenCount: this.unread, counts: { total: this.unread } }, to, this.told);
  }

  private send(
    type: string,
    data: object,
    to: Iterable<ReadableStreamDefaultController<Uint8Array>>,
    id: number,
  ): void {
    const text = `event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const controller of to) controller.enqueue(new TextEncoder().encode(text));
  }
}

const running: InboxStore[] = [];

function open(herald: FakeHerald, more: Partial<InboxOptions> = {}): InboxStore {
  const store = new InboxStore({ ...OPTIONS, fetch: herald.fetch, ...more });
  running.push(store);
  store.setShown(true);
  store.start();
  return store;
}

const STEP_MS = 500;
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The fake clock goes on, and what waits for answers gets its turn in between. */
async function later(ms = 2_000): Promise<void> {
  for (let left = ms; left >= 0; left -= STEP_MS) {
    for (let turns = 0; turns < 6; turns += 1) await turn();
    jest.advanceTimersByTime(Math.min(left, STEP_MS));
  }
  for (let turns = 0; turns < 6; turns += 1) await turn();
}

const idsOf = (list: readonly InboxNotification[]): string[] => list.map(({ id }) => id);

beforeEach(() =>
  jest.useFakeTimers({ now: START, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] }),
);
afterEach(() => {
  for (const store of running.splice(0)) store.stop();
  jest.useRealTimers();
});

describe('InboxStore', () => {
  it('should show the list, and what comes, with its numbers', async () => {
    const herald = new FakeHerald();
    herald.add();
    const store = open(herald);
    const arrivals: unknown[] = [];
    store.onArrival((arrival) => arrivals.push(arrival));
    await later();
    expect(store.state).toMatchObject({ status: 'live', unread: 1, isLoaded: true, maxSnoozeHours: 24 });
    herald.add();
    await later();
    expect(idsOf(store.state.items)).toEqual(['000002', '000001']);
    expect(store.state).toMatchObject({ unread: 2, unseen: 2 });
    expect(arrivals).toEqual([{ id: '000002', body: 'Message 2' }]);
  });

  it('should read no list while it is not shown', async () => {
    const herald = new FakeHerald();
    const store = open(herald);
    store.setShown(false);
    await later();
    herald.calls.length = 0;
    herald.add();
    await later();
    expect(store.state.unread).toBe(1);
    expect(herald.calls).toEqual([]);
    store.setShown(true);
    await later();
    expect(idsOf(store.state.items)).toEqual(['000001']);
  });

  it('should ask nothing after it was stopped, and catch up when it is started again', async () => {
    const herald = new FakeHerald();
    const store = open(herald);
    await later();
    herald.add();
    await turn();
    store.stop();
    herald.calls.length = 0;
    herald.add();
    await later();
    expect(herald.calls).toEqual([]);
    store.start();
    await later();
    expect(idsOf(store.state.items)).toEqual(['000002', '000001']);
    expect(store.state).toMatchObject({ status: 'live', unread: 2 });
  });

  it('should try again at once when it is asked to', async () => {
    const herald = new FakeHerald();
    herald.isReached = false;
    const store = open(herald);
    await later(120_000);
    expect(store.state.status).toBe('offline');
    herald.isReached = true;
    herald.add();
    store.refresh();
    await later(STEP_MS);
    expect(store.state).toMatchObject({ status: 'live', unread: 1, items: [{ id: '000001' }] });
  });

  it('should find a message that becomes visible among older ones', async () => {
    const herald = new FakeHerald();
    for (let count = 0; count < 60; count += 1) herald.add();
    const store = open(herald);
    await later();
    await store.loadMore();
    await later();
    herald.add(50_000);
    await later();
    expect(idsOf(store.state.items)).toEqual(idsOf(herald.sorted));
  });

  it('should show a change at once, and send it when Herald is back', async () => {
    const herald = new FakeHerald();
    herald.add();
    const store = open(herald);
    await later();
    herald.isReached = false;
    herald.cut();
    store.mark('000001', 'read');
    expect(store.state).toMatchObject({ unread: 0, items: [{ isRead: true }] });
    await later(20_000);
    expect(store.state).toMatchObject({ status: 'offline', unsent: 1, items: [{ isRead: true }] });
    expect(herald.rows[0]?.isRead).toBe(false);
    herald.isReached = true;
    await later(40_000);
    expect(herald.rows[0]?.isRead).toBe(true);
    expect(store.state).toMatchObject({ status: 'live', unsent: 0 });
    await store.settled();
  });

  it('should take back what Herald refuses, and say so', async () => {
    const herald = new FakeHerald();
    herald.add();
    const store = open(herald);
    await later();
    herald.refused = ['PATCH', 404, 'message_not_found'];
    store.mark('000001', 'archive');
    expect(store.state.items).toEqual([]);
    await later();
    expect(idsOf(store.state.items)).toEqual(['000001']);
    expect(store.state.error).toMatchObject({ message: 'Refused', code: 'message_not_found' });
  });

  it('should not let a list that was asked for before a change undo it', async () => {
    const herald = new FakeHerald();
    herald.add();
    const store = open(herald);
    await later();
    const release = herald.hold('answers', 'GET notifications');
    herald.add();
    await later(500);
    store.mark('000001', 'archive');
    release();
    await later(0);
    expect(idsOf(store.state.items)).toEqual(['000002']);
    await later();
    expect(idsOf(store.state.items)).toEqual(['000002']);
  });

  it.each(['requests', 'answers'] as const)(
    'should show what was moved in the list that it was moved to, though the %s of changes are slow',
    async (what) => {
      const herald = new FakeHerald();
      for (let count = 0; count < 2; count += 1) herald.add();
      const store = open(herald);
      await later();
      for (const [change, view] of [
        ['archive', 'archived'],
        ['unarchive', 'inbox'],
      ] as const) {
        const release = herald.hold(what, 'PATCH');
        store.mark('000001', change);
        store.show({ view });
        await later();
        release();
        await later();
        expect(idsOf(store.state.items)).toContain('000001');
      }
    },
  );

  it.each([
    ['of the tabs', 'answers', 'GET notifications/count', [{ label: 'All' }, { label: 'Billing' }]],
    ['of the stream', 'requests', 'PATCH', []],
  ] as const)('should not let counts %s from before a change undo it', async (_whose, what, held, tabs) => {
    const herald = new FakeHerald();
    for (let count = 0; count < 3; count += 1) herald.add();
    const store = open(herald, { tabs });
    await later();
    const release = herald.hold(what, held);
    herald.add();
    await later(500);
    const shown: number[] = [];
    store.subscribe(() => shown.push(store.state.unread));
    store.mark('000001', 'archive');
    store.mark('000002', 'read');
    await later();
    herald.add();
    await later();
    release();
    await later();
    expect(store.state).toMatchObject({ unread: 3, unsent: 0 });
    expect(shown[0]).toBe(2);
    expect(shown.filter((unread, at) => unread < (shown[at - 1] ?? 0))).toEqual([]);
  });

  it('should not let counts that were asked for before a change undo it where there is no stream', async () => {
    const herald = new FakeHerald();
    herald.refused = ['stream', 404, 'real_time_off'];
    herald.add();
    const store = open(herald, { pollMs: 5_000 });
    await later();
    const release = herald.hold('answers', 'notifications/count');
    await later(6_000);
    const shown: number[] = [];
    store.subscribe(() => shown.push(store.state.unread));
    store.mark('000001', 'read');
    await later();
    herald.add();
    release();
    await later();
    expect(store.state).toMatchObject({ status: 'polling', unsent: 0 });
    expect([...new Set(shown)]).toEqual([0, 1]);
  });

  it('should count the messages of the tabs again when Herald did not for now', async () => {
    const herald = new FakeHerald();
    herald.add();
    const store = open(herald, { tabs: [{ label: 'All' }, { label: 'Billing' }] });
    await later();
    herald.refused = ['notifications/count', 429];
    herald.add();
    await later(3_000);
    expect(store.state).toMatchObject({ unread: 2, tabCounts: [1, 1] });
    herald.refused = undefined;
    await later(3_000);
    expect(store.state.tabCounts).toEqual([2, 2]);
  });

  it('should count again what Herald has refused', async () => {
    const herald = new FakeHerald();
    herald.add();
    const store = open(herald);
    await later();
    herald.refused = ['PATCH', 404, 'message_not_found'];
    store.mark('000001', 'read');
    expect(store.state.unread).toBe(0);
    await later();
    expect(store.state.unread).toBe(1);
  });

  it('should keep its numbers when Herald does not count for now, and count later', async () => {
    const herald = new FakeHerald();
    herald.refused = ['stream', 404, 'real_time_off'];
    herald.add();
    const store = open(herald, { pollMs: 5_000 });
    await later();
    herald.refused = ['notifications/count', 503];
    herald.add();
    await later(6_000);
    expect(store.state).toMatchObject({ status: 'polling', unread: 1 });
    herald.refused = undefined;
    await later(6_000);
    expect(store.state.unread).toBe(2);
  });

  it('should count again when Herald did not count after a change, though the stream is open', async () => {
    const herald = new FakeHerald();
    herald.add();
    const store = open(herald);
    await later();
    const release = herald.hold('requests', 'PATCH');
    store.mark('000001', 'read');
    herald.add();
    await later(500);
    herald.refused = ['notifications/count', 429];
    release();
    await later(3_000);
    expect(store.state).toMatchObject({ status: 'live', unread: 0 });
    herald.refused = undefined;
    await later(3_000);
    expect(store.state.unread).toBe(1);
    const { length } = herald.calls;
    await later(10_000);
    expect(herald.calls).toHaveLength(length);
  });

  it('should read a list again that Herald did not give for now, though the stream is open', async () => {
    const herald = new FakeHerald();
    const store = open(herald);
    await later();
    herald.refused = ['GET notifications', 429];
    herald.add();
    await later(5_000);
    expect(store.state).toMatchObject({ status: 'live', items: [], error: undefined });
    herald.refused = undefined;
    await later(3_000);
    expect(idsOf(store.state.items)).toEqual(['000001']);
    const { length } = herald.calls;
    await later(10_000);
    expect(herald.calls).toHaveLength(length);
  });

  it('should ask at intervals where there is no stream', async () => {
    const herald = new FakeHerald();
    herald.refused = ['stream', 404, 'real_time_off'];
    const store = open(herald, { pollMs: 5_000 });
    await later();
    expect(store.state.status).toBe('polling');
    herald.add();
    await later(6_000);
    expect(idsOf(store.state.items)).toEqual(['000001']);
    expect(store.state.unread).toBe(1);
  });

  it('should say why it is refused, and not ask again', async () => {
    const herald = new FakeHerald();
    herald.refused = ['session', 400, 'hmac_invalid'];
    const store = open(herald);
    await later();
    expect(store.state).toMatchObject({ status: 'refused', error: { code: 'hmac_invalid', status: 400 } });
    const { length } = herald.calls;
    await later(600_000);
    expect(herald.calls).toHaveLength(length);
  });

  it('should begin another session when the token has ended', async () => {
    const herald = new FakeHerald();
    const store = open(herald);
    await later();
    herald.refused = ['PATCH', 401];
    store.mark('000001', 'read');
    await later(100);
    expect(herald.calls.filter((call) => call === 'POST session')).toHaveLength(2);
  });

  it('should end a stream that has died without a sign', async () => {
    const herald = new FakeHerald();
    open(herald);
    await later();
    expect(herald.open).toBe(1);
    await later(62_000);
    expect(herald.calls.filter((call) => call === 'GET stream')).toHaveLength(2);
    expect(herald.open).toBe(1);
  });

  it('should lose nothing and double nothing, however the network fails', async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ do: fc.constant('add' as const), by: fc.integer({ min: 0, max: 50_000 }) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('flood' as const), by: fc.integer({ min: 1, max: 300 }) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('cut' as const), by: fc.constant(0) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('away' as const), by: fc.constant(0) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('back' as const), by: fc.constant(0) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('archive' as const), by: fc.nat(30) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('elsewhere' as const), by: fc.nat(400) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('more' as const), by: fc.constant(0) }) },
      { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), by: fc.integer({ min: 1, max: 9_000 }) }) },
    );
    const schedule = async (steps: readonly { do: string; by: number }[]): Promise<void> => {
      const herald = new FakeHerald();
      const store = open(herald);
      const archived = new Set<string>();
      for (const { do: what, by } of steps) {
        if (what === 'add') herald.add(by);
        if (what === 'flood') for (let count = 0; count < by; count += 1) herald.add();
        if (what === 'cut' || what === 'away') herald.cut();
        if (what === 'away' || what === 'back') herald.isReached = what === 'back';
        if (what === 'more') void store.loadMore();
        if (what === 'wait') await later(by);
        const { id } = store.state.items[by] ?? {};
        if (what === 'archive' && id !== undefined) {
          archived.add(id);
          store.mark(id, 'archive');
        }
        const row = herald.rows[by];
        if (what === 'elsewhere' && row) herald.rows[by] = { ...row, isArchived: true };
        expect(new Set(idsOf(store.state.items)).size).toBe(store.state.items.length);
      }
      herald.isReached = true;
      herald.cut();
      await later(60_000);
      for (let pages = 0; store.state.hasMore && pages < 100; pages += 1) {
        void store.loadMore();
        await later(0);
      }
      const wanted = idsOf(herald.sorted.filter(({ isArchived }) => !isArchived));
      store.setVisible(0, Math.max(0, store.state.items.length - 1));
      await later(5_000);
      expect(idsOf(store.state.items)).toEqual(wanted);
      expect(store.state).toMatchObject({ unread: herald.unread, unsent: 0 });
      expect(herald.rows.filter(({ id }) => archived.has(id)).every(({ isArchived }) => isArchived)).toBe(true);
      store.stop();
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), schedule), { numRuns: 30 });
  });
});
