import type { TestSession } from '../harness/index.js';
import { createInbox, type Inbox } from '../factories/message.factory.js';
import { codeOf, dataOf, type Json, pageOf } from '../support/answers.js';
import { type BrowserClient, browserOf, clientWith } from '../support/browser-session.js';
import { useHerald } from '../support/herald.js';

const WIDGETS = '/v1/widgets';

const api = useHerald();
let inbox: Inbox;
let id: string;
let ann: BrowserClient;
/** Another subscriber of the environment, and one of the same name in another environment. */
let others: BrowserClient[];
beforeEach(async () => {
  const [main, sibling] = await api.siblings();
  inbox = await createInbox(api, main);
  [id = ''] = await inbox.deliver({ content: 'for Ann alone' });
  const { subscriberId } = inbox.subscriber;
  ann = await browserOf(api, main, subscriberId);
  others = [await browserOf(api, main, 'bob'), await browserOf(api, sibling, subscriberId)];
});

const everything = async (session: TestSession = inbox.session): Promise<Json> => ({
  messages: (await pageOf(session.get(`${inbox.path}/notifications/feed`))).data,
  preferences: await dataOf(session.get(`${inbox.path}/preferences`), 200),
  global: await dataOf(session.get(`${inbox.path}/preferences/global`), 200),
});

describe('the token of another subscriber', () => {
  it('should neither show, count, mark nor remove anything', async () => {
    const before = await everything();
    for (const other of others) {
      const get = (path: string): Promise<unknown> =>
        other.get(`${WIDGETS}/${path}`).then(({ body }) => body as unknown);
      expect(await get('notifications/feed')).toMatchObject({ data: [], totalCount: 0 });
      for (const path of ['unseen', 'unread', 'count', 'count?seen=false&read=false']) {
        expect(await get(`notifications/${path}`)).toEqual({ data: { count: 0 } });
      }
      const post = (path: string, body: Json): Promise<unknown> =>
        other.post(`${WIDGETS}/messages/${path}`, body).then(({ body: answer }) => answer as unknown);
      expect(await post('markAs', { messageId: id, mark: { seen: true, read: true } })).toEqual({ data: [] });
      expect(await post('mark-as', { messageId: [id], markAs: 'read' })).toEqual({ data: [] });
      expect(await post('read', {})).toEqual({ data: 0 });
      expect(await post('seen', {})).toEqual({ data: 0 });
      expect(await post('bulk/delete', { messageIds: [id] })).toEqual({ data: 0 });
      const act = other.post(`${WIDGETS}/messages/${id}/actions/primary`, { status: 'done' });
      expect(await codeOf(act, 404)).toBe('message_not_found');
      expect(await codeOf(other.delete(`${WIDGETS}/messages/${id}`), 404)).toBe('message_not_found');
      await other.delete(`${WIDGETS}/messages`).expect(204);
    }
    expect(await everything()).toEqual(before);
  });

  it('should change no preferences but its own', async () => {
    const before = await everything();
    for (const other of others) {
      await other.patch(`${WIDGETS}/preferences`, { enabled: false }).expect(200);
      await other.patch(`${WIDGETS}/preferences/${inbox.workflow._id}`, {
        channel: { type: 'in_app', enabled: false },
      });
    }
    expect(await everything()).toEqual(before);
    await others[1]?.patch(`${WIDGETS}/preferences/${inbox.workflow._id}`, { enabled: false }).expect(404);
  });

  it('should reach nothing by naming somebody else in the request', async () => {
    const { subscriberId, _id } = inbox.subscriber;
    const bob = await browserOf(api, inbox.session, 'bob');
    const query = `subscriberId=${subscriberId}&_subscriberId=${_id}&environmentId=${inbox.session.environmentId}`;
    expect(await pageOf(bob.get(`${WIDGETS}/notifications/feed?${query}`))).toMatchObject({ data: [] });
    const body = { messageId: id, markAs: 'read', subscriberId, _subscriberId: _id };
    expect(await dataOf(bob.post(`${WIDGETS}/messages/mark-as`, body), 201)).toEqual([]);
  });
});

describe('every widget route', () => {
  it('should take the token of a subscriber and nothing else', async () => {
    const routes = (await api.routes()).filter(
      ({ path }) => path.startsWith(WIDGETS) && !path.startsWith(`${WIDGETS}/session`),
    );
    expect(routes.length).toBeGreaterThanOrEqual(18);
    const { apiKey } = inbox.session;
    for (const { method, path } of routes) {
      const verb = method.toLowerCase() as keyof BrowserClient;
      const target = path
        .replace(/:\w*[iI]d/, id)
        .replace(':type', 'primary')
        .replace(':level', 'global');
      for (const token of [apiKey, '', 'x.y.z']) {
        expect(await codeOf(clientWith(api, token)[verb](target), 401)).toBe('unauthorized');
      }
      const { status } = await ann[verb](target);
      // Bodies are missing, and one of the routes removes the message.
      expect([200, 201, 204, 400, 404]).toContain(status);
    }
  });
});
