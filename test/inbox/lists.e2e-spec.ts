import { ObjectId } from 'bson';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';
import { type InboxClient, openInbox, type ShownNotification } from '../support/inbox-client.js';

const api = useHerald();
const session = useSession(api);
let client: InboxClient;
let inbox: Awaited<ReturnType<typeof openInbox>>;
beforeEach(async () => {
  inbox = await openInbox(api, session, { workflow: { severity: 'high' } });
  client = inbox.client;
});

/** Names of the messages that a list shows. */
const namesOf = async (query: string | object): Promise<unknown[]> =>
  (await dataOf<{ body: string }[]>(client.get('notifications', query), 200)).map(({ body }) => body);

describe('GET /v1/inbox/notifications', () => {
  it('should answer with everything that the Inbox reads', async () => {
    const [id] = await inbox.deliver({
      subject: 'Order 7',
      content: 'On its way <script>x</script>',
      tags: ['orders'],
      severity: 'high',
      data: { plan: 'pro' },
      actor: { type: 'system_custom', data: 'https://example.com/a.png' },
      cta: {
        type: 'redirect',
        data: { url: '/orders/7', target: '_self' },
        action: {
          status: 'done',
          buttons: [
            { type: 'primary', content: 'Track', url: 'https://example.com/t' },
            { type: 'secondary', content: 'Hide', url: 'javascript:alert(1)' },
          ],
          result: { type: 'primary' },
        },
      },
    });
    const { body } = await client.get('notifications').expect(200);
    const { subscriber, workflow } = inbox;
    expect(body).toEqual({
      data: [
        {
          id,
          transactionId: expect.any(String) as string,
          subject: 'Order 7',
          body: 'On its way ',
          to: { id: subscriber._id, subscriberId: subscriber.subscriberId, firstName: 'Ann' },
          isRead: false,
          isSeen: false,
          isArchived: false,
          isSnoozed: false,
          createdAt: expect.any(String) as string,
          avatar: 'https://example.com/a.png',
          primaryAction: { label: 'Track', isCompleted: true, redirect: { url: 'https://example.com/t' } },
          secondaryAction: { label: 'Hide', isCompleted: false },
          channelType: 'in_app',
          tags: ['orders'],
          redirect: { url: '/orders/7', target: '_self' },
          data: { plan: 'pro' },
          workflow: {
            id: workflow._id,
            identifier: (workflow['triggers'] as [{ identifier: string }])[0].identifier,
            name: workflow['name'],
            critical: false,
            tags: ['orders'],
            severity: 'high',
          },
          severity: 'high',
        },
      ],
      hasMore: false,
      filter: {},
    });
  });

  it('should page by the last id, newest first, even after that message was deleted', async () => {
    const createdAt = new Date();
    const ids = (await inbox.deliver(...Array.from({ length: 5 }, () => ({ createdAt })), {})).sort().reverse();
    const first = (await client.get('notifications', 'limit=2').expect(200)).body as { data: ShownNotification[] };
    expect(first).toMatchObject({ hasMore: true });
    const [, second] = first.data;
    await client.delete(`notifications/${second?.id ?? ''}/delete`).expect(204);
    const rest = await client.ids({ limit: 10, after: second?.id });
    expect([...first.data.map(({ id }) => id), ...rest].sort().reverse()).toEqual(ids);
    expect(rest).toHaveLength(4);
    expect(await client.ids({ limit: 1, offset: 1 })).toEqual(rest.slice(0, 1));
  });

  it('should refuse a cursor that is not of the subscriber', async () => {
    const [foreign] = await (await openInbox(api, session)).deliver({});
    for (const after of [foreign, new ObjectId().toHexString()]) {
      expect(await codeOf(client.get('notifications', { after }), 404)).toBe('message_not_found');
    }
  });

  it('should filter by tags, severity, data and time', async () => {
    const [a] = await inbox.deliver(
      { content: 'a', tags: ['x'], severity: 'high', data: { plan: 'pro', a: { n: 1 } }, createdAt: new Date(1_000) },
      { content: 'b', tags: ['x', 'y'], data: { plan: 'free', a: { n: 2 } }, createdAt: new Date(2_000) },
      { content: 'c', tags: ['z'], severity: 'low', createdAt: new Date(3_000) },
      { content: 'd', createdAt: new Date(4_000) },
    );
    const cases: [string | object, string][] = [
      ['tags[]=x', 'ba'],
      ['tags[]=x&tags[]=z', 'cba'],
      ['tags[0][]=x&tags[1][]=y', 'b'],
      ['tags=z', 'c'],
      ['severity=high', 'a'],
      ['severity[]=low&severity[]=none', 'dcb'],
      [{ data: '{"plan":"pro"}' }, 'a'],
      [{ data: '{"plan":["pro","free"]}' }, 'ba'],
      [{ data: '{"a":{"n":2}}' }, 'b'],
      [{ createdGte: '2000', createdLte: '3000' }, 'cb'],
      [{ createdGte: new Date(3_000).toISOString() }, 'dc'],
      [{ createdGte: '2000', after: a }, ''],
      [{ createdLte: '3000', after: a }, ''],
      ['read=undefined&archived=false&snoozed=false', 'dcba'],
      ['read=true', ''],
      ['unknown=1', 'dcba'],
    ];
    for (const [query, names] of cases) expect([query, (await namesOf(query)).join('')]).toEqual([query, names]);
  });

  it('should filter by feeds, also what is counted, marked and deleted', async () => {
    const [news, offers] = await Promise.all(
      ['news', 'offers'].map(async (name) => {
        const { _id } = await dataOf(session.post('/v1/feeds', { name }), 201);
        return new ObjectId(String(_id));
      }),
    );
    await inbox.deliver({ content: 'a', _feedId: news }, { content: 'b', _feedId: offers }, { content: 'c' });
    expect(await namesOf('feedIdentifier=news')).toEqual(['a']);
    expect((await namesOf('feedIdentifier[]=news&feedIdentifier[]=offers')).sort()).toEqual(['a', 'b']);
    expect(await namesOf('feedIdentifier=gone')).toEqual([]);
    await client.post('notifications/read', { feedIdentifier: 'news' }).expect(204);
    const unread = { read: false };
    const feeds = [{ feedIdentifier: 'news' }, { feedIdentifier: ['offers'] }, {}].map((feed) => ({
      ...unread,
      ...feed,
    }));
    expect(await client.count(...feeds)).toEqual([0, 1, 2]);
    await client.post('notifications/archive', { feedIdentifier: ['gone'] }).expect(204);
    await client.post('notifications/seen', { feedIdentifier: 'gone' }).expect(204);
    await client.post('notifications/delete', { feedIdentifier: 'offers' }).expect(204);
    expect((await namesOf('archived=false&seen=false')).sort()).toEqual(['c']);
    expect((await namesOf({})).sort()).toEqual(['a', 'c']);
  });

  it('should filter by state', async () => {
    const ids = await inbox.deliver({}, {}, {}, {});
    const [read = '', archived = '', snoozed = '', plain = ''] = ids;
    await client.change(read, 'read');
    await client.change(archived, 'archive');
    await client.change(snoozed, 'snooze', { snoozeUntil: new Date(Date.now() + 60_000).toISOString() });
    expect(await client.ids()).toEqual([plain, archived, read]);
    expect(await client.ids('archived=false')).toEqual([plain, read]);
    expect(await client.ids('archived=true')).toEqual([archived]);
    expect(await client.ids('snoozed=true')).toEqual([snoozed]);
    expect(await client.ids('read=false')).toEqual([plain]);
    expect(await client.ids('seen=true')).toEqual([archived, read]);
    // The management API can mark an archived message as unread.
    await session.post(`${inbox.path}/messages/mark-as`, { messageId: archived, markAs: 'unread' }).expect(201);
    expect(await client.ids('read=false&archived=true')).toEqual([archived]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['after=x', 'after'],
    ['read=maybe', 'read'],
    ['severity=urgent', 'severity'],
    ['data=x', 'data'],
    ['data=[]', 'data'],
    ['data={"$where":"1"}', 'data'],
    ['data={"a":{"__proto__":1}}', 'data'],
    ['createdGte=soon', 'createdGte'],
    ['tags[a]=1', 'tags'],
    ['feedIdentifier[a]=1', 'feedIdentifier'],
    [`feedIdentifier=${'x'.repeat(256)}`, 'feedIdentifier'],
  ])('should refuse %s', async (query, field) => {
    expect((await faultsOf(client.get('notifications', query))).join('\n')).toContain(field);
  });
});

describe('GET /v1/inbox/notifications/count', () => {
  it('should count each filter, and return it unchanged', async () => {
    const [first = ''] = await inbox.deliver(
      { severity: 'high', tags: ['x'], data: { plan: 'pro' } },
      { tags: ['x', 'y'] },
      {},
    );
    await client.change(first, 'read');
    const filters = [
      {},
      { read: false, archived: false, snoozed: false },
      { severity: 'high' },
      { severity: ['none', 'medium'], colour: 'kept' },
      { tags: ['x'] },
      { tags: { and: [{ or: ['x'] }, { or: ['y'] }] } },
      { tags: { or: ['y'] }, read: null },
      { data: { plan: 'pro' } },
    ];
    const { body } = await client.get('notifications/count', { filters: JSON.stringify(filters) }).expect(200);
    const counts = [3, 2, 1, 2, 2, 1, 1, 1];
    expect(body).toEqual({ data: filters.map((filter, place) => ({ count: counts[place], filter })) });
  });

  it('should stop at 99', async () => {
    await inbox.deliver(...Array.from({ length: 105 }, () => ({})));
    expect(await client.count({}, { read: true })).toEqual([99, 0]);
  });

  it.each([
    [undefined, 'filters'],
    ['x', 'filters must be a JSON array'],
    ['{}', 'filters must be a JSON array'],
    ['[1]', 'filters.0 must be an object'],
    ['[{"read":"true"}]', 'filters.0.read must be a boolean'],
    ['[{"severity":"x"}]', 'filters.0.severity'],
    ['[{"feedIdentifier":[1]}]', 'filters.0.feedIdentifier'],
    [JSON.stringify([{ feedIdentifier: Array.from({ length: 101 }, () => 'x') }]), 'at most 100'],
    ['[{"data":{"a":{"$gt":1}}}]', 'filters.0.data'],
    [JSON.stringify(Array.from({ length: 51 }, () => ({}))), 'at most 50'],
  ])('should refuse %s', async (filters, fault) => {
    const query: Json = filters === undefined ? {} : { filters };
    expect((await faultsOf(client.get('notifications/count', query))).join('\n')).toContain(fault);
  });
});
