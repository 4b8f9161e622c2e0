import { createWorkflow, messagesOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';
import { codeOf, dataOf } from '../support/answers.js';

const SECRET = 'secret-of-the-webhook';
const HOUR_MS = 3_600_000;

describe('links that connect a chat', () => {
  const sink = useProviderSink();
  const delivery = useDeliveryApi('chat_links', () => ({ PROVIDER_BASE_URLS: `telegram=${sink.url}` }));
  const session = useSession(delivery.api);

  beforeEach(async () => {
    sink.answer = (...args) =>
      json(200, { ok: true, result: { username: 'shop_bot', message_id: 1, chat: { id: 42 } } })(...args);
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
  });

  const integrate = async (callbackSecret?: string): Promise<string> => {
    const credentials = { apiToken: '123:abc', ...(callbackSecret !== undefined && { callbackSecret }) };
    const body = { providerId: 'telegram', channel: 'chat', active: true, check: false, credentials };
    return (await dataOf<{ _id: string }>(session.post('/v1/integrations', body), 201))._id;
  };
  const linkTo = (subscriberId: string) =>
    session.post(`/v1/subscribers/${subscriberId}/chat-links`, { providerId: 'telegram', integrationIdentifier: null });
  const tokenOf = async (subscriberId: string): Promise<string> => {
    const { url } = await dataOf<{ url: string }>(linkTo(subscriberId), 201);
    return new URL(url).searchParams.get('start') ?? '';
  };
  /** As Telegram tells what a person has written to the bot. */
  const tell = (integrationId: string, text: string, chat = 42, secret = SECRET) =>
    session
      .post(`/v1/provider-callbacks/${integrationId}`, {
        update_id: 1,
        message: { message_id: 1, text, chat: { id: chat } },
      })
      .set('X-Telegram-Bot-Api-Secret-Token', secret);
  const channelsOf = async (subscriberId: string): Promise<unknown[]> => {
    const found = await dataOf<{ channels: { credentials: unknown }[] }>(
      session.get(`/v1/subscribers/${subscriberId}`),
      200,
    );
    return found.channels.map(({ credentials }) => credentials);
  };

  it('should reach whoever has opened the link', async () => {
    const integrationId = await integrate(SECRET);
    const link = await dataOf<{ url: string; expiresAt: string }>(linkTo('ada'), 201);
    expect(link.url).toMatch(/^https:\/\/t\.me\/shop_bot\?start=[\w-]{43}$/);
    expect(new Date(link.expiresAt).getTime()).toBe(delivery.clock.now().getTime() + HOUR_MS);
    const token = new URL(link.url).searchParams.get('start');
    const receipt = { received: 1, matched: 1 };
    expect(await dataOf(tell(integrationId, `/start ${token}`), 200)).toEqual(receipt);
    // Telegram repeats a call that was not answered.
    expect(await dataOf(tell(integrationId, `/start ${token}`), 200)).toEqual(receipt);
    expect(await channelsOf('ada')).toEqual([{ channel: '42' }]);
    sink.requests.splice(0);
    const { identifier } = await createWorkflow(session, [{ template: { type: 'chat', content: 'Hello' } }]);
    const id = await trigger(session, { name: identifier, to: 'ada' });
    await delivery.drain();
    expect(sink.requests.map(({ path, body }) => [path, JSON.parse(body) as unknown])).toEqual([
      ['/bot123:abc/sendMessage', { chat_id: '42', text: 'Hello' }],
    ]);
    expect(await messagesOf(session, id)).toMatchObject([{ status: 'sent', identifier: '42:1' }]);
  });

  it('should connect nobody by a link that is forged, too old or of another integration, or without the secret', async () => {
    const integrationId = await integrate(SECRET);
    const token = await tokenOf('ada');
    const other = await integrate(SECRET);
    const nobody = { received: 1, matched: 0 };
    expect(await dataOf(tell(integrationId, `/start ${'A'.repeat(43)}`), 200)).toEqual(nobody);
    expect(await dataOf(tell(other, `/start ${token}`), 200)).toEqual(nobody);
    await tell(integrationId, `/start ${token}`, 42, 'another').expect(401);
    await delivery.drain(HOUR_MS);
    expect(await dataOf(tell(integrationId, `/start ${token}`), 200)).toEqual(nobody);
    expect(await channelsOf('ada')).toEqual([]);
  });

  it('should ignore what else people write to the bot', async () => {
    const integrationId = await integrate(SECRET);
    for (const text of ['Hello', '/start', '/start two words', '/stop now']) {
      expect(await dataOf(tell(integrationId, text), 200)).toEqual({ received: 0, matched: 0 });
    }
    expect(await channelsOf('ada')).toEqual([]);
  });

  it('should not connect a subscriber who was deleted', async () => {
    const integrationId = await integrate(SECRET);
    const token = await tokenOf('ada');
    await session.delete('/v1/subscribers/ada').expect(200);
    expect(await dataOf(tell(integrationId, `/start ${token}`), 200)).toEqual({ received: 1, matched: 0 });
  });

  it('should say why there is no link', async () => {
    expect(await codeOf(linkTo('ada'), 400)).toBe('no_active_integration');
    expect(await codeOf(linkTo('nobody'), 404)).toBe('subscriber_not_found');
    await integrate();
    expect(await codeOf(linkTo('ada'), 409)).toBe('chat_links_not_received');
    await integrate(SECRET);
    sink.answer = (...args) => json(401, { ok: false, description: 'Unauthorized' })(...args);
    expect(await codeOf(linkTo('ada'), 502)).toBe('chat_link_not_made');
    await session.post('/v1/subscribers/ada/chat-links', { providerId: 'slack' }).expect(400);
  });
});
