import { jest } from '@jest/globals';
import { getModelToken } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import request from 'supertest';
import type { TestSession } from '../harness/index.js';
import { MessageStore } from '../../src/engine/messages/store/index.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { dataOf } from '../support/answers.js';
import { openSession } from '../support/browser-session.js';
import { eventually } from '../support/eventually.js';
import { SocketClient } from '../support/live-clients.js';
import { RawConnection } from '../support/raw-connection.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi({ REAL_TIME_PER_SUBSCRIBER: '3' });
const clients: SocketClient[] = [];
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

const connect = async (as = token): Promise<SocketClient> => {
  const client = await SocketClient.connect(api, as);
  clients.push(client);
  return client;
};
const refusal = async (options: object): Promise<string> => {
  const client = new SocketClient(api, { reconnection: false, ...options });
  clients.push(client);
  await eventually(() => expect(client.ends).toHaveLength(1));
  return client.ends[0] ?? '';
};
const UPGRADE =
  'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const INVALID = /^The session token is missing, expired or not valid/;

describe('the token of a socket', () => {
  it('should be taken from the packet of the connection', async () => {
    expect((await connect()).socket.connected).toBe(true);
  });

  it('should be taken from the query', async () => {
    const client = new SocketClient(api, { query: { token } });
    clients.push(client);
    await client.connected();
  });

  it('should not be an API key, nothing, a changed token or another type', async () => {
    expect(await refusal({ auth: { token: session.apiKey } })).toMatch(INVALID);
    expect(await refusal({ query: { token: session.apiKey } })).toMatch(INVALID);
    expect(await refusal({})).toMatch(INVALID);
    expect(await refusal({ auth: { token: `${token}x` } })).toMatch(INVALID);
    expect(await refusal({ auth: { token: { $ne: '' } } })).toMatch(INVALID);
  });

  it('should not open another namespace', async () => {
    const client = new SocketClient({ url: `${api.url}/admin` }, { reconnection: false, auth: { token } });
    clients.push(client);
    await eventually(() => expect(client.ends).toEqual(['Invalid namespace']));
  });
});

describe('a new connection', () => {
  it('should begin with the current counts, which only its own tab gets', async () => {
    const other = await connect();
    await inbox.deliver({}, {});
    await eventually(() => expect(other.named('unread_count_changed')).toHaveLength(1));
    const client = new SocketClient(api, { auth: { token } });
    clients.push(client);
    await eventually(() => expect(client.events).toHaveLength(2));
    expect(client.named('unseen_count_changed')).toEqual([{ unseenCount: 2, hasMore: false }]);
    expect(client.named('unread_count_changed')).toMatchObject([{ unreadCount: 2, counts: { total: 2 } }]);
    expect(other.named('unread_count_changed')).toHaveLength(1);
  });

  it('should begin with them after a time without connection, too', async () => {
    const client = await connect();
    client.socket.disconnect();
    await inbox.deliver({});
    client.socket.connect();
    await eventually(() => expect(client.named('unread_count_changed')).toMatchObject([{ unreadCount: 1 }]));
  });
});

describe('a stored message', () => {
  it('should arrive as three events in the order of the compatible system', async () => {
    const client = await connect();
    const [id] = await inbox.deliver({ content: 'Hello', data: { order: 7 } });
    await eventually(() => expect(client.events).toHaveLength(3));
    expect(client.events.map(({ name }) => name)).toEqual([
      'notification_received',
      'unseen_count_changed',
      'unread_count_changed',
    ]);
    expect(client.messages[0]).toMatchObject({
      _id: id,
      _subscriberId: inbox.subscriber._id,
      _environmentId: session.environmentId,
      _templateId: inbox.workflow._id,
      content: 'Hello',
      channel: 'in_app',
      data: { order: 7 },
      seen: false,
      read: false,
      archived: false,
      createdAt: expect.any(String) as string,
      cta: { action: { buttons: [] } },
      severity: 'none',
      workflow: { _id: inbox.workflow._id, tags: ['orders'] },
      subscriber: { subscriberId: inbox.subscriber.subscriberId },
    });
    expect(client.named('unseen_count_changed')).toEqual([{ unseenCount: 1, hasMore: false }]);
    expect(client.named('unread_count_changed')).toEqual([
      { unreadCount: 1, counts: { total: 1, severity: { high: 0, medium: 0, low: 0, none: 1 } }, hasMore: false },
    ]);
  });

  it('should reach every tab of its subscriber', async () => {
    const tabs = [await connect(), await connect()];
    await inbox.deliver({});
    for (const tab of tabs) await eventually(() => expect(tab.messages).toHaveLength(1));
  });

  it('should reach nobody else, in this environment or another one', async () => {
    const [own, other] = await api.siblings();
    const subscriberId = 'same-name';
    const inboxes = [
      await createInbox(api, own, { subscriber: { subscriberId } }),
      await createInbox(api, own),
      await createInbox(api, other, { subscriber: { subscriberId } }),
    ];
    const [first, ...others] = await Promise.all(
      inboxes.map(async (of) => connect(await openSession(api, of.session, of.subscriber.subscriberId))),
    );
    await inboxes[0]?.deliver({});
    await eventually(() => expect(first?.events).toHaveLength(3));
    // Their own message is the first that they get.
    for (const [at, client] of others.entries()) {
      const [id] = (await inboxes[at + 1]?.deliver({})) ?? [];
      await eventually(() => expect(client.events).toHaveLength(3));
      expect(client.messages[0]?.['_id']).toBe(id);
    }
    expect(first?.messages).toHaveLength(1);
  });

  it('should not be sent if it is of another channel', async () => {
    const client = await connect();
    await inbox.deliver({ channel: 'email' });
    const [id] = await inbox.deliver({});
    await eventually(() => expect(client.messages.map(({ _id }) => _id)).toEqual([id]));
  });

  it('should cost a bounded number of events, however many come', async () => {
    const client = await connect();
    const started = performance.now();
    for (let batch = 0; batch < 10; batch += 1) await inbox.deliver(...Array.from({ length: 100 }, () => ({})));
    await eventually(() => expect(client.named('unread_count_changed').at(-1)).toMatchObject({ hasMore: true }));
    const updates = Math.ceil((performance.now() - started) / 200) + 1;
    expect(client.named('unread_count_changed').length).toBeLessThanOrEqual(updates);
    expect(client.named('unseen_count_changed').length).toBeLessThanOrEqual(updates);
    expect(client.messages.length).toBeLessThanOrEqual(20 * updates);
    expect(client.named('unread_count_changed').at(-1)).toMatchObject({ unreadCount: 100, counts: { total: 100 } });
  });
});

describe('changes of a feed', () => {
  let client: SocketClient;
  let ids: string[];
  beforeEach(async () => {
    ids = await inbox.deliver({ transactionId: 'first' }, {}, {});
    client = await connect();
  });
  const counts = (): [unknown, unknown] => [
    client.named('unseen_count_changed').at(-1)?.['unseenCount'],
    client.named('unread_count_changed').at(-1)?.['unreadCount'],
  ];

  it('should be announced after marks', async () => {
    await session.post(`${inbox.path}/messages/mark-as`, { messageId: ids[0], markAs: 'read' }).expect(201);
    await eventually(() => expect(counts()).toEqual([2, 2]));
    await session.post(`${inbox.path}/messages/mark-as`, { messageId: ids[1], markAs: 'seen' }).expect(201);
    await eventually(() => expect(counts()).toEqual([1, 2]));
    await session.post(`${inbox.path}/messages/mark-all`, { markAs: 'read' }).expect(201);
    await eventually(() => expect(counts()).toEqual([0, 0]));
  });

  it('should be announced after marks at the same time', async () => {
    type Model = { list(...asked: readonly unknown[]): Promise<unknown> };
    const model = api.app.get<Model>(getModelToken('Message'), { strict: false });
    const list = model.list.bind(model);
    const mark = (markAs: string): request.Test =>
      session.post(`${inbox.path}/messages/mark-as`, { messageId: ids[0], markAs }).expect(201);
    // After the first mark is stored, and before it is announced.
    const held = jest.spyOn(model, 'list').mockImplementationOnce(async (...asked) => {
      await mark('unseen');
      return list(...asked);
    });
    await mark('read');
    held.mockRestore();
    await eventually(() => expect(counts()).toEqual([3, 2]));
  });

  it('should be announced after deletions', async () => {
    await session.delete(`/v1/messages/${ids[1]}`).expect(200);
    await eventually(() => expect(counts()).toEqual([2, 2]));
    await session.delete('/v1/messages/transaction/first').expect(204);
    await eventually(() => expect(counts()).toEqual([1, 1]));
  });

  it('should be announced after messages of a canceled run were taken back', async () => {
    const message = {
      _id: new Types.ObjectId(ids[0]),
      _environmentId: new Types.ObjectId(session.environmentId),
      _subscriberId: new Types.ObjectId(inbox.subscriber._id),
    };
    await api.app.get(MessageStore).withdraw([message]);
    await eventually(() => expect(counts()).toEqual([2, 2]));
  });

  it('should be as they were once a message that replaced another was taken back', async () => {
    const [first = ''] = await inbox.deliver({ replaces: 'order' });
    const [second = ''] = await inbox.deliver({ replaces: 'order' });
    await eventually(() => expect(counts()).toEqual([4, 4]));
    const isListed = async (id: string): Promise<boolean> =>
      JSON.stringify(await dataOf(session.get(`${inbox.path}/notifications/feed`), 200)).includes(id);
    expect([await isListed(first), await isListed(second)]).toEqual([false, true]);
    await api.app.get(MessageStore).withdraw([
      {
        _id: new Types.ObjectId(second),
        _environmentId: new Types.ObjectId(session.environmentId),
        _subscriberId: new Types.ObjectId(inbox.subscriber._id),
        channel: 'in_app',
        replaces: 'order',
      },
    ]);
    expect([await isListed(first), await isListed(second)]).toEqual([true, false]);
  });
});

describe('a socket', () => {
  it('should be refused beyond the limit of its subscriber', async () => {
    await Promise.all([connect(), connect(), connect()]);
    expect(await refusal({ auth: { token } })).toMatch(/too many open connections/);
  });

  it('should be closed when its client sends an event', async () => {
    const client = await connect();
    client.socket.io.reconnection(false);
    client.socket.emit('join', 'another room');
    await eventually(() => expect(client.ends).toEqual(['transport close']));
  });

  it('should be closed when its client sends a large packet', async () => {
    const client = await connect();
    client.socket.io.reconnection(false);
    client.socket.emit('join', 'x'.repeat(20_000));
    await eventually(() => expect(client.ends).toEqual(['transport close']));
  });

  it('should end when its subscriber is deleted, and not return', async () => {
    const client = await connect();
    await session.delete(inbox.path).expect(200);
    await eventually(() => expect(client.ends).toEqual(['io server disconnect']));
  });

  it('should be closed when its client does not read', async () => {
    const client = await connect();
    client.socket.io.reconnection(false);
    const transport = client.socket.io.engine.transport as unknown as { ws: { _socket: { pause(): void } } };
    transport.ws._socket.pause();
    const content = 'x'.repeat(200_000);
    const tab = await connect();
    await eventually(async () => {
      await inbox.deliver(...Array.from({ length: 20 }, () => ({ content })));
      expect((await onlineConnections()).length).toBe(1);
    });
    expect(tab.socket.connected).toBe(true);
  });
});

async function onlineConnections(): Promise<unknown[]> {
  const { Audience } = await import('../../src/browser/real-time/audience.js');
  return [...api.app.get(Audience, { strict: false }).connections()].filter(
    ({ session }) => session.subscriber.id === inbox.subscriber._id,
  );
}

describe('the path of sockets', () => {
  it('should serve no polling', async () => {
    await request(api.url).get('/socket.io/?EIO=4&transport=polling').expect(404);
  });

  it('should be hung up on at the limit of time without a token, whatever the client answers', async () => {
    // Only timers: the connection itself is real.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] });
    try {
      const silent = new RawConnection(api.url);
      await silent.send(UPGRADE).has('101 Switching Protocols');
      jest.advanceTimersByTime(11_500);
      await silent.closed;
    } finally {
      jest.useRealTimers();
    }
  });

  it('should not be in the way of other requests that offer an upgrade', async () => {
    const connection = new RawConnection(api.url).send(
      'GET /v1/health-check HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
    );
    await connection.closed;
    expect(connection.answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});
