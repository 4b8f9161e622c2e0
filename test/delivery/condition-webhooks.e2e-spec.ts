import { createHmac } from 'node:crypto';
import type { TestSession } from '../harness/index.js';
import {
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
} from '../../libs/channels/test/recording-server.js';
import { dataOf } from '../support/answers.js';
import { createWorkflow, inApp, trigger } from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi, useDeliveryApi } from '../support/delivery-api.js';
import { isAuthentic } from '../support/webhook-receiver.js';

interface Secret {
  secret: string;
  formerSecretUntil?: string;
}

let servers: RecordingServer[];
beforeAll(async () => {
  servers = await Promise.all([startRecordingServer(), startRecordingServer()]);
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

const last = (n: number): RecordedRequest => {
  const { requests } = servers[n] as RecordingServer;
  const request = requests.at(-1);
  if (request === undefined) throw new Error('nothing was asked');
  return request;
};
const readSecret = async (session: TestSession): Promise<Secret> =>
  dataOf(await session.get('/v1/condition-webhooks/secret').expect(200));
const step = (n: number) =>
  inApp('asked', {
    filters: [
      {
        value: 'AND',
        children: [
          { on: 'webhook', webhookUrl: `${servers[n]?.url}/ask`, field: 'allowed', operator: 'EQUAL', value: 'true' },
        ],
      },
    ],
  });
const ask = async (delivery: DeliveryApi, session: TestSession, payload = {}): Promise<void> => {
  const { identifier } = await createWorkflow(session, [step(0), step(1)]);
  await trigger(session, { name: identifier, to: 'ann', payload });
  await delivery.drain();
};

describe('the signature of questions to webhooks of conditions', () => {
  const delivery = useDeliveryApi('condition_webhooks');
  let session: TestSession;
  let other: TestSession;
  beforeEach(async () => {
    [session, other] = await delivery.api.siblings();
  });

  it('should prove body and time with a secret of the environment', async () => {
    await ask(delivery, session, { n: 1 });
    const { secret } = await readSecret(session);
    expect(secret).toMatch(/^whsec_/);
    expect(await isAuthentic(last(0), secret)).toBe(true);
    expect(last(0).headers['webhook-timestamp']).toBe(String(Math.floor(delivery.clock.now().getTime() / 1_000)));
    expect(await isAuthentic({ ...last(0), body: Buffer.from('{"payload":{"n":2}}') }, secret)).toBe(false);
    const headers = { ...last(0).headers, 'webhook-timestamp': '1500000000' };
    expect(await isAuthentic({ ...last(0), headers }, secret)).toBe(false);
  });

  it('should be another one for each receiver, question and environment', async () => {
    await ask(delivery, session);
    const [first, second] = [last(0), last(1)];
    expect(first.body.toString()).toBe(second.body.toString());
    expect(first.headers['webhook-id']).not.toBe(second.headers['webhook-id']);
    expect(first.headers['webhook-signature']).not.toBe(second.headers['webhook-signature']);
    expect((await readSecret(other)).secret).not.toBe((await readSecret(session)).secret);
    expect(await isAuthentic(first, (await readSecret(other)).secret)).toBe(false);
  });

  it('should not carry what is the same for every question', async () => {
    await ask(delivery, session);
    expect(last(0).headers).not.toHaveProperty('nv-hmac-256');
  });

  it('should hold for both secrets for a day after a rotation', async () => {
    const before = await readSecret(session);
    const after = dataOf<Secret>(await session.post('/v1/condition-webhooks/secret/rotate').expect(201));
    expect(after.secret).not.toBe(before.secret);
    expect(after).toEqual(await readSecret(session));
    expect(after).toHaveProperty('formerSecretUntil');
    await ask(delivery, session);
    for (const { secret } of [before, after]) expect(await isAuthentic(last(0), secret)).toBe(true);
    delivery.clock.advance(86_400_001);
    await ask(delivery, session);
    expect(await Promise.all([before, after].map(({ secret }) => isAuthentic(last(0), secret)))).toEqual([false, true]);
  });

  it('should be made of one secret when several callers ask for it at once', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => readSecret(session)));
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(1);
  });
});

describe('LEGACY_HMAC_HEADER', () => {
  it('should add the header of the compatible system', async () => {
    const delivery = await startDeliveryApi('condition_legacy', { LEGACY_HMAC_HEADER: '1' });
    const session = await delivery.api.session();
    await ask(delivery, session);
    const expected = createHmac('sha256', session.apiKey).update(session.environmentId).digest('hex');
    expect(last(0).headers['nv-hmac-256']).toBe(expected);
    expect(await isAuthentic(last(0), (await readSecret(session)).secret)).toBe(true);
    await delivery.api.close();
  });
});
