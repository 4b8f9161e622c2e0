import { ObjectId } from 'bson';
import type { TestSession } from '../harness/index.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { dataOf, faultsOf, type Json, pageOf } from '../support/answers.js';
import { type BrowserClient, browserOf } from '../support/browser-session.js';
import { useHerald } from '../support/herald.js';

const NOTIFICATIONS = '/v1/widgets/notifications';
const FEED = `${NOTIFICATIONS}/feed`;

const api = useHerald();
let session: TestSession;
let inbox: Inbox;
let bell: BrowserClient;
beforeEach(async () => {
  session = await api.session();
  inbox = await createInbox(api, session);
  bell = await browserOf(api, session, inbox.subscriber.subscriberId);
});

const idsIn = async (query: string): Promise<unknown[]> =>
  (await pageOf(bell.get(`${FEED}${query}`))).data.map(({ _id }) => _id);
const countOf = async (path: string): Promise<unknown> =>
  (await dataOf(bell.get(`${NOTIFICATIONS}/${path}`), 200))['count'];
const newFeed = async (name: string): Promise<ObjectId> =>
  new ObjectId(String((await dataOf(session.post('/v1/feeds', { name }), 201))['_id']));
const base64 = (value: unknown): string => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));

describe('GET /v1/widgets/notifications/feed', () => {
  it('should show the fields that the bell reads, newest first', async () => {
    const ids = await inbox.deliver(
      { channel: 'sms' },
      { templateIdentifier: 'order-shipped' },
      { cta: { type: 'redirect', data: { url: '/orders/7' } }, actor: { type: 'system_icon', data: 'info' } },
    );
    const page = await pageOf(bell.get(FEED));
    expect(page).toMatchObject({ page: 0, pageSize: 10, hasMore: false, totalCount: 2 });
    expect(page.data).toMatchObject([
      {
        _id: ids[2],
        createdAt: expect.stringMatching(/Z$/) as string,
        content: 'Your order is on its way',
        read: false,
        seen: false,
        archived: false,
        cta: { type: 'redirect', data: { url: '/orders/7' }, action: { buttons: [] } },
        actor: { type: 'system_icon', data: 'info' },
      },
      { _id: ids[1], templateIdentifier: 'order-shipped', subscriber: { firstName: 'Ann' }, overrides: {} },
    ]);
  });

  it('should show content that a page can insert as it is', async () => {
    await inbox.deliver({
      content: '<b>Hi</b> <img src=x onerror=alert(1)>',
      cta: {
        data: { url: 'javascript:alert(1)' },
        action: { buttons: [{ type: 'clicked' as 'primary', content: 'x' }] },
      },
      overrides: { sendgrid: { apiKey: 'secret' } },
    });
    expect((await pageOf(bell.get(FEED))).data).toMatchObject([
      { content: '<b>Hi</b> <img src="x" />', cta: { data: { url: '' }, action: { buttons: [] } }, overrides: {} },
    ]);
    const [managed] = (await pageOf(session.get(`${inbox.path}/notifications/feed`))).data;
    expect(managed).toMatchObject({ content: '<b>Hi</b> <img src=x onerror=alert(1)>' });
  });

  it('should not show addresses of another subscriber', async () => {
    const bob = await createInbox(api, session, { subscriber: { email: 'bob@example.com', phone: '+15550100' } });
    await inbox.deliver({ _actorId: new ObjectId(bob.subscriber._id) });
    const [message] = (await pageOf(bell.get(FEED))).data;
    expect(message?.['actorSubscriber']).toMatchObject({ subscriberId: bob.subscriber.subscriberId });
    expect(JSON.stringify(message)).not.toMatch(/bob@example|15550100/);
  });

  it('should page and filter as its clients ask', async () => {
    const [news, jobs] = [await newFeed('News'), await newFeed('Jobs')];
    const [a, b, c] = await inbox.deliver({ _feedId: news, payload: { order: { id: 7 } } }, { _feedId: jobs }, {});
    await bell.post('/v1/widgets/messages/markAs', { messageId: a, mark: { seen: true, read: true } }).expect(201);
    expect(await pageOf(bell.get(`${FEED}?limit=2&page=1`))).toMatchObject({ data: [{ _id: a }], page: 1 });
    for (const query of ['?feedIdentifier=News,Jobs', '?feedIdentifier=News&feedIdentifier=Jobs']) {
      expect(await idsIn(query)).toEqual([b, a]);
    }
    expect(await idsIn('?feedIdentifier=Jobs')).toEqual([b]);
    expect(await idsIn('?feedIdentifier=Other')).toEqual([]);
    expect(await idsIn('?seen=false')).toEqual([c, b]);
    expect(await idsIn('?read=true')).toEqual([a]);
    expect(await idsIn(`?payload=${base64({ order: { id: 7 } })}`)).toEqual([a]);
  });

  it('should take the text undefined for a parameter that is not set', async () => {
    const ids = await inbox.deliver({}, {});
    const query = ['page', 'limit', 'seen', 'read', 'feedIdentifier', 'payload'].map((name) => `${name}=undefined`);
    expect(await pageOf(bell.get(`${FEED}?${query.join('&')}`))).toMatchObject({ page: 0, pageSize: 10 });
    expect(await idsIn(`?${query.join('&')}`)).toEqual(ids.reverse());
  });

  it.each([
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['page=-1', 'page'],
    ['seen=maybe', 'seen'],
    ['payload=x', 'payload'],
    ['feedIdentifier[$gt]=', 'feedIdentifier'],
    [`payload=${base64({ $where: '1' })}`, 'payload'],
  ])('should refuse %s', async (query, field) => {
    expect((await faultsOf(bell.get(`${FEED}?${query}`))).join()).toContain(field);
  });
});

describe('GET /v1/widgets/notifications counts', () => {
  it('should count unseen and unread messages, at most up to the limit', async () => {
    const news = await newFeed('News');
    const [a, b] = await inbox.deliver({ _feedId: news }, {}, {}, { channel: 'sms' });
    const mark = (messageId: unknown, mark: Json): Promise<unknown> =>
      dataOf(bell.post('/v1/widgets/messages/markAs', { messageId, mark }), 201);
    await mark(a, { seen: true, read: true });
    await mark(b, { seen: true });
    expect(await countOf('unseen?limit=100')).toBe(1);
    expect(await countOf('unread?limit=100')).toBe(2);
    expect(await countOf('unread?limit=1')).toBe(1);
    for (const route of ['unread', 'unseen', 'count']) {
      expect(await countOf(`${route}?limit=what`)).toBe(await countOf(route));
      await bell.get(`/v1/widgets/notifications/${route}?limit=1001`).expect(400);
    }
    expect(await countOf('unseen?seen=true')).toBe(2);
    expect(await countOf('unread?read=true')).toBe(1);
    expect(await countOf('unseen?feedIdentifier=News&seen=true&limit=undefined')).toBe(1);
    expect(await countOf('count')).toBe(1);
    expect(await countOf('count?read=false&seen=undefined')).toBe(2);
    expect(await countOf('count?seen=true&read=false')).toBe(1);
  });
});
