import request from 'supertest';
import type { TestSession } from '../harness/index.js';
import { codeOf, type Json } from '../support/answers.js';
import { openSession } from '../support/browser-session.js';
import { useDelivery } from '../support/herald.js';
import { InboxClient, openInbox } from '../support/inbox-client.js';

const DAY_MS = 86_400_000;

const api = useDelivery();

type Call = (client: InboxClient, id: string, workflowId: string) => request.Test;
const until = (): Json => ({ snoozeUntil: new Date(api.clock.now().getTime() + 600_000).toISOString() });
const button = { actionType: 'primary' };

/** Every inbox route, by what it names of the subscriber: one message, or nothing. */
const OF_ONE: Record<string, Call> = {
  'PATCH read': (client, id) => client.patch(`notifications/${id}/read`),
  'PATCH unread': (client, id) => client.patch(`notifications/${id}/unread`),
  'PATCH archive': (client, id) => client.patch(`notifications/${id}/archive`),
  'PATCH unarchive': (client, id) => client.patch(`notifications/${id}/unarchive`),
  'PATCH unsnooze': (client, id) => client.patch(`notifications/${id}/unsnooze`),
  'PATCH snooze': (client, id) => client.patch(`notifications/${id}/snooze`, until()),
  'PATCH complete': (client, id) => client.patch(`notifications/${id}/complete`, button),
  'PATCH revert': (client, id) => client.patch(`notifications/${id}/revert`, button),
  'DELETE delete': (client, id) => client.delete(`notifications/${id}/delete`),
  'GET after': (client, id) => client.get('notifications', { after: id }),
};
const OF_ALL: Record<string, Call> = {
  'GET notifications': (client) => client.get('notifications'),
  'GET count': (client) => client.get('notifications/count', { filters: '[{}]' }),
  'POST seen': (client, id) => client.post('notifications/seen', { notificationIds: [id] }),
  'POST read': (client) => client.post('notifications/read'),
  'POST archive': (client) => client.post('notifications/archive'),
  'POST read-archive': (client) => client.post('notifications/read-archive'),
  'POST delete': (client) => client.post('notifications/delete'),
  'GET preferences': (client) => client.get('preferences'),
  'GET preferences/global': (client) => client.get('preferences/global'),
  'PATCH preferences': (client) => client.patch('preferences', { sms: false, in_app: false }),
  'PATCH preferences/:workflowId': (client, _id, workflow) =>
    client.patch(`preferences/${workflow}`, { in_app: false }),
  'PATCH preferences/bulk': (client, _id, workflowId) =>
    client.patch('preferences/bulk', { preferences: [{ workflowId, in_app: false }] }),
};
const ROUTES = { ...OF_ONE, ...OF_ALL };

/** A subscriber with a message, and everything that the subscriber sees. */
async function subscriberIn(session: TestSession) {
  const buttons = [{ type: 'primary' as const, content: 'Yes' }];
  const inbox = await openInbox(api, session);
  const [id = ''] = await inbox.deliver({ cta: { action: { buttons } } });
  const view = async (client = inbox.client): Promise<Json[]> =>
    Promise.all(
      ['notifications', 'notifications?archived=true', 'notifications?snoozed=true', 'preferences'].map(
        async (path) => (await client.get(path).expect(200)).body as Json,
      ),
    );
  return { ...inbox, id, view, before: await view() };
}

describe('inbox routes with the token of another subscriber', () => {
  let main: TestSession;
  let sibling: TestSession;
  let ada: Awaited<ReturnType<typeof subscriberIn>>;
  let others: { readonly name: string; readonly client: InboxClient }[];
  beforeAll(async () => {
    [main, sibling] = await api.siblings();
    ada = await subscriberIn(main);
    const { subscriberId } = ada.subscriber;
    others = [
      { name: 'the same environment', client: new InboxClient(api.url, await openSession(api, main, 'bob')) },
      {
        name: 'another environment, of the same name',
        client: new InboxClient(api.url, await openSession(api, sibling, subscriberId)),
      },
    ];
  });

  it.each(Object.keys(OF_ONE))('should find nothing: %s', async (route) => {
    for (const { client } of others) {
      const call = OF_ONE[route]?.(client, ada.id, ada.workflow._id);
      expect(call && (await codeOf(call, 404))).toBe('message_not_found');
    }
    expect(await ada.view()).toEqual(ada.before);
  });

  it.each(Object.keys(OF_ALL))('should change and show nothing of hers: %s', async (route) => {
    for (const { client } of others) {
      const answer = await OF_ALL[route]?.(client, ada.id, ada.workflow._id);
      expect(answer?.text).not.toContain(ada.id);
    }
    expect(await ada.view()).toEqual(ada.before);
  });
});

describe('inbox routes without the token of a subscriber', () => {
  it.each(Object.keys(ROUTES))('should be closed: %s', async (route) => {
    const session = await api.session();
    const { client, id, subscriber, workflow, view, before } = await subscriberIn(session);
    const [head = '', claims = '', signature = ''] = client.token.split('.');
    const tampered = `${head}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const token of ['', tampered, `${head}.${claims}.`, session.apiKey, `${session.apiKey}x`]) {
      const call = ROUTES[route]?.(new InboxClient(api.url, token), id, workflow._id);
      expect(call && (await codeOf(call, 401))).toBe('unauthorized');
    }
    const withKey = ROUTES[route]?.(new InboxClient(api.url, ''), id, workflow._id);
    expect(withKey && (await codeOf(withKey.set('X-Api-Key', session.apiKey), 401))).toBe('unauthorized');
    await api.clock.advance(15 * DAY_MS + 60_000);
    const expired = ROUTES[route]?.(client, id, workflow._id);
    expect(expired && (await codeOf(expired, 401))).toBe('unauthorized');
    const renewed = new InboxClient(api.url, await openSession(api, session, subscriber.subscriberId));
    expect(await view(renewed)).toEqual(before);
  });

  it('should not open management routes to a subscriber', async () => {
    const session = await api.session();
    const { client, path } = await subscriberIn(session);
    const call = request(api.url).get(`${path}/notifications/feed`).set('Authorization', `Bearer ${client.token}`);
    expect(await codeOf(call, 401)).toBe('unauthorized');
  });
});
