import { type TestSession, workerStore } from '../harness/index.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { commandsOf as allCommandsOf, fewestCommands } from '../support/store-commands.js';
import { startTestApi, useApi } from '../support/test-api.js';

const api = useApi(() => startTestApi({ DELIVERY_WORKER: 'off' }, { ...workerStore(), monitorCommands: true }));
let session: TestSession;
let inbox: Inbox;

beforeEach(async () => {
  session = await api.session();
  await session.get('/v1/feeds').expect(200); // the key is known from here on
});

const ofRecords = (commands: readonly string[]): string[] =>
  commands.filter((command) => /subscribers|messages|workflows|feeds|integrations/.test(command));

/** Commands of the store that concern records, in their order, such as `find subscribers`. */
const commandsOf = async (request: () => PromiseLike<unknown>): Promise<string[]> =>
  ofRecords(await allCommandsOf(api, request));

/** Those of the cheapest of several requests: what is kept for a second can be too old for one of them on a slow machine. */
const commandsOnceKnown = async (request: () => PromiseLike<unknown>): Promise<string[]> =>
  ofRecords(await fewestCommands(api, request));

describe('store commands of one request', () => {
  it('should be one to create a subscriber', async () => {
    const commands = await commandsOf(() => session.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201));
    expect(commands).toEqual(['findAndModify subscribers']);
  });

  it('should be one to read a subscriber, and one to list them', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201);
    expect(await commandsOf(() => session.get('/v1/subscribers/ann').expect(200))).toEqual(['find subscribers']);
    expect(await commandsOf(() => session.get('/v1/subscribers').expect(200))).toEqual(['find subscribers']);
  });

  describe('in the inbox of a subscriber', () => {
    let messageId: string[];
    beforeEach(async () => {
      inbox = await createInbox(api, session);
      messageId = await inbox.deliver({}, {}, {});
    });

    it('should be the page and its total for a feed, and twice as many at first', async () => {
      const feed = (): PromiseLike<unknown> => session.get(`${inbox.path}/notifications/feed`).expect(200);
      expect((await commandsOf(feed)).sort()).toEqual([
        'aggregate messages',
        'find messages',
        'find subscribers',
        'find workflows',
      ]);
      expect((await commandsOnceKnown(feed)).sort()).toEqual(['aggregate messages', 'find messages']);
    });

    it('should be one for the unseen count, and one more at first', async () => {
      const unseen = (): PromiseLike<unknown> => session.get(`${inbox.path}/notifications/unseen`).expect(200);
      expect(await commandsOf(unseen)).toEqual(['find subscribers', 'aggregate messages']);
      expect(await commandsOnceKnown(unseen)).toEqual(['aggregate messages']);
    });

    it('should be one write and one read for a mark, however many messages, and one more at first', async () => {
      const mark = (markAs: string): PromiseLike<unknown> =>
        session.post(`${inbox.path}/messages/mark-as`, { messageId, markAs }).expect(201);
      expect(await commandsOf(() => mark('seen'))).toEqual(['find subscribers', 'update messages', 'find messages']);
      expect(await commandsOnceKnown(() => mark('read'))).toEqual(['update messages', 'find messages']);
    });
  });
});
