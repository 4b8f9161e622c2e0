import request from 'supertest';
import type { TestApi, TestSession } from '../harness/index.js';
import { createInbox, type Inbox, type InboxOptions } from '../factories/message.factory.js';
import { openSession } from './browser-session.js';
import { dataOf, type Json } from './answers.js';

export interface ShownNotification extends Json {
  readonly id: string;
  readonly isRead: boolean;
  readonly isSeen: boolean;
  readonly isArchived: boolean;
  readonly isSnoozed: boolean;
}

/** Calls inbox routes as a client in a browser does. */
export class InboxClient {
  constructor(
    private readonly url: string,
    readonly token: string,
  ) {}

  get(path: string, query: string | object = {}): request.Test {
    return this.send('get', path).query(query);
  }

  /** Without a body, as clients send most changes. */
  patch(path: string, body?: Json): request.Test {
    const call = this.send('patch', path).set('Content-Type', 'application/json');
    return body === undefined ? call : call.send(body);
  }

  post(path: string, body: Json = {}): request.Test {
    return this.send('post', path).send(body);
  }

  delete(path: string): request.Test {
    return this.send('delete', path).send({});
  }

  /** The ids that a list answers with. */
  async ids(query: string | object = {}): Promise<string[]> {
    const listed = await dataOf<ShownNotification[]>(this.get('notifications', query), 200);
    return listed.map(({ id }) => id);
  }

  change(id: string, change: string, body?: Json): Promise<ShownNotification> {
    return dataOf<ShownNotification>(this.patch(`notifications/${id}/${change}`, body), 200);
  }

  async count(...filters: Json[]): Promise<number[]> {
    const call = this.get('notifications/count', { filters: JSON.stringify(filters) });
    return (await dataOf<{ count: number }[]>(call, 200)).map(({ count }) => count);
  }

  private send(method: 'get' | 'patch' | 'post' | 'delete', path: string): request.Test {
    return request(this.url)[method](`/v1/inbox/${path}`).set('Authorization', `Bearer ${this.token}`);
  }
}

/** A subscriber with a workflow, and a client with a session of that subscriber. */
export async function openInbox(
  api: TestApi,
  session: TestSession,
  options: InboxOptions = {},
): Promise<Inbox & { readonly client: InboxClient }> {
  const inbox = await createInbox(api, session, options);
  const token = await openSession(api, session, inbox.subscriber.subscriberId);
  return { ...inbox, client: new InboxClient(api.url, token) };
}
