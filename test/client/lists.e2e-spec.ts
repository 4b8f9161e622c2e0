import { Herald, type ListPath } from '@herald/client';
import type { TestSession } from '../harness/index.js';
import { createInbox } from '../factories/message.factory.js';
import { openSession } from '../support/browser-session.js';
import { useDelivery } from '../support/herald.js';

const delivery = useDelivery();
let session: TestSession;
let herald: Herald;
beforeEach(async () => {
  session = await delivery.session();
  herald = new Herald({ baseUrl: delivery.url, apiKey: session.apiKey });
});

const create = (count: number, prefix: string): Promise<unknown> =>
  herald.subscribers.bulkCreateSubscribers({
    body: { subscribers: Array.from({ length: count }, (_none, index) => ({ subscriberId: `${prefix}-${index}` })) },
  });

describe('iterators of the client', () => {
  it('should read every row once over several pages, also while rows are added', async () => {
    await create(25, 'first');
    const found: string[] = [];
    for await (const { subscriberId } of herald.list('/v1/subscribers', { query: { limit: 10 } })) {
      found.push(subscriberId);
      if (found.length === 5) await create(12, 'added');
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((id) => id.startsWith('first')).length).toBe(25);
  });

  it('should read the Inbox of a subscriber by cursor', async () => {
    const { subscriber, deliver } = await createInbox(delivery, session);
    const ids = await deliver(...Array.from({ length: 7 }, () => ({})));
    const sessionToken = await openSession(delivery, session, subscriber.subscriberId);
    const inbox = new Herald({ baseUrl: delivery.url, sessionToken });
    const found: string[] = [];
    for await (const { id } of inbox.list('/v1/inbox/notifications', { query: { limit: 3 } })) found.push(id);
    expect(found.sort()).toEqual([...ids].sort());
  });

  it('should read every other list of the API to its end', async () => {
    const paths: ListPath[] = [
      '/v1/workflows',
      '/v1/topics',
      '/v1/notifications',
      '/v1/messages',
      '/v1/tenants',
      '/v1/layouts',
      '/v1/webhooks',
      '/v1/workflow-overrides',
      '/v1/notifications/replays',
    ];
    for (const path of paths) {
      const list = herald.list(path as '/v1/topics');
      expect({ path, end: (await list.next()).done }).toEqual({ path, end: true });
    }
  });

  it('should stop where the caller stops', async () => {
    await create(5, 'some');
    for await (const { subscriberId } of herald.list('/v1/subscribers', { query: { limit: 2 } })) {
      expect(subscriberId).toMatch(/^some/);
      break;
    }
  });
});
