import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { openSession } from '../support/browser-session.js';
import { createWorkflow, trigger } from '../support/delivery.js';
import { eventually } from '../support/eventually.js';
import { useHerald, useSession } from '../support/herald.js';
import { InboxClient, openInbox } from '../support/inbox-client.js';
import { StreamClient } from '../support/live-clients.js';

const api = useHerald();
const session = useSession(api);

interface Shown extends Json {
  readonly id: string;
  readonly body: string;
  readonly group?: { readonly key: string; readonly count: number; readonly unreadCount: number };
}

const listed = (client: InboxClient, query: string | object): Promise<Shown[]> =>
  dataOf<Shown[]>(client.get('notifications', query), 200);

describe('GET /v1/inbox/notifications with groups', () => {
  let inbox: Awaited<ReturnType<typeof openInbox>>;
  beforeEach(async () => {
    inbox = await openInbox(api, session);
  });

  const deliver = (texts: string): Promise<string[]> =>
    inbox.deliver(
      ...Array.from(texts, (text) => ({ content: text, ...(text !== '-' && { groupKey: text.toLowerCase() }) })),
    );
  /** Texts of the messages that stand for groups, each with the number of its group. */
  const grouped = async (query: object = {}): Promise<string> =>
    (await listed(inbox.client, { grouped: true, ...query }))
      .map(({ body, group }) => body + (group === undefined ? '' : String(group.count)))
      .join(' ');

  it('should show the newest message of each group with the number of all', async () => {
    await deliver('aab-Ab');
    expect(await grouped()).toBe('b2 A3 -');
    const [first, second, third] = await listed(inbox.client, 'grouped=true');
    expect([first?.group, second?.group]).toEqual([
      { key: 'b', count: 2, unreadCount: 2 },
      { key: 'a', count: 3, unreadCount: 3 },
    ]);
    expect(third).not.toHaveProperty('group');
  });

  it('should answer a list that does not ask for groups as ever', async () => {
    await deliver('aab');
    const { body } = await inbox.client.get('notifications').expect(200);
    expect((body as { data: Shown[] }).data.map(({ body: text }) => text)).toEqual(['b', 'a', 'a']);
    expect(JSON.stringify(body)).not.toContain('group');
    expect(body).toMatchObject({ hasMore: false, filter: {} });
  });

  it('should page through groups that lie in each other, without gaps or repeats', async () => {
    await deliver('abcABC-abc-dabcd');
    const all = (await listed(inbox.client, 'grouped=true')).map(({ id }) => id);
    expect(await grouped()).toBe('d2 c4 b4 a4 - -');
    const pages: string[][] = [];
    let after: string | undefined;
    for (let hasMore = true; hasMore;) {
      const query = { grouped: true, limit: 2, ...(after !== undefined && { after }) };
      const { body } = await inbox.client.get('notifications', query).expect(200);
      const page = body as { data: Shown[]; hasMore: boolean };
      pages.push(page.data.map(({ id }) => id));
      after = page.data.at(-1)?.id;
      hasMore = page.hasMore;
    }
    expect(pages).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    expect(await grouped({ limit: 2, offset: 3 })).toBe('a4 -');
  });

  it('should find the next group below one that is longer than what is read at once', async () => {
    await deliver(`-${'a'.repeat(450)}`);
    expect(await grouped({ limit: 5 })).toBe('a450 -');
  });

  it('should group what matches the filter', async () => {
    const [oldest = '', , newest = ''] = await deliver('aaA');
    await inbox.client.change(newest, 'read');
    const [unread] = await listed(inbox.client, 'grouped=true&read=false');
    expect(unread).toMatchObject({ body: 'a', group: { count: 2, unreadCount: 2 } });
    await inbox.client.change(oldest, 'archive');
    expect((await listed(inbox.client, 'grouped=true&archived=false'))[0]).toMatchObject({
      id: newest,
      group: { count: 2, unreadCount: 1 },
    });
    await inbox.client.delete(`notifications/${newest}/delete`).expect(204);
    expect(await grouped({ archived: false })).toBe('a1');
  });

  it('should open a group, and count, mark and delete it', async () => {
    const ids = await deliver('aba');
    const { client } = inbox;
    expect(await client.ids('groupKey=a')).toEqual([ids[2], ids[0]]);
    expect(await client.ids('groupKey=a&grouped=true')).toEqual([ids[2], ids[0]]);
    expect(await client.count({ groupKey: 'a' }, { groupKey: 'gone' }, {})).toEqual([2, 0, 3]);
    await client.post('notifications/read', { groupKey: 'a' }).expect(204);
    expect(await client.count({ read: false })).toEqual([1]);
    await client.post('notifications/seen', { groupKey: 'b' }).expect(204);
    expect(await client.count({ seen: false })).toEqual([0]);
    await client.post('notifications/archive', { groupKey: 'b' }).expect(204);
    expect(await client.ids('archived=true')).toEqual([ids[1]]);
    await client.post('notifications/delete', { groupKey: 'a' }).expect(204);
    expect(await client.ids()).toEqual([ids[1]]);
  });

  it.each(['groupKey=', `groupKey=${'x'.repeat(256)}`, 'groupKey[a]=1', 'grouped=maybe'])(
    'should refuse %s',
    async (query) => {
      expect((await faultsOf(inbox.client.get('notifications', query))).join()).toMatch(/group/);
    },
  );
});

describe('the keys of an in-app step', () => {
  const send = async (template: object, ...payloads: Json[]): Promise<InboxClient> => {
    const { identifier } = await createWorkflow(session, [
      { template: { type: 'in_app', content: '{{n}}', ...template } },
    ]);
    for (const [place, payload] of payloads.entries()) {
      await trigger(session, { name: identifier, to: 'ann', payload: { n: place + 1, ...payload } });
      await api.drain();
    }
    return new InboxClient(api.url, await openSession(api, session, 'ann'));
  };
  const texts = async (client: InboxClient, query: string): Promise<string[]> =>
    (await listed(client, query)).map(({ body, group }) => `${body}${group === undefined ? '' : `/${group.count}`}`);

  it('should be templates over the payload', async () => {
    const client = await send({ groupKey: 'comments-{{plan}}' }, { plan: 'a' }, { plan: 'b' }, { plan: 'a' });
    expect(await texts(client, 'grouped=true')).toEqual(['3/2', '2/1']);
    expect(await texts(client, 'groupKey=comments-a')).toEqual(['3', '1']);
  });

  it('should group nothing where nothing remains of the key', async () => {
    const client = await send({ groupKey: '{{plan}}', replaces: ' {{plan}} ' }, {}, { plan: ' ' });
    expect(await texts(client, 'grouped=true')).toEqual(['2', '1']);
  });

  it('should put a later message in the place of the earlier one of the same person and key', async () => {
    const client = await send({ replaces: 'order-{{order}}' }, { order: 7 }, { order: 8 }, { order: 7 }, { order: 7 });
    expect(await texts(client, '')).toEqual(['4', '2']);
    expect(await client.count({ read: false }, { seen: false })).toEqual([2, 2]);
  });

  it('should come with the icon of the step', async () => {
    const client = await send({ actor: { type: 'system_icon', data: 'warning' } }, {});
    expect((await listed(client, ''))[0]).toMatchObject({ icon: 'warning' });
  });

  it('should refuse keys that are no templates', async () => {
    const steps = [{ template: { type: 'in_app', content: 'x', groupKey: '{{', replaces: 7 } }];
    const body = { name: 'x', notificationGroupId: 'x', steps };
    const faults = await faultsOf(session.post('/v1/workflows', body));
    expect(faults.join('\n')).toMatch(/groupKey is not a valid template/);
    expect(faults.join('\n')).toMatch(/replaces must be/);
  });
});

describe('a message that replaces another', () => {
  it('should do so in the open tabs of its reader', async () => {
    const inbox = await openInbox(api, session);
    const stream = await (await StreamClient.open(api, { token: inbox.client.token })).begun();
    try {
      await inbox.deliver({ replaces: 'order-7' }, { content: 'other' });
      await eventually(() => expect(stream.named('counts').at(-1)).toMatchObject({ unseenCount: 2 }));
      const before = stream.named('counts').length;
      const [id] = await inbox.deliver({ replaces: 'order-7', content: 'Delivered' });
      await eventually(() => expect(stream.named('message').at(-1)).toMatchObject({ _id: id }));
      await eventually(() => expect(stream.named('counts').length).toBeGreaterThan(before));
      expect(stream.named('counts').at(-1)).toMatchObject({ unseenCount: 2, unreadCount: 2 });
    } finally {
      stream.close();
    }
  });

  it('should be the newest one, whichever is stored last', async () => {
    const { deliver, client } = await openInbox(api, session);
    const [newest] = await deliver({ replaces: 'k', createdAt: new Date(2_000) });
    await deliver({ replaces: 'k', createdAt: new Date(1_000) }, { replaces: 'other', createdAt: new Date(1_000) });
    expect((await listed(client, '')).map(({ id }) => id)).toContain(newest);
    expect(await client.count({})).toEqual([2]);
  });

  it('should leave messages of other people alone', async () => {
    const [one, other] = [await openInbox(api, session), await openInbox(api, session)];
    await one.deliver({ replaces: 'k' });
    await other.deliver({ replaces: 'k' });
    expect([await one.client.count({}), await other.client.count({})]).toEqual([[1], [1]]);
  });
});
