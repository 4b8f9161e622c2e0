import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestSession } from '#libs/testing';
import { createWorkflow, type DeliveryApi, notificationOf, startDeliveryApi, trigger } from './support/delivery.js';

describe('chat and push delivery', () => {
  let delivery: DeliveryApi;
  let session: TestSession;
  let server: Server;
  let received: { path: string; body: Record<string, unknown> }[] = [];
  let statusOf: (path: string) => number = () => 200;
  const url = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  beforeAll(async () => {
    delivery = await startDeliveryApi('chat_push', { DELIVERY_MAX_ATTEMPTS: '2' });
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const status = statusOf(request.url ?? '');
        if (status === 200) {
          const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
          received.push({ path: request.url ?? '', body });
        }
        response.writeHead(status, { 'content-type': 'application/json' }).end('{"id":"1"}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(async () => {
    session = await delivery.api.session();
    received = [];
    statusOf = () => 200;
  });
  afterAll(async () => {
    await delivery.api.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const integrate = async (providerId: string, channel: string, credentials: object = {}): Promise<void> => {
    await session
      .post('/v1/integrations', { providerId, channel, active: true, check: false, credentials })
      .expect(201);
  };
  const chat = { template: { type: 'chat', content: 'Hello {{subscriber.firstName}} & {{other}}' } };

  it('should reach each chat entry once, and try again only the one that failed', async () => {
    await integrate('mattermost', 'chat');
    await integrate('discord', 'chat');
    const { identifier } = await createWorkflow(session, [chat]);
    let refusals = 1;
    statusOf = (path) => (path.startsWith('/discord') && refusals-- > 0 ? 503 : 200);
    const channels = ['mattermost', 'discord'].map((providerId) => ({
      providerId,
      credentials: { webhookUrl: url(`/${providerId}`) },
    }));
    const id = await trigger(session, {
      name: identifier,
      to: { subscriberId: 'ann', firstName: 'Ann', channels },
      payload: { other: 'Bob' },
    });
    await delivery.drain(120_000);
    expect(received.map(({ path }) => path.split('?')[0]).sort()).toEqual(['/discord', '/mattermost']);
    expect(received.find(({ path }) => path === '/mattermost')?.body).toMatchObject({ text: 'Hello Ann & Bob' });
    expect(await notificationOf(session, id)).toMatchObject({ status: 'completed', jobs: [{ status: 'completed' }] });
    const messages = await session.get(`/v1/messages?transactionId=${id}`).expect(200);
    expect((messages.body as { data: unknown[] }).data).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
  });

  it('should say so when no chat entry could be reached', async () => {
    await integrate('mattermost', 'chat');
    const { identifier } = await createWorkflow(session, [chat]);
    statusOf = () => 503;
    const nowhere = await trigger(session, { name: identifier, to: 'bob' });
    const failing = await trigger(session, {
      name: identifier,
      to: {
        subscriberId: 'ann',
        channels: [{ providerId: 'mattermost', credentials: { webhookUrl: url('/mattermost') } }],
      },
    });
    await delivery.drain(120_000);
    expect(await notificationOf(session, nowhere)).toMatchObject({
      jobs: [{ status: 'failed', reason: 'no_channel' }],
    });
    const { jobs } = await notificationOf(session, failing);
    expect(jobs).toMatchObject([{ status: 'failed', reason: 'provider', deadLetter: true }]);
    expect(jobs[0]?.executionDetails.at(-1)?.detail).toBe('All chat channels failed to send the message');
  });

  it('should refuse a described channel without an integration in the request', async () => {
    const { identifier } = await createWorkflow(session, [chat]);
    const { body } = await session
      .post('/v1/events/trigger', {
        name: identifier,
        to: { subscriberId: 'ann', channels: [{ providerId: 'discord', credentials: { webhookUrl: url('/x') } }] },
      })
      .expect(400);
    expect((body as { message: string[] }).message[0]).toMatch(/discord/);
  });

  it('should push to the tokens of a subscriber', async () => {
    await integrate('push-webhook', 'push', { webhookUrl: url('/push'), secretKey: 'a secret of some length' });
    const { identifier } = await createWorkflow(session, [
      { template: { type: 'push', title: 'News', content: 'Hello {{n}}' } },
    ]);
    const id = await trigger(session, {
      name: identifier,
      to: {
        subscriberId: 'ann',
        channels: [{ providerId: 'push-webhook', credentials: { deviceTokens: ['t1', 't2'] } }],
      },
      payload: { n: 1 },
    });
    await delivery.drain();
    expect(received).toMatchObject([
      { path: '/push', body: { target: ['t1', 't2'], title: 'News', content: 'Hello 1' } },
    ]);
    const { jobs } = await notificationOf(session, id);
    expect(jobs[0]?.executionDetails.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining(['Message created: push-webhook', 'Message sent: push-webhook']),
    );
  });

  it('should tell the providers apart whose tokens are missing', async () => {
    await integrate('push-webhook', 'push', { webhookUrl: url('/push'), secretKey: 'a secret of some length' });
    await integrate('expo', 'push', { apiKey: 'key' });
    const providers = ['expo', 'push-webhook'];
    const { identifier } = await createWorkflow(session, [
      { template: { type: 'push', title: 'News', content: 'Hi' } },
    ]);
    const channels = providers.map((providerId) => ({ providerId, credentials: { deviceTokens: [] } }));
    const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', channels } });
    await delivery.drain();
    const { jobs } = await notificationOf(session, id);
    const missing = jobs[0]?.executionDetails.filter(({ detail }) => detail.includes('missing the tokens')) ?? [];
    expect(missing.map(({ providerId }) => providerId).sort()).toEqual(providers);
  });
});
