import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import type { TestApp, TestSession } from '../harness/index.js';
import { Presence } from '../../src/browser/real-time/presence.js';
import { SessionWatch } from '../../src/browser/real-time/session-watch.js';
import { dataOf, type Json } from '../support/answers.js';
import { openSession } from '../support/browser-session.js';
import { eventually } from '../support/eventually.js';
import { SocketClient, StreamClient } from '../support/live-clients.js';
import { startTestApi, useApi } from '../support/test-api.js';

const clock = new ManualClock();
const api = useApi(() => startTestApi({}, undefined, clock));
const clients: { close(): void }[] = [];
let session: TestSession;
let token: string;

beforeEach(async () => {
  session = await api.session();
  token = await openSession(api, session, 'ada');
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

const connect = async (to: Pick<TestApp, 'url'> = api): Promise<SocketClient> => {
  const client = await SocketClient.connect(to, token);
  clients.push(client);
  return client;
};
const ada = (): Promise<Json> => dataOf(session.get('/v1/subscribers/ada'), 200);
const isOnline = (expected: boolean): Promise<void> =>
  eventually(async () => expect(await ada()).toMatchObject({ isOnline: expected }));

describe('the on-line state of a subscriber', () => {
  it('should follow the connections', async () => {
    const [tab, otherTab] = [await connect(), await connect()];
    await isOnline(true);
    tab.close();
    const stream = await StreamClient.open(api, { token });
    clients.push(stream);
    otherTab.close();
    await stream.begun();
    await isOnline(true);
    stream.close();
    await isOnline(false);
    expect((await ada())['lastOnlineAt']).toBe(clock.now().toISOString());
  });

  it('should stay while there are connections to another process', async () => {
    const other = await startTestApi({}, undefined, clock);
    try {
      const here = await connect();
      await connect(other);
      const db = api.app.get<Connection>(getConnectionToken()).db;
      const processes = async (): Promise<number> =>
        (
          (await db?.collection('subscribers').findOne({ subscriberId: 'ada', isOnline: true }))?.[
            'onlineIn'
          ] as string[]
        ).length;
      await eventually(async () => expect(await processes()).toBe(2));
      here.close();
      await eventually(async () => expect(await processes()).toBe(1));
      await isOnline(true);
    } finally {
      await other.close();
    }
    await isOnline(false);
  });

  it('should heal after a process has died', async () => {
    const db = api.app.get<Connection>(getConnectionToken()).db;
    const aliveUntil = new Date(clock.now().getTime() - 1);
    await db?.collection('realTimeProcesses').insertOne({ _id: 'dead' as never, aliveUntil });
    const { _id } = await ada();
    await db
      ?.collection('subscribers')
      .updateOne({ _id: new Types.ObjectId(String(_id)) }, { $set: { isOnline: true, onlineIn: ['dead'] } });
    await api.app.get(Presence, { strict: false }).renew();
    expect(await ada()).toMatchObject({ isOnline: false, lastOnlineAt: aliveUntil.toISOString() });
  });

  it('should come back after its process was taken for dead', async () => {
    await connect();
    await isOnline(true);
    const db = api.app.get<Connection>(getConnectionToken()).db;
    await db?.collection('realTimeProcesses').deleteMany({});
    await session.patch('/v1/subscribers/ada/online-status', { online: false }).expect(200);
    await api.app.get(Presence, { strict: false }).renew();
    await isOnline(true);
  });
});

describe('a session', () => {
  it('should end its connections when its token expires', async () => {
    const socket = await connect();
    const stream = await StreamClient.open(api, { token });
    clients.push(stream);
    await stream.begun();
    clock.advance(15 * 86_400_000);
    api.app.get(SessionWatch, { strict: false }).sweep();
    await eventually(() => expect([socket.ends, stream.isEnded]).toEqual([['io server disconnect'], true]));
    const late = new SocketClient(api, { reconnection: false, auth: { token } });
    clients.push(late);
    await eventually(() => expect(late.ends).toEqual([expect.stringMatching(/expired/)]));
  });
});

describe('a process that stops', () => {
  it('should close transports, so that browsers return, and say that they are off-line', async () => {
    const other = await startTestApi({}, undefined, clock);
    const socket = await connect(other);
    const stream = await StreamClient.open(other, { token });
    clients.push(stream);
    await isOnline(true);
    await other.close();
    await eventually(() => expect([socket.ends[0], stream.isEnded]).toEqual(['transport close', true]));
    await isOnline(false);
  });
});
