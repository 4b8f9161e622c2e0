import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const WITHIN_MS = 15_000;

/** What an application's server does: workflows, events, and a look at what Herald has. */
export async function createWorld(herald) {
  const { client } = herald;
  const { identifier } = await client.environments.getCurrentEnvironment();
  const [group] = await client.notificationGroups.listNotificationGroups();
  const feeds = await client.feeds.listFeeds();
  const feed = feeds.find(({ name }) => name === 'news') ?? (await client.feeds.createFeed({ body: { name: 'news' } }));
  const create = async (name, template, more = {}) => {
    const { triggers } = await client.workflows.createWorkflow({
      body: {
        name,
        notificationGroupId: group._id,
        active: true,
        steps: [{ template: { type: 'in_app', ...template } }],
        ...more,
      },
    });
    return triggers[0].identifier;
  };
  const workflows = {
    order: await create(
      'Orders',
      {
        subject: 'Order {{number}}',
        content: 'Your order <b>{{number}}</b> is on its way. <a href="https://example.com/track">Track it</a>',
        cta: { type: 'redirect', data: { url: '/orders/{{number}}' } },
      },
      { tags: ['orders'] },
    ),
    bill: await create(
      'Invoices',
      {
        subject: 'Payment {{number}} failed',
        content: 'Approve the card again, or choose another one.',
        cta: {
          type: 'redirect',
          data: {},
          action: {
            buttons: [
              { type: 'primary', content: 'Approve' },
              { type: 'secondary', content: 'Later' },
            ],
          },
        },
      },
      { tags: ['billing'], severity: 'high' },
    ),
    comment: await create('Comments', {
      subject: 'Comment {{number}} on Plan',
      content: 'What could be better in the second part of the plan, and why it matters.',
      groupKey: 'comments-{{plan}}',
      actor: { type: 'system_icon', data: 'question' },
    }),
    parcel: await create('Parcels', {
      subject: 'Parcel: step {{number}}',
      content: 'The parcel has come one step further.',
      replaces: 'parcel',
      actor: { type: 'system_icon', data: 'up' },
    }),
    news: await create('News', {
      content: 'Number {{number}}: what is new this week, told in a few words.',
      feedId: feed._id,
    }),
  };
  return new World(herald, identifier, workflows);
}

class World {
  constructor(herald, identifier, workflows) {
    Object.assign(this, { herald, identifier, workflows });
  }

  /** A new subscriber, and the attributes with which a page shows the inbox of it. */
  async subscriber(subscriberId) {
    await this.herald.client.subscribers.createSubscriber({
      body: { subscriberId, email: `${subscriberId}@example.com` },
    });
    const hash = createHmac('sha256', this.herald.apiKey).update(subscriberId).digest('hex');
    return new Person(this, subscriberId, {
      'backend-url': this.herald.url,
      'application-identifier': this.identifier,
      'subscriber-id': subscriberId,
      'subscriber-hash': hash,
    });
  }
}

class Person {
  constructor(world, id, attributes) {
    Object.assign(this, { world, id, attributes, client: world.herald.client, path: { subscriberId: id } });
  }

  /** The address of a page that shows the inbox. */
  address(site, more = {}, page = '') {
    return `${site.url}/${page}?${new URLSearchParams({ ...this.attributes, ...more })}`;
  }

  /** Triggers and waits until the message is stored. */
  async receive(kind, number, more = {}) {
    const name = this.world.workflows[kind];
    const { transactionId } = await this.client.events.triggerEvent({
      body: { name, to: this.id, payload: { number, ...more } },
    });
    await this.client.events.waitFor(transactionId);
  }

  /** Many at once, after `first - 1` others. Waits as long as more are stored. */
  async receiveMany(kind, count, first = 1) {
    const name = this.world.workflows[kind];
    for (let at = 0; at < count; at += 100) {
      const events = Array.from({ length: Math.min(100, count - at) }, (_, place) => ({
        name,
        to: this.id,
        payload: { number: first + at + place },
      }));
      await this.call('POST', '/v1/events/trigger/bulk', { events });
    }
    for (let stored = 0; stored < first - 1 + count;) {
      const before = stored;
      await until(async () => (stored = await this.total()) > before);
    }
  }

  async total() {
    return (await this.call('GET', `/v1/subscribers/${this.id}/notifications/feed?limit=1`)).totalCount;
  }

  async call(method, path, body) {
    const { url, apiKey } = this.world.herald;
    const headers = { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    return response.json();
  }

  feed() {
    return this.client.messagesOfASubscriber.getFeed({ path: this.path, query: { limit: 100 } });
  }

  /** The message with a word in its subject or content. */
  async message(word) {
    return (await this.feed()).find(({ content, subject }) => `${subject} ${content}`.includes(word));
  }
}

export async function until(isSo) {
  const end = Date.now() + WITHIN_MS;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `not within ${WITHIN_MS} ms: ${isSo}`);
    await sleep(50);
  }
}
