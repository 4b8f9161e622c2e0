import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Schemas } from '@herald/client';
import { createActiveWorkflow } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';

const CALLS = 20;
const OTHERS = 3;
const SETTINGS = {
  API_KEY: TEST_KEY,
  ALLOW_PRIVATE_URLS: '1',
  // Half of the slots are one environment's, and one integration uses four fifths of those.
  DELIVERY_CONCURRENCY: '50',
  DELIVERY_LEASE_MS: '1000',
  DELIVERY_RETRY_BASE_MS: '50',
};

/** Takes requests and answers when the test says so. */
class Receiver {
  readonly requests: { readonly path: string; readonly key: string | undefined }[] = [];
  private open: { readonly path: string; readonly response: ServerResponse }[] = [];
  private answered: string | undefined;
  private readonly server: Server = createServer((request, response) => this.take(request, response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  count(path: string): number {
    return this.requests.filter((request) => request.path.startsWith(path)).length;
  }

  /** Answers what is waiting, and all that comes from now on. */
  answer(path = ''): void {
    this.answered = path;
    for (const one of this.open.filter((other) => other.path.startsWith(path))) one.response.end('{"id":"1"}');
    this.open = this.open.filter((one) => !one.path.startsWith(path));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const key = request.headers['idempotency-key'];
    request.resume().on('end', () => {
      const path = request.url ?? '';
      this.requests.push({ path, key: typeof key === 'string' ? key : undefined });
      if (this.answered === undefined || !path.startsWith(this.answered)) this.open.push({ path, response });
      else response.end('{"id":"1"}');
    });
  }
}

describe('a restart with calls of providers in flight', () => {
  let dataDir: string;
  let herald: StartedHerald;
  let receiver: Receiver;
  let url: string;

  const start = async (settings: Record<string, string> = {}): Promise<void> => {
    herald = await StartedHerald.start(dataDir, {
      ...SETTINGS,
      LOG_LEVEL: 'warn',
      PROVIDER_BASE_URLS: `resend=${url}/mail`,
      ...settings,
    });
  };
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'herald-restart-'));
    receiver = new Receiver();
    url = await receiver.listen();
  });
  afterEach(async () => {
    receiver.close();
    await herald.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  const integrate = async (body: Schemas['CreateIntegrationDto']): Promise<void> => {
    await herald.client.integrations.createIntegration({ body: { active: true, check: false, ...body } });
  };
  const integrateSms = (): Promise<void> =>
    integrate({
      providerId: 'generic-sms',
      channel: 'sms',
      credentials: { baseUrl: `${url}/sms`, apiKeyRequestHeader: 'x-key', apiKey: 'key', idPath: 'id', from: '+1' },
    });
  const triggerAll = async (
    name: string,
    count: number,
    template: Schemas['StepDto']['template'],
    to: object = {},
  ): Promise<void> => {
    await createActiveWorkflow(herald.client, name, [{ template }]);
    const events = Array.from({ length: count }, (_, place) => ({
      name,
      to: { subscriberId: `s${place}`, phone: '+491234', email: `s${place}@example.com`, ...to },
      payload: {},
      transactionId: `${name}-${place}`,
    }));
    await herald.client.events.triggerEvents({ body: { events } });
  };
  const notifications = (): Promise<Schemas['NotificationResponse'][]> =>
    herald.client.notifications.listNotifications({ query: { limit: 100 } });
  const called = (path: string, count: number): Promise<void> =>
    eventually(() => expect(receiver.count(path)).toBe(count));
  const isReady = async (): Promise<boolean> =>
    herald.client.health.checkHealth().then(
      () => true,
      () => false,
    );
  /** It says so before it has told its workers; further answers follow when it has. */
  const isStopping = async (): Promise<void> => {
    await eventually(async () => expect(await isReady()).toBe(false));
    for (let asked = 0; asked < 5; asked += 1) expect(await isReady()).toBe(false);
  };

  it('should wait for them at SIGTERM, begin no other, and send the rest after it', async () => {
    await start();
    await integrateSms();
    await triggerAll('sms', 2 * CALLS, { type: 'sms', content: 'Hello' });
    await called('/sms', CALLS);
    const ended = herald.end('SIGTERM');
    await isStopping();
    receiver.answer();
    expect(await ended).toBe(0);
    expect(receiver.count('/sms')).toBe(CALLS);
    expect(herald.lines().filter(({ msg }) => String(msg).startsWith('delivery failed'))).toEqual([]);
    await start();
    await eventually(async () => {
      expect((await notifications()).map(({ status }) => status)).toEqual(Array(2 * CALLS).fill('completed'));
    });
    expect(receiver.count('/sms')).toBe(2 * CALLS);
  });

  it('should begin no other while a webhook that does not answer is waited for', async () => {
    await start();
    await integrateSms();
    await herald.client.webhooks.createWebhook({ body: { url: `${url}/hook`, events: ['message.sent'] } });
    await triggerAll('feed', 1, { type: 'in_app', content: 'Hello' });
    await called('/hook', 1);
    await triggerAll('sms', 2 * CALLS, { type: 'sms', content: 'Hello' });
    await called('/sms', CALLS);
    const ended = herald.end('SIGTERM');
    await isStopping();
    receiver.answer('/sms');
    await eventually(async () => {
      const statuses = (await notifications()).map(({ status }) => status);
      expect(statuses.filter((status) => status === 'completed')).toHaveLength(CALLS + 1);
    });
    expect(receiver.count('/sms')).toBe(CALLS);
    receiver.answer();
    expect(await ended).toBe(0);
    expect(receiver.count('/sms')).toBe(CALLS);
  });

  it('should report those without an answer as uncertain before it ends, and leave them alone after it', async () => {
    await start({ DELIVERY_TIMEOUT_MS: '1000' });
    await integrateSms();
    await triggerAll('sms', CALLS, { type: 'sms', content: 'Hello' });
    await called('/sms', CALLS);
    expect(await herald.end('SIGTERM')).toBe(0);
    receiver.answer();
    await start({ DELIVERY_WORKER: 'off' });
    for (const { status, jobs } of await notifications()) {
      expect([status, jobs[0]?.reason]).toEqual(['failed', 'uncertain']);
    }
    expect(receiver.count('/sms')).toBe(CALLS);
  });

  it('should repeat none after SIGKILL, unless the provider or the integration allows it, and say so', async () => {
    await start();
    await integrateSms();
    await integrate({
      providerId: 'resend',
      channel: 'email',
      credentials: { apiKey: 're_key', from: 'a@b.example', senderName: 'A' },
    });
    await integrate({ providerId: 'mattermost', channel: 'chat', credentials: {}, retryUncertain: true });
    await triggerAll('sms', CALLS, { type: 'sms', content: 'Hello' });
    await triggerAll('mail', OTHERS, { type: 'email', subject: 'Hi', content: '<p>Hi</p>', contentType: 'customHtml' });
    const channels = [{ providerId: 'mattermost', credentials: { webhookUrl: `${url}/chat` } }];
    await triggerAll('chat', OTHERS, { type: 'chat', content: 'Hello' }, { channels });
    await called('/', CALLS + 2 * OTHERS);
    await herald.end('SIGKILL');
    receiver.answer();
    await start();
    await eventually(async () => {
      const active = (await notifications()).filter(({ status }) => status === 'active');
      expect(active).toEqual([]);
    });
    expect([receiver.count('/sms'), receiver.count('/mail'), receiver.count('/chat')]).toEqual([
      CALLS,
      2 * OTHERS,
      2 * OTHERS,
    ]);
    const keys = receiver.requests.filter(({ path }) => path.startsWith('/mail')).map(({ key }) => key);
    expect(new Set(keys).size).toBe(OTHERS);
    for (const { transactionId, status, jobs } of await notifications()) {
      const uncertain = jobs[0]?.executionDetails.find(({ detail }) => detail.startsWith('The provider may have'));
      expect([transactionId, String(uncertain?.raw)]).toEqual([
        transactionId,
        expect.stringContaining('Herald was interrupted after it had begun the call of the provider'),
      ]);
      const isSms = transactionId.startsWith('sms');
      expect([status, jobs[0]?.reason]).toEqual(isSms ? ['failed', 'uncertain'] : ['completed', undefined]);
    }
  });
});
