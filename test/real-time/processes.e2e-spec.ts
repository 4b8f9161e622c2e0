import { Redis } from 'ioredis';
import type { TestApp, TestSession } from '../harness/index.js';
import { Link, PASS } from '../../bench/faults/link.mjs';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { openSession } from '../support/browser-session.js';
import { eventually } from '../support/eventually.js';
import { SocketClient, StreamClient } from '../support/live-clients.js';
import { describeWithRedis, RedisServer } from '../../libs/work/test/redis-server.js';
import { startTestApi } from '../support/test-api.js';

/** On which the adapter of socket.io listens. */
const CHANNEL = 'socket.io-request#/#';

const clients: { close(): void }[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

describeWithRedis()('two processes with REDIS_URL', () => {
  const redis = new RedisServer();
  let link: Link;
  const apis: TestApp[] = [];
  let session: TestSession;
  let inbox: Inbox;
  let token: string;

  beforeAll(async () => {
    await redis.start();
    link = await linkTo(redis);
    for (const REDIS_URL of [`redis://127.0.0.1:${link.port}`, redis.url])
      apis.push(await startTestApi({ REDIS_URL, DELIVERY_WORKER: 'off' }));
    // Sockets get no messages from before, only counts.
    await eventually(async () => expect(await listening()).toBe(apis.length));
  });
  afterAll(async () => {
    await Promise.all(apis.map((api) => api.close()));
    link.close();
    await redis.remove();
  });
  beforeEach(async () => {
    session = await storing().session();
    inbox = await createInbox(storing(), session);
    token = await openSession(storing(), session, inbox.subscriber.subscriberId);
  });

  /** Processes that hear the others. */
  const listening = async (): Promise<number> => {
    const observer = new Redis(redis.url);
    const [, count] = await observer.pubsub('NUMSUB', CHANNEL);
    observer.disconnect();
    return Number(count);
  };
  const storing = (): TestApp => apis[0] as TestApp;
  const serving = (): TestApp => apis[1] as TestApp;
  const connect = async (): Promise<SocketClient> => {
    const client = await SocketClient.connect(serving(), token);
    clients.push(client);
    return client;
  };

  it('should send messages that the other one stores, by socket and by stream', async () => {
    const socket = await connect();
    const stream = await StreamClient.open(serving(), { token });
    clients.push(stream);
    await stream.begun();
    const [id] = await inbox.deliver({ createdAt: new Date() });
    await eventually(() => expect(socket.events).toHaveLength(3));
    await eventually(() => expect(stream.messageIds).toEqual([id]));
    expect(socket.messages.map(({ _id }) => _id)).toEqual([id]);
  });

  it('should announce marks of the other one', async () => {
    const ids = await inbox.deliver({}, {});
    const socket = await connect();
    await session.post(`${inbox.path}/messages/mark-as`, { messageId: ids[0], markAs: 'read' }).expect(201);
    await eventually(() => expect(socket.named('unread_count_changed').at(-1)).toMatchObject({ unreadCount: 1 }));
  });

  it('should end sessions of subscribers that the other one deletes', async () => {
    const socket = await connect();
    await session.delete(inbox.path).expect(200);
    await eventually(() => expect(socket.ends).toEqual(['io server disconnect']));
  });

  it('should go on without Redis, and send what was missed when it is back', async () => {
    const socket = await connect();
    const stream = await StreamClient.open(serving(), { token });
    clients.push(stream);
    await stream.begun();
    await redis.stop();
    const missed = await inbox.deliver({ createdAt: new Date() });
    await redis.start();
    await eventually(() => expect(stream.messageIds).toEqual(missed));
    await eventually(() => expect(socket.named('unread_count_changed').at(-1)).toMatchObject({ unreadCount: 1 }));
    await eventually(async () => {
      await inbox.deliver({ createdAt: new Date() });
      expect(socket.messages).not.toEqual([]);
    });
    expect(socket.ends).toEqual([]);
  });

  it('should send what the other one stored while that one alone had no Redis', async () => {
    const socket = await connect();
    const stream = await StreamClient.open(serving(), { token });
    clients.push(stream);
    await stream.begun();
    link.set({ kind: 'refuse' });
    // It has two connections, and knows of the end of one that it opens again.
    await eventually(() => expect(link.refused).toBeGreaterThan(2));
    const missed = await inbox.deliver({ createdAt: new Date() });
    link.set(PASS);
    await eventually(() => expect(stream).toMatchObject({ messageIds: missed, isEnded: false }));
    await eventually(() => expect(socket.named('unread_count_changed').at(-1)).toMatchObject({ unreadCount: 1 }));
  });

  it.each(['default', 'mute'])(
    'should send what the other one stored before it listened for the first time, as the user %s of Redis',
    async (user) => {
      const admin = new Redis(redis.url);
      await admin.acl('SETUSER', 'mute', 'on', '>secret', '&*', '+@all', '-ping');
      admin.disconnect();
      const slow = await linkTo(redis);
      slow.set({ kind: 'silent' });
      const REDIS_URL = `redis://${user}:secret@127.0.0.1:${slow.port}`;
      const started = await startTestApi({ REDIS_URL, DELIVERY_WORKER: 'off' });
      try {
        const stream = await StreamClient.open(started, { token });
        clients.push(stream);
        await stream.begun();
        const missed: string[] = [];
        slow.set({ kind: 'slow', ms: 100 });
        do missed.push(...(await inbox.deliver({ createdAt: new Date() })));
        while ((await listening()) === apis.length);
        await eventually(() => expect(stream.messageIds.toSorted()).toEqual(missed.toSorted()));
      } finally {
        await started.close();
        slow.close();
      }
    },
  );
});

/** What stands between a process and Redis. */
function linkTo({ url }: RedisServer): Promise<Link> {
  const { hostname: host, port } = new URL(url);
  return new Link('redis', { host, port: Number(port) }, { isStore: false }).listen();
}
