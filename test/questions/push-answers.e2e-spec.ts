import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import webPush from 'web-push';
import { pushBrowser } from '../../libs/channels/test/push-browser.js';
import { type RecordingServer, startRecordingServer } from '../../libs/channels/test/recording-server.js';
import { WaitingWork } from '../../src/operations/testing/waiting-work.js';
import { dataOf, type Json } from '../support/answers.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { PUBLIC_URL } from '../support/recipient-links.js';
import { useSession } from '../support/test-api.js';

const KEYS = webPush.generateVAPIDKeys();
const WORKER = readFileSync('packages/inbox/src/push-worker.js', 'utf8');

const delivery = useDeliveryApi('question_push', {
  ...{ PUBLIC_URL, DELIVERY_WORKER: 'off', LOG_LEVEL: 'error', ALLOW_PRIVATE_URLS: '1' },
});
const session = useSession(delivery.api);

interface Shown {
  readonly title: string;
  readonly options: Json;
}

/** The service worker of Herald, in the place of a browser that has pressed nothing yet. Its requests go to the Herald of the test. */
class Browser {
  readonly shown: Shown[] = [];
  readonly opened: string[] = [];
  private readonly listeners: Record<string, (event: object) => void> = {};

  constructor() {
    const self = {
      addEventListener: (name: string, listener: (event: object) => void) => void (this.listeners[name] = listener),
      location: { origin: 'https://shop.example' },
      registration: { showNotification: (title: string, options: Json) => void this.shown.push({ title, options }) },
      clients: {
        matchAll: () => Promise.resolve([]),
        openWindow: (url: string) => void this.opened.push(url),
      },
    };
    const request = (url: string, options: RequestInit): Promise<Response> => {
      const headers = { ...(options.headers as Record<string, string>), origin: 'https://shop.example' };
      return fetch(url.replace(PUBLIC_URL, delivery.api.url), { ...options, headers });
    };
    runInContext(WORKER, createContext({ self, fetch: request, URL, URLSearchParams }));
  }

  push(message: unknown): Promise<void> {
    return this.tell('push', { data: { json: () => message } });
  }

  /** @param action empty: the notification itself */
  click({ title, options }: Shown, action = ''): Promise<void> {
    const notification = { title, ...options, close: () => undefined };
    return this.tell('notificationclick', { action, notification });
  }

  private async tell(name: string, event: object): Promise<void> {
    const work: Promise<unknown>[] = [];
    this.listeners[name]?.({ ...event, waitUntil: (one: Promise<unknown>) => void work.push(one) });
    await Promise.all(work);
  }
}

describe('a question in a push message', () => {
  let server: RecordingServer;
  beforeAll(async () => {
    server = await startRecordingServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.requests.splice(0);
    server.answer = () => ({ status: 201, body: '' });
  });

  const settle = (): Promise<void> => delivery.api.app.get(WaitingWork, { strict: false }).runDue();
  const get = (id: string): Promise<Json> => dataOf(session.get(`/v1/questions/${id}`), 200);
  /** Asks people with a browser each. @returns what each browser shows */
  const ask = async (more: Json = {}): Promise<{ id: string; browsers: Browser[]; shown: Shown[] }> => {
    const credentials = {
      applicationId: KEYS.publicKey,
      secretKey: KEYS.privateKey,
      from: 'mailto:ops@herald.example',
    };
    const integration = { providerId: 'web-push', channel: 'push', active: true, check: false, credentials };
    await session.post('/v1/integrations', integration).expect(201);
    const people = ['ada', 'bob'].map((name) => ({ name, browser: pushBrowser(`${server.url}/${name}`) }));
    for (const { name, browser } of people) {
      await session.post('/v1/subscribers', { subscriberId: name, firstName: name }).expect(201);
      const entry = { providerId: 'web-push', credentials: { deviceTokens: [browser.token] } };
      await session.put(`/v1/subscribers/${name}/credentials`, entry).expect(200);
    }
    const asked = { title: 'Deploy?', body: 'x'.repeat(5_000), subscribers: ['ada', 'bob'], ...more };
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/questions', asked), 201);
    await settle();
    const browsers = people.map(() => new Browser());
    for (const [at, { name, browser }] of people.entries()) {
      const sent = server.requests.find(({ path }) => path === `/${name}`);
      await browsers[at]?.push(browser.read(sent?.body ?? Buffer.alloc(0)));
    }
    return { id: _id, browsers, shown: browsers.map(({ shown }) => shown[0] ?? { title: '', options: {} }) };
  };

  it('should be answered by its buttons without a page, and the later answer be told who decided', async () => {
    const { id, browsers, shown } = await ask();
    const [ada, bob] = browsers as [Browser, Browser];
    const [first, second] = shown as [Shown, Shown];
    expect(first).toMatchObject({
      title: 'Question',
      options: {
        body: 'Deploy?',
        actions: [
          { action: 'approve', title: 'Approve' },
          { action: 'refuse', title: 'Refuse' },
        ],
      },
    });
    await Promise.all([ada.click(first, 'approve'), bob.click(second, 'refuse')]);
    const { answers } = (await get(id)) as { answers: Json[] };
    expect(answers).toMatchObject([{ via: 'link', isAuthentic: true }]);
    const decided = answers[0]?.['subscriberId'] === 'ada' ? 'ada decided: Approve' : 'bob decided: Refuse';
    expect([ada.shown[1]?.options['body'], bob.shown[1]?.options['body']].join(' ')).toContain(decided);
    for (const one of browsers) {
      expect(one.opened).toEqual([]);
      expect(one.shown).toHaveLength(2);
      expect(String(one.shown[1]?.options['body'])).toMatch(/decided/);
    }
  });

  it('should open its page where a browser shows no buttons, and where the answer is not taken', async () => {
    const { id, browsers, shown } = await ask();
    const [ada, bob] = browsers as [Browser, Browser];
    const [first, second] = shown as [Shown, Shown];
    await ada.click(first);
    expect(ada.opened).toEqual([expect.stringMatching(`^${PUBLIC_URL}/answer/[\\w-]+$`)]);
    const data = second.options['data'] as Json;
    await bob.click(
      { ...second, options: { ...second.options, data: { ...data, answerUrl: `${PUBLIC_URL}/answer/no` } } },
      'approve',
    );
    expect(bob.opened).toEqual([`${PUBLIC_URL}/answer/no`]);
    expect(await get(id)).toMatchObject({ status: 'open', answers: [] });
  });

  it('should have no buttons for a text', async () => {
    const { shown } = await ask({ kind: 'text' });
    expect(shown[0]?.options).toMatchObject({
      actions: [],
      data: { answers: [], url: expect.stringContaining('/answer/') },
    });
  });
});
