import { createHash } from 'node:crypto';
import request from 'supertest';
import type { TestSession } from '../harness/index.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { dataOf } from '../support/answers.js';
import { clientWith, openSession } from '../support/browser-session.js';
import { eventually } from '../support/eventually.js';
import { StreamClient } from '../support/live-clients.js';
import { useTestApi } from '../support/test-api.js';
import { PLATFORMS } from '../support/platforms.js';

describe.each(PLATFORMS)('on $HTTP_PLATFORM', (platform) => {
  const api = useTestApi({ ...platform, REAL_TIME_PER_SUBSCRIBER: '2' });
  const clients: StreamClient[] = [];
  let session: TestSession;
  let inbox: Inbox;
  let token: string;

  beforeEach(async () => {
    session = await api.session();
    inbox = await createInbox(api, session);
    token = await openSession(api, session, inbox.subscriber.subscriberId);
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
  });

  const ticketOf = (of: string): Promise<{ ticket: string; expiresAt: string }> =>
    dataOf(clientWith(api, of).post('/v1/inbox/stream-tickets'), 201);
  const open = async (options: { lastEventId?: string; token?: string; path?: string } = {}): Promise<StreamClient> => {
    const client = await StreamClient.open(api, { token, ...options });
    clients.push(client);
    return client;
  };
  /** Messages that were created so many milliseconds ago, stored now. */
  const store = (...agesMs: number[]): Promise<string[]> =>
    inbox.deliver(...agesMs.map((ageMs) => ({ createdAt: new Date(Date.now() - ageMs) })));

  describe('GET /v1/inbox/stream', () => {
    it('should begin with the counts, and send new messages with the counts after them', async () => {
      await store(10);
      const stream = await (await open()).begun();
      expect(stream.response.statusCode).toBe(200);
      expect(stream.response.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
      });
      const [id] = await inbox.deliver({ content: 'Hello <script>alert(1)</script>', createdAt: new Date() });
      await eventually(() => expect(stream.events).toHaveLength(3));
      expect(stream.events.map(({ name }) => name)).toEqual(['counts', 'message', 'counts']);
      expect(stream.named('message')[0]).toMatchObject({ _id: id, cta: { action: { buttons: [] } } });
      expect(String(stream.named('message')[0]?.['content'])).not.toContain('script');
      expect(stream.named('counts')).toEqual([
        {
          unseenCount: 1,
          unreadCount: 1,
          counts: { total: 1, severity: { high: 0, medium: 0, low: 0, none: 1 } },
          hasMore: { unseen: false, unread: false },
        },
        expect.objectContaining({ unseenCount: 2, unreadCount: 2 }),
      ]);
    });

    it('should take a ticket from the query, once, and no token', async () => {
      const { ticket } = await ticketOf(token);
      const client = await StreamClient.open(api, { path: `/v1/inbox/stream?ticket=${ticket}` });
      clients.push(client);
      await client.begun();
      const again = await StreamClient.open(api, { path: `/v1/inbox/stream?ticket=${ticket}` });
      expect(again.response.statusCode).toBe(401);
      const unused = await ticketOf(token);
      await session.delete('/v1/environments/me/sessions').expect(204);
      const late = await StreamClient.open(api, { path: `/v1/inbox/stream?ticket=${unused.ticket}` });
      expect(late.response.statusCode).toBe(401);
      await eventually(() => expect(client.isEnded).toBe(true));
    });

    it('should not make a ticket of a ticket, nor of an API key', async () => {
      const { ticket, expiresAt } = await ticketOf(token);
      expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
      await request(api.url).post(`/v1/inbox/stream-tickets?ticket=${ticket}`).expect(401);
      await session.post('/v1/inbox/stream-tickets', {}).expect(401);
    });

    it('should refuse an API key, no token and a changed token', async () => {
      const { apiKey } = session;
      for (const options of [
        { token: apiKey },
        { token: `${token}x` },
        {},
        { path: `/v1/inbox/stream?token=${token}` },
        { path: `/v1/inbox/stream?ticket=${token}` },
        { path: `/v1/inbox/stream?ticket=${apiKey}` },
        { path: '/v1/inbox/stream?ticket[$ne]=' },
      ]) {
        expect((await StreamClient.open(api, options)).response.statusCode).toBe(401);
      }
    });

    it('should refuse more connections than a subscriber may have', async () => {
      await (await open()).begun();
      await (await open()).begun();
      expect((await open()).response.statusCode).toBe(429);
    });

    it('should send nothing of other subscribers', async () => {
      const other = await createInbox(api, session);
      const stream = await (await open()).begun();
      await other.deliver({ createdAt: new Date() });
      const [id] = await store(0);
      await eventually(() => expect(stream.messageIds).toEqual([id]));
    });

    it('should end when its subscriber is deleted', async () => {
      const stream = await (await open()).begun();
      await session.delete(inbox.path).expect(200);
      await eventually(() => expect(stream.isEnded).toBe(true));
    });
  });

  describe('a stream that resumes', () => {
    it('should send what was stored in between, once, by header and by query', async () => {
      const first = await (await open()).begun();
      const known = await store(5);
      await eventually(() => expect(first.messageIds).toEqual(known));
      first.close();
      const missed = await store(3, 2, 1);
      const { lastEventId } = first;
      const second = await (await open({ lastEventId })).begun();
      expect(second.messageIds).toEqual(missed);
      second.close();
      const third = await (await open({ path: `/v1/inbox/stream?lastEventId=${lastEventId}` })).begun();
      expect(third.messageIds).toEqual(missed);
    });

    it('should resume before its first message', async () => {
      const first = await (await open()).begun();
      first.close();
      const missed = await store(0);
      expect((await (await open({ lastEventId: first.lastEventId })).begun()).messageIds).toEqual(missed);
    });

    it('should begin anew with an id that is none', async () => {
      await store(10);
      expect((await (await open({ lastEventId: '$where' })).begun()).messageIds).toEqual([]);
    });

    it('should send more than one page', async () => {
      const first = await (await open()).begun();
      first.close();
      const missed = await store(...Array.from({ length: 1_050 }, (_, n) => 1_050 - n));
      const second = await (await open({ lastEventId: first.lastEventId })).begun();
      await eventually(() => expect([...second.messageIds].sort()).toEqual([...missed].sort()));
    });

    // Processes store messages in another order than that of their times.
    it.each(['one', 'two', 'three', 'four', 'five'])('should lose and repeat nothing in schedule %s', async (seed) => {
      const random = randomOf(seed);
      const received: string[] = [];
      const stored: string[] = [];
      let lastEventId = (await (await open()).begun()).lastEventId;
      for (const client of clients.splice(0)) client.close();
      for (let connection = 0; connection < 5; connection += 1) {
        for (let n = random(4); n > 0; n -= 1) stored.push(...(await store(random(20_000), random(20_000))));
        const stream = await (await open({ lastEventId })).begun();
        for (let n = random(4); n > 0; n -= 1) stored.push(...(await store(random(20_000))));
        const isWhole = random(2) === 0;
        if (isWhole) await eventually(() => expect(received.length + stream.messageIds.length).toBe(stored.length));
        stream.close();
        received.push(...stream.messageIds);
        lastEventId = stream.lastEventId;
      }
      const last = await open({ lastEventId });
      await eventually(() => expect([...received, ...last.messageIds].sort()).toEqual([...stored].sort()));
    });
  });

  /** Whole numbers below a bound, the same for the same seed. */
  function randomOf(seed: string): (below: number) => number {
    let drawn = 0;
    return (below) =>
      createHash('sha256')
        .update(`${seed}:${(drawn += 1)}`)
        .digest()
        .readUInt32BE() % below;
  }
});
