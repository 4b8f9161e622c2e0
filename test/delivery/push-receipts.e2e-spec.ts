import { ErasureWorker } from '../../src/operations/personal-data/index.js';
import { ReceiptWorker } from '../../src/outcomes/provider-callbacks/index.js';
import { dataOf } from '../support/answers.js';
import { createWorkflow, messagesOf, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useProviderSink } from '../support/provider-sink.js';
import { useSession } from '../support/test-api.js';

const MINUTE_MS = 60_000;
const DEAD = { status: 'error', message: 'not registered', details: { error: 'DeviceNotRegistered' } };

/** Expo accepts messages for tokens that it later reports as dead. */
describe('receipts of push messages', () => {
  const sink = useProviderSink();
  const delivery = useDeliveryApi('push-receipts', () => ({ PROVIDER_BASE_URLS: `expo=${sink.url}` }));
  const session = useSession(delivery.api);
  /** By the number of the token; a number that is not here has no receipt yet. */
  let receipts: Record<number, object> = {};

  beforeEach(() => {
    receipts = {};
    sink.answer = (_path, body, response) => {
      const sent = JSON.parse(body) as { ids: string[] } | { to: string }[];
      const data = Array.isArray(sent)
        ? sent.map(({ to }) => ({ status: 'ok', id: `ticket-${numberOf(to)}` }))
        : Object.fromEntries(
            sent.ids.flatMap((id) => {
              const receipt = receipts[numberOf(id)];
              return receipt === undefined ? [] : [[id, receipt]];
            }),
          );
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    };
  });

  const numberOf = (text: string): number => Number(/\d+/.exec(text)?.[0]);
  const asked = (): string[] => sink.requests.flatMap(({ path }) => (path.endsWith('getReceipts') ? path : []));
  const send = async (count: number): Promise<string> => {
    const integration = {
      providerId: 'expo',
      channel: 'push',
      active: true,
      check: false,
      credentials: { apiKey: 'key' },
    };
    await session.post('/v1/integrations', integration).expect(201);
    await session.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201);
    const deviceTokens = Array.from({ length: count }, (_one, place) => `ExponentPushToken[${place}]`);
    const credentials = { providerId: 'expo', credentials: { deviceTokens } };
    await session.put('/v1/subscribers/ann/credentials', credentials).expect(200);
    const { identifier } = await createWorkflow(session, [
      { template: { type: 'push', title: 'Hi', content: 'Hello' } },
    ]);
    const transactionId = await trigger(session, { name: identifier, to: 'ann', payload: {} });
    await delivery.drain();
    return transactionId;
  };
  const look = async (minutes: number): Promise<void> => {
    delivery.clock.advance(minutes * MINUTE_MS);
    await delivery.api.app.get(ReceiptWorker).drain(delivery.clock.now());
  };
  const tokens = async (): Promise<number[]> => {
    const { channels } = await dataOf<{ channels: { credentials: { deviceTokens: string[] } }[] }>(
      session.get('/v1/subscribers/ann'),
      200,
    );
    return channels.flatMap(({ credentials }) => credentials.deviceTokens.map(numberOf));
  };

  it('should remove the tokens that a receipt calls dead, each with a message of its own', async () => {
    const transactionId = await send(6);
    expect(sink.requests).toHaveLength(6);
    for (let place = 0; place < 6; place += 1) receipts[place] = place % 2 === 0 ? DEAD : { status: 'ok' };
    await look(10);
    expect(asked()).toHaveLength(0);
    await look(10);
    expect(await tokens()).toEqual([1, 3, 5]);
    const messages = await messagesOf(session, transactionId);
    const ends = messages.map(({ deviceTokens, status }) => [numberOf(deviceTokens?.[0] ?? ''), status]);
    expect(Object.fromEntries(ends)).toEqual({ 0: 'error', 1: 'sent', 2: 'error', 3: 'sent', 4: 'error', 5: 'sent' });
    await look(24 * 60);
    expect(asked()).toHaveLength(6);
    expect(await delivery.rows('pushReceipts')).toEqual([]);
  });

  it('should mark a message as failed that reached no token, and say why in the trail', async () => {
    const transactionId = await send(2);
    receipts = { 0: DEAD, 1: { status: 'error', message: 'too big', details: { error: 'MessageTooBig' } } };
    await look(16);
    expect(await tokens()).toEqual([1]);
    expect(await messagesOf(session, transactionId)).toMatchObject([{ status: 'error' }, { status: 'error' }]);
    const { jobs } = await notificationOf(session, transactionId);
    const details = jobs.flatMap(({ executionDetails }) => executionDetails);
    const reported = details.filter(
      ({ detail }) => detail === 'The provider reports tokens that it could not deliver to',
    );
    const failed = { status: 'Failed', providerId: 'expo' };
    expect(reported).toMatchObject([failed, failed]);
    expect(reported.map(({ raw }) => String(raw)).join()).toContain('MessageTooBig: too big');
  });

  it('should look again for receipts that are not there yet, and when Expo cannot be asked', async () => {
    await send(2);
    const answer = sink.answer;
    sink.answer = (_path, _body, response) => void response.writeHead(503).end();
    await look(16);
    expect(await tokens()).toEqual([0, 1]);
    sink.answer = answer;
    receipts = { 0: DEAD };
    await look(60);
    expect(await tokens()).toEqual([1]);
    receipts = { 1: DEAD };
    await look(6 * 60);
    expect(await tokens()).toEqual([]);
    expect(asked()).toHaveLength(5);
  });

  it('should keep nothing of a person who is deleted', async () => {
    await send(1);
    expect(await delivery.rows('pushReceipts')).toHaveLength(1);
    await session.delete('/v1/subscribers/ann').expect(200);
    const later = new Date(delivery.clock.now().getTime() + 2 * MINUTE_MS);
    await delivery.api.app.get(ErasureWorker).drain(later);
    expect(await delivery.rows('pushReceipts')).toEqual([]);
  });

  it('should keep nothing of a person who is deleted while Expo is asked', async () => {
    await send(1);
    const before = (await delivery.rows('executionDetails')).length;
    const { answer } = sink;
    sink.answer = (path, body, response) => {
      const later = new Date(delivery.clock.now().getTime() + 2 * MINUTE_MS);
      void session
        .delete('/v1/subscribers/ann')
        .expect(200)
        .then(() => delivery.api.app.get(ErasureWorker).drain(later))
        .then(() => answer(path, body, response));
    };
    receipts = { 0: DEAD };
    await look(16);
    expect(asked()).toHaveLength(1);
    expect(await delivery.rows('pushReceipts')).toEqual([]);
    expect(await delivery.rows('executionDetails')).toHaveLength(before);
  });
});
