import { ObjectId } from 'bson';
import type { TestSession } from '../harness/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald } from '../support/herald.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';

const api = useHerald();

interface FeedPage {
  data: Json[];
  page: number;
  pageSize: number;
  hasMore: boolean;
  totalCount: number;
}

const feed = async ({ session, path }: Inbox, query = ''): Promise<FeedPage> =>
  (await session.get(`${path}/notifications/feed${query}`).expect(200)).body as FeedPage;
const idsIn = async (inbox: Inbox, query = ''): Promise<unknown[]> =>
  (await feed(inbox, query)).data.map((row) => row['_id']);
const unseen = async ({ session, path }: Inbox, query = ''): Promise<number> =>
  dataOf<{ count: number }>(await session.get(`${path}/notifications/unseen${query}`).expect(200)).count;
const base64 = (value: unknown): string => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));

async function feedId(session: TestSession, name: string): Promise<ObjectId> {
  return new ObjectId(dataOf<{ _id: string }>(await session.post('/v1/feeds', { name }).expect(201))._id);
}

describe('GET /v1/subscribers/:subscriberId/notifications/feed', () => {
  it('should list in-app messages newest first, with what they are about', async () => {
    const session = await api.session();
    const actor = await createInbox(api, session, { subscriber: { firstName: 'Bob', avatar: 'https://e.com/b.png' } });
    const inbox = await createInbox(api, session);
    await actor.deliver({});
    const ids = await inbox.deliver({ channel: 'sms' }, {}, { _actorId: new ObjectId(actor.subscriber._id) });
    const page = await feed(inbox);
    expect(page).toMatchObject({ page: 0, pageSize: 10, hasMore: false, totalCount: 2 });
    expect(page.data.map((row) => row['_id'])).toEqual([ids[2], ids[1]]);
    expect(page.data[0]).toMatchObject({
      subscriber: { _id: inbox.subscriber._id, subscriberId: inbox.subscriber.subscriberId, firstName: 'Ann' },
      template: { _id: inbox.workflow._id, id: inbox.workflow._id, tags: ['orders'] },
      actorSubscriber: { firstName: 'Bob', avatar: 'https://e.com/b.png' },
    });
    expect(page.data[1]).not.toHaveProperty('actorSubscriber');
  });

  it('should page, and count everything that matches', async () => {
    const inbox = await createInbox(api, await api.session());
    const ids = (await inbox.deliver({}, {}, {}, {})).reverse();
    expect(await feed(inbox, '?limit=2')).toMatchObject({ hasMore: true, totalCount: 4, pageSize: 2 });
    expect(await feed(inbox, '?limit=2&page=1')).toMatchObject({ hasMore: false, totalCount: 4, page: 1 });
    expect(await idsIn(inbox, '?limit=2&page=1')).toEqual(ids.slice(2));
    expect(await feed(inbox, '?page=9')).toMatchObject({ data: [], hasMore: false, totalCount: 4 });
  });

  it('should find by feed, also by several, and nothing in an unknown one', async () => {
    const inbox = await createInbox(api, await api.session());
    const [news, jobs] = [await feedId(inbox.session, 'News'), await feedId(inbox.session, 'Jobs')];
    const [a, b] = await inbox.deliver({ _feedId: news }, { _feedId: jobs }, {});
    expect(await idsIn(inbox, '?feedIdentifier=News')).toEqual([a]);
    expect(await idsIn(inbox, '?feedIdentifier=News&feedIdentifier=Jobs')).toEqual([b, a]);
    expect(await feed(inbox, '?feedIdentifier=Other')).toMatchObject({ data: [], totalCount: 0, hasMore: false });
  });

  it('should find by seen and read', async () => {
    const inbox = await createInbox(api, await api.session());
    const [read, seen, fresh] = await inbox.deliver({}, {}, {});
    await inbox.session.post(`${inbox.path}/messages/mark-as`, { messageId: read, markAs: 'read' }).expect(201);
    await inbox.session.post(`${inbox.path}/messages/mark-as`, { messageId: seen, markAs: 'seen' }).expect(201);
    expect(await idsIn(inbox, '?seen=false')).toEqual([fresh]);
    expect(await idsIn(inbox, '?seen=true')).toEqual([seen, read]);
    expect(await idsIn(inbox, '?read=true')).toEqual([read]);
    expect(await idsIn(inbox, '?seen=true&read=false')).toEqual([seen]);
  });

  it('should find by parts of the payload', async () => {
    const inbox = await createInbox(api, await api.session());
    const [flat, nested] = await inbox.deliver({ payload: { id: 7 } }, { payload: { order: { id: 7, to: 'x' } } }, {});
    expect(await idsIn(inbox, `?payload=${base64({ id: 7 })}`)).toEqual([flat]);
    expect(await idsIn(inbox, `?payload=${base64({ order: { id: 7 } })}`)).toEqual([nested]);
    expect(await idsIn(inbox, `?payload=${base64({ id: '7' })}`)).toEqual([]);
  });

  it.each([
    ['payload=fakeBase64', 'payload must be a JSON object in base64'],
    ['payload=e30&payload=e30', 'payload must be a JSON object in base64'],
    ['seen=maybe', 'seen must be a boolean value'],
    ['limit=101', 'limit must not be greater than 100'],
    ['page=-1', 'page must not be less than 0'],
    [`payload=${base64({ $where: 'x' })}`, 'payload.$where is not allowed: keys must not begin with $'],
  ])('should refuse ?%s', async (query, fault) => {
    const inbox = await createInbox(api, await api.session());
    const answer = await inbox.session.get(`${inbox.path}/notifications/feed?${query}`).expect(400);
    expect(faultsOf(answer)).toEqual([fault]);
  });

  it('should answer 404 for a subscriber of another environment', async () => {
    const [session, sibling] = await api.siblings();
    const inbox = await createInbox(api, session);
    const { body } = await sibling.get(`${inbox.path}/notifications/feed`).expect(404);
    expect(body).toMatchObject({ code: 'subscriber_not_found' });
  });

  it('should not show what was deleted', async () => {
    const inbox = await createInbox(api, await api.session());
    const [id = '', kept] = await inbox.deliver({}, {});
    await inbox.session.delete(`/v1/messages/${id}`).expect(200);
    expect(await idsIn(inbox)).toEqual([kept]);
    expect(await feed(inbox)).toMatchObject({ totalCount: 1 });
    expect(await unseen(inbox)).toBe(1);
  });
});

describe('GET /v1/subscribers/:subscriberId/notifications/unseen', () => {
  it('should count unseen in-app messages of the subscriber alone', async () => {
    const session = await api.session();
    const [inbox, other] = [await createInbox(api, session), await createInbox(api, session)];
    await other.deliver({}, {}, {});
    const [first] = await inbox.deliver({}, {}, {}, { channel: 'email' });
    expect(await unseen(inbox)).toBe(3);
    await session.post(`${inbox.path}/messages/mark-as`, { messageId: first, markAs: 'seen' }).expect(201);
    expect(await unseen(inbox)).toBe(2);
    expect(await unseen(inbox, '?seen=true')).toBe(1);
    expect(await unseen(inbox, '?seen=false&limit=1')).toBe(1);
  });

  it('should count by feed', async () => {
    const inbox = await createInbox(api, await api.session());
    const news = await feedId(inbox.session, 'News');
    await inbox.deliver({ _feedId: news }, {}, {});
    expect(await unseen(inbox, '?feedIdentifier=News')).toBe(1);
    expect(await unseen(inbox, '?feedIdentifier=Other')).toBe(0);
  });

  it('should refuse limits out of bounds, and answer 404 for an unknown subscriber', async () => {
    const inbox = await createInbox(api, await api.session());
    const path = `${inbox.path}/notifications/unseen`;
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'seen=1']) {
      await inbox.session.get(`${path}?${query}`).expect(400);
    }
    await inbox.session.get('/v1/subscribers/nobody/notifications/unseen').expect(404);
  });
});
