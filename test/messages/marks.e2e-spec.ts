import { Types } from 'mongoose';
import { MessagesMarked } from '../../src/engine/messages/records/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { recordEvents } from '../support/recorded-events.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi();
let marked: MessagesMarked[];
beforeAll(() => {
  marked = recordEvents(api, MessagesMarked);
});

const ISO = expect.stringMatching(/^\d{4}-.*Z$/) as string;
const newInbox = async (): Promise<Inbox> => createInbox(api, await api.session());
const mark = async ({ session, path }: Inbox, messageId: unknown, markAs: string): Promise<Json[]> =>
  dataOf<Json[]>(await session.post(`${path}/messages/mark-as`, { messageId, markAs }).expect(201));
const markAll = async ({ session, path }: Inbox, body: Json): Promise<number> =>
  dataOf<number>(await session.post(`${path}/messages/mark-all`, body).expect(201));
const stateOf = (row: Json | undefined): Json => ({
  seen: row?.['seen'],
  read: row?.['read'],
  lastSeenDate: row?.['lastSeenDate'],
  lastReadDate: row?.['lastReadDate'],
});

describe('POST /v1/subscribers/:subscriberId/messages/mark-as', () => {
  it.each([
    ['seen', { seen: true, read: false, lastSeenDate: ISO, lastReadDate: undefined }],
    ['read', { seen: true, read: true, lastSeenDate: ISO, lastReadDate: ISO }],
    ['unseen', { seen: false, read: false, lastSeenDate: undefined, lastReadDate: undefined }],
    ['unread', { seen: true, read: false, lastSeenDate: ISO, lastReadDate: undefined }],
  ])('should mark a fresh message as %s', async (as, state) => {
    const inbox = await newInbox();
    const [id] = await inbox.deliver({});
    expect((await mark(inbox, id, as)).map(stateOf)).toEqual([state]);
  });

  it.each([
    ['unread', { seen: true, read: false }],
    ['unseen', { seen: false, read: true }],
  ])('should take back a read message as %s, and keep the dates', async (as, state) => {
    const inbox = await newInbox();
    const [id] = await inbox.deliver({});
    const [before] = await mark(inbox, id, 'read');
    const [after] = await mark(inbox, id, as);
    expect(stateOf(after)).toEqual({ ...stateOf(before), ...state });
  });

  it('should keep the dates of a state that is there already, and change nothing', async () => {
    const inbox = await newInbox();
    const [id] = await inbox.deliver({});
    const first = await mark(inbox, id, 'read');
    expect(await mark(inbox, id, 'read')).toEqual(first);
    const [seen] = await mark(inbox, id, 'seen');
    expect(seen).toEqual(first[0]);
  });

  it('should set the date again when the state is entered again', async () => {
    const inbox = await newInbox();
    const [id] = await inbox.deliver({});
    const dateOf = (row: Json | undefined): number => Date.parse(String(row?.['lastSeenDate']));
    const [first] = await mark(inbox, id, 'seen');
    await mark(inbox, id, 'unseen');
    while (Date.now() <= dateOf(first)) await new Promise((resolve) => setTimeout(resolve, 1));
    const [second] = await mark(inbox, id, 'seen');
    expect(dateOf(second)).toBeGreaterThan(dateOf(first));
  });

  it('should take one id, a list and a text with commas', async () => {
    const inbox = await newInbox();
    const [a, b] = await inbox.deliver({}, {});
    expect(await mark(inbox, a, 'seen')).toHaveLength(1);
    expect(await mark(inbox, [a, b], 'seen')).toHaveLength(2);
    expect(await mark(inbox, `${a}, ${b}`, 'read')).toHaveLength(2);
  });

  it('should neither change nor show messages of another subscriber, and ignore unknown ids', async () => {
    const inbox = await newInbox();
    const other = await createInbox(api, inbox.session);
    const [[mine], [theirs]] = [await inbox.deliver({}), await other.deliver({})];
    const rows = await mark(inbox, [mine, theirs, UNKNOWN_ID], 'read');
    expect(rows.map((row) => row['_id'])).toEqual([mine]);
    expect((await dataOf<Json[]>(inbox.session.get(`${other.path}/notifications/feed`), 200))[0]).toMatchObject({
      seen: false,
      read: false,
    });
  });

  it('should tell which messages have changed, and nothing where none has', async () => {
    const inbox = await newInbox();
    const [a, b] = await inbox.deliver({}, {});
    const told = (): unknown[] =>
      marked
        .filter(({ subscriberId }) => subscriberId === inbox.subscriber._id)
        .map(({ state, messageIds }) => ({ state, messageIds }));
    await mark(inbox, a, 'seen');
    await mark(inbox, [a, b], 'seen');
    await mark(inbox, [a, b], 'seen');
    expect(told()).toEqual([
      { state: { seen: true }, messageIds: [a] },
      { state: { seen: true }, messageIds: [b] },
    ]);
  });

  it.each([
    ['no ids', { markAs: 'read' }],
    ['an empty text', { messageId: '', markAs: 'read' }],
    ['an empty list', { messageId: [], markAs: 'read' }],
    ['an id that is none', { messageId: ['x'], markAs: 'read' }],
    ['an operator', { messageId: { $ne: null }, markAs: 'read' }],
    ['no mark', { messageId: UNKNOWN_ID }],
    ['another mark', { messageId: UNKNOWN_ID, markAs: 'archived' }],
    ['too many', { messageId: Array.from({ length: 1001 }, () => UNKNOWN_ID), markAs: 'read' }],
  ])('should refuse %s', async (_case, body) => {
    const inbox = await newInbox();
    const answer = await inbox.session.post(`${inbox.path}/messages/mark-as`, body).expect(400);
    expect(faultsOf(answer)[0]).toMatch(/messageId|markAs/);
  });

  it('should answer 404 for an unknown subscriber', async () => {
    const session = await api.session();
    const body = { messageId: UNKNOWN_ID, markAs: 'read' };
    await session.post('/v1/subscribers/nobody/messages/mark-as', body).expect(404);
  });
});

describe('POST /v1/subscribers/:subscriberId/messages/markAs', () => {
  it.each([
    [{ seen: true }, { seen: true, read: false }],
    [{ read: true }, { seen: true, read: true }],
    [{ seen: false }, { seen: false, read: false }],
    [{}, { seen: false, read: false }],
  ])('should bring a message into the state %j', async (wanted, state) => {
    const inbox = await newInbox();
    const [messageId] = await inbox.deliver({});
    const body = { messageId, mark: wanted };
    const rows = dataOf<Json[]>(await inbox.session.post(`${inbox.path}/messages/markAs`, body).expect(201));
    expect(rows).toEqual([expect.objectContaining({ _id: messageId, ...state })]);
  });

  it.each([{ mark: 'read' }, { mark: { seen: 'yes' } }, {}])('should refuse %j', async (part) => {
    const inbox = await newInbox();
    const body = { messageId: UNKNOWN_ID, ...part };
    await inbox.session.post(`${inbox.path}/messages/markAs`, body).expect(400);
  });
});

describe('POST /v1/subscribers/:subscriberId/messages/mark-all', () => {
  it('should mark all in-app messages and answer with how many changed', async () => {
    const inbox = await newInbox();
    await inbox.deliver({}, {}, {}, {}, {}, { channel: 'email' });
    expect(await markAll(inbox, { markAs: 'read' })).toBe(5);
    expect(await markAll(inbox, { markAs: 'read' })).toBe(0);
    for (const row of await dataOf<Json[]>(inbox.session.get(`${inbox.path}/notifications/feed`), 200)) {
      expect(stateOf(row)).toEqual({ seen: true, read: true, lastSeenDate: ISO, lastReadDate: ISO });
    }
    expect((await dataOf<Json[]>(inbox.session.get('/v1/messages?channel=email'), 200))[0]).toMatchObject({
      seen: false,
      read: false,
    });
  });

  it('should touch only messages in the opposite state', async () => {
    const inbox = await newInbox();
    const [a, b] = await inbox.deliver({}, {}, {});
    await mark(inbox, a, 'read');
    await mark(inbox, b, 'seen');
    expect(await markAll(inbox, { markAs: 'unread' })).toBe(1);
    expect(await markAll(inbox, { markAs: 'unseen' })).toBe(2);
    expect(await markAll(inbox, { markAs: 'seen' })).toBe(3);
  });

  it('should mark one feed only where one is named, and not touch others', async () => {
    const inbox = await newInbox();
    const other = await createInbox(api, inbox.session);
    await other.deliver({});
    const made = await inbox.session.post('/v1/feeds', { name: 'News' }).expect(201);
    await inbox.deliver({ _feedId: new Types.ObjectId(dataOf<{ _id: string }>(made)._id) }, {});
    expect(await markAll(inbox, { markAs: 'seen', feedIdentifier: 'News' })).toBe(1);
    expect(await markAll(inbox, { markAs: 'seen', feedIdentifier: 'Other' })).toBe(0);
    expect(await markAll(inbox, { markAs: 'seen', feedIdentifier: ['News', 'Other'] })).toBe(0);
    expect(await markAll(other, { markAs: 'seen' })).toBe(1);
  });

  it('should refuse another mark, and answer 404 for an unknown subscriber', async () => {
    const inbox = await newInbox();
    await inbox.session.post(`${inbox.path}/messages/mark-all`, { markAs: 'all' }).expect(400);
    await inbox.session.post(`${inbox.path}/messages/mark-all`, {}).expect(400);
    await inbox.session.post('/v1/subscribers/nobody/messages/mark-all', { markAs: 'read' }).expect(404);
  });
});
