import { get, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { TestApp, TestSession } from '../harness/index.js';
import { Audience } from '../../src/browser/real-time/audience.js';
import { SessionWatch } from '../../src/browser/real-time/session-watch.js';
import { Streams } from '../../src/browser/real-time/streams.js';
import { SubscriberSessionsService } from '../../src/browser/subscriber-sessions/index.js';
import { LiveFeedReader } from '../../src/engine/messages/live/index.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { openSession } from '../support/browser-session.js';
import { eventually } from '../support/eventually.js';
import { StreamClient } from '../support/live-clients.js';
import { PLATFORMS } from '../support/platforms.js';
import { RawConnection } from '../support/raw-connection.js';
import { startTestApi, useTestApi } from '../support/test-api.js';

describe.each(PLATFORMS)('on $HTTP_PLATFORM', (platform) => {
  const settings = { ...platform, REAL_TIME_PER_SUBSCRIBER: '2' };
  const api = useTestApi(settings);
  const clients: { close(): void }[] = [];
  let session: TestSession;
  let inbox: Inbox;
  let token: string;

  beforeEach(async () => {
    session = await api.session();
    inbox = await createInbox(api, session);
    token = await openSession(api, session, inbox.subscriber.subscriberId);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const client of clients.splice(0)) client.close();
  });

  const open = async (options: { lastEventId?: string } = {}): Promise<StreamClient> => {
    const client = await StreamClient.open(api, { token, ...options });
    clients.push(client);
    return client;
  };
  const namesOf = ({ events }: StreamClient): string[] => events.map(({ name }) => name);
  const connections = (): number =>
    [...api.app.get(Audience, { strict: false }).connections()].filter(
      (connection) => connection.session.subscriber.id === inbox.subscriber._id,
    ).length;

  describe('a stream whose messages are read later than the counts', () => {
    it('should send what was missed before the counts', async () => {
      const first = await (await open()).begun();
      first.close();
      const missed = await inbox.deliver({ createdAt: new Date() });
      const { keys, counts } = holdReads(api);
      const second = await open({ lastEventId: first.lastEventId });
      await counts.answered(1);
      keys.release();
      await eventually(() => expect(namesOf(second)).toEqual(['message', 'counts']));
      expect(second.messageIds).toEqual(missed);
      expect(second.named('counts')).toMatchObject([{ unreadCount: 1 }]);
    });

    it('should send a message that is stored while it begins before the counts with it', async () => {
      const { lastEventId } = await (await open()).begun();
      const { keys, counts } = holdReads(api);
      const stream = await open({ lastEventId });
      await counts.answered(1);
      const stored = await inbox.deliver({ createdAt: new Date() });
      await counts.answered(2);
      keys.release();
      await eventually(() => expect(namesOf(stream)).toEqual(['message', 'counts']));
      expect(stream.messageIds).toEqual(stored);
      expect(stream.named('counts')).toMatchObject([{ unreadCount: 1 }]);
    });
  });

  it('should end soon if its session ended while it began', async () => {
    const { keys } = holdReads(api);
    const opening = open();
    await keys.called(1);
    await session.delete('/v1/environments/me/sessions').expect(204);
    keys.release();
    const stream = await (await opening).begun();
    const watch = api.app.get(SessionWatch, { strict: false });
    const lookup = jest.spyOn(api.app.get(SubscriberSessionsService, { strict: false }), 'endedAmong');
    for (let n = 0; n < 2; n += 1) watch.sweep();
    expect(lookup).toHaveBeenCalled();
    await eventually(() => expect(stream.isEnded).toBe(true));
  });

  describe('a client that hangs up', () => {
    it('should not count if it did so before its stream began', async () => {
      const { keys } = holdReads(api);
      const requests = [send(), send()];
      await keys.called(2);
      for (const sent of requests) sent.destroy();
      await eventually(async () => expect(await openSockets(api)).toBe(0));
      keys.release();
      await keys.answered(2);
      expect(connections()).toBe(0);
      expect((await open()).response.statusCode).toBe(200);
    });

    it('should not count with a stream that waits for the end of an earlier one', async () => {
      const path = '/v1/inbox/stream';
      const sent = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      const connection = new RawConnection(api.url).send(sent.repeat(2));
      await eventually(() => expect(connections()).toBe(2));
      connection.hangUp();
      await eventually(() => expect(connections()).toBe(0));
    });
  });

  it('should answer HEAD with the headers, and end', async () => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const sent = request(`${api.url}/v1/inbox/stream`, { method: 'HEAD', agent: false, headers }, resolve);
      sent.on('error', reject).end();
    });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(connections()).toBe(0);
  });

  it('should hang up on a client whose stream would begin while the process stops', async () => {
    const other = await startTestApi(settings);
    const { keys } = holdReads(other);
    const outcome = new Promise((resolve) => {
      send(other)
        .on('response', () => resolve('an answer'))
        .on('error', ({ message }) => resolve(message));
    });
    await keys.called(1);
    const stopping = jest.spyOn(other.app.get(Streams, { strict: false }), 'onModuleDestroy');
    const closed = other.close();
    await eventually(() => expect(stopping).toHaveBeenCalled());
    keys.release();
    expect(await outcome).toBe('socket hang up');
    await closed;
  });

  function send(to: Pick<TestApp, 'url'> = api): ClientRequest {
    const headers = { authorization: `Bearer ${token}` };
    return get(`${to.url}/v1/inbox/stream`, { agent: false, headers }).on('error', () => undefined);
  }
});

interface Calls {
  called(times: number): Promise<void>;
  /** And whoever waited for the answers has got them. */
  answered(times: number): Promise<void>;
}

/** Reads of messages wait for their release; those of counts do not. */
function holdReads({ app }: TestApp): { keys: Calls & { release(): void }; counts: Calls } {
  const reader = app.get(LiveFeedReader, { strict: false });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const readKeys = reader.keysSince.bind(reader);
  const keys = jest.spyOn(reader, 'keysSince').mockImplementation(async (...asked) => {
    await released;
    return readKeys(...asked);
  });
  const unseen = callsOf(jest.spyOn(reader, 'countUnseen'));
  const unread = callsOf(jest.spyOn(reader, 'countUnread'));
  const both = (times: number, kind: keyof Calls) => async () => {
    await unseen[kind](times);
    await unread[kind](times);
  };
  return {
    keys: { ...callsOf(keys), release },
    counts: { called: (times) => both(times, 'called')(), answered: (times) => both(times, 'answered')() },
  };
}

function callsOf(spy: { mock: { results: { value: unknown }[] } }): Calls {
  const called = (times: number): Promise<void> =>
    eventually(() => expect(spy.mock.results.length).toBeGreaterThanOrEqual(times));
  const answered = async (times: number): Promise<void> => {
    await called(times);
    await Promise.all(spy.mock.results.slice(0, times).map(({ value }) => value));
    await turn();
  };
  return { called, answered };
}

function openSockets({ app }: TestApp): Promise<number> {
  const server = app.getHttpServer() as { getConnections(then: (error: unknown, count: number) => void): void };
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
