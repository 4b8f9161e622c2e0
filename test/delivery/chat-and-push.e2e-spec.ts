import { createWorkflow, messagesOf, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';
import { dataOf } from '../support/answers.js';

describe('chat and push delivery', () => {
  const delivery = useDeliveryApi('chat_push', { DELIVERY_MAX_ATTEMPTS: '2' });
  const session = useSession(delivery.api);
  const sink = useProviderSink();
  let statusOf: (path: string) => number;
  /** What was taken, by path. */
  let received: { path: string; body: Record<string, unknown> }[];
  const url = (path: string): string => sink.url + path;

  beforeEach(() => {
    received = [];
    statusOf = () => 200;
    sink.answer = (path, body, response) => {
      const status = statusOf(path);
      if (status === 200) received.push({ path, body: JSON.parse(body) as Record<string, unknown> });
      json(status, { id: '1' })(path, body, response);
    };
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
    const channels = (['mattermost', 'discord'] as const).map((providerId) => ({
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
    expect(await messagesOf(session, id)).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
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
      status: 'completed',
      jobs: [{ status: 'skipped', reason: 'no_channel' }],
    });
    const { jobs } = await notificationOf(session, failing);
    expect(jobs).toMatchObject([{ status: 'failed', reason: 'provider', deadLetter: true }]);
    expect(jobs[0]?.executionDetails.at(-1)?.detail).toBe('All chat channels failed to send the message');
  });

  it('should say of each entry what kept it from being reached, and tell webhooks', async () => {
    await integrate('mattermost', 'chat');
    await integrate('whatsapp-business', 'chat', { apiToken: 'token', phoneNumberIdentification: '1' });
    const webhook = await dataOf<{ _id: string }>(
      session.post('/v1/webhooks', { url: url('/told'), events: ['message.failed'] }),
      201,
    );
    const { identifier } = await createWorkflow(session, [chat]);
    const id = await trigger(session, {
      name: identifier,
      to: { subscriberId: 'ann', channels: [{ providerId: 'mattermost', credentials: { channel: 'town-square' } }] },
    });
    await delivery.drain();
    const messages = await messagesOf(session, id);
    expect(messages.map(({ errorId, status }) => [errorId, status]).sort()).toEqual([
      ['no_subscriber_chat_channel_id', 'warning'],
      ['no_subscriber_chat_phone_number', 'warning'],
    ]);
    const { jobs } = await notificationOf(session, id);
    expect(jobs[0]?.executionDetails.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([
        'Webhook URL for the chat channel is missing',
        'Subscriber is missing a phone number',
        'All chat channels failed to send the message',
      ]),
    );
    const path = `/v1/webhooks/${webhook._id}/deliveries`;
    const deliveries = await dataOf<{ type: string }[]>(session.get(path), 200);
    expect(deliveries.map(({ type }) => type)).toEqual(['message.failed', 'message.failed']);
  });

  it('should tell two integrations of one provider apart', async () => {
    const entries = ['one', 'two'].map((identifier) => ({
      providerId: 'mattermost' as const,
      integrationIdentifier: identifier,
      credentials: { webhookUrl: url(`/${identifier}`), channel: identifier },
    }));
    for (const identifier of ['one', 'two']) {
      const body = {
        providerId: 'mattermost',
        channel: 'chat',
        active: true,
        check: false,
        credentials: {},
        identifier,
      };
      await session.post('/v1/integrations', body).expect(201);
    }
    const { identifier } = await createWorkflow(session, [chat]);
    statusOf = (path) => (path === '/two' ? 400 : 200);
    const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', channels: entries } });
    await delivery.drain(120_000);
    expect(received).toMatchObject([{ path: '/one', body: { channel: 'one' } }]);
    expect((await messagesOf(session, id)).map(({ status }) => status).sort()).toEqual(['error', 'sent']);
    expect(await notificationOf(session, id)).toMatchObject({ status: 'completed' });
  });

  it('should not hand on to a provider what is own to Herald among the overrides', async () => {
    await integrate('discord', 'chat');
    const { identifier } = await createWorkflow(session, [chat]);
    await trigger(session, {
      name: identifier,
      to: { subscriberId: 'ann', channels: [{ providerId: 'discord', credentials: { webhookUrl: url('/discord') } }] },
      overrides: { chat: { content: 'Instead', username: 'Bot' }, discord: { tts: true } },
    });
    await delivery.drain();
    expect(received.map(({ body }) => body)).toEqual([{ content: 'Instead', username: 'Bot', tts: true }]);
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
    const providers = ['expo', 'push-webhook'] as const;
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
