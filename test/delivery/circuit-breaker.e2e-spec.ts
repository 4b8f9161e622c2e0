import type { TestSession } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import { createReceiver } from '../support/webhook-receiver.js';
import { eventually } from '../support/eventually.js';
import { createWorkflow, messagesOf, notificationOf, trigger } from '../support/delivery.js';
import { startDeliveryApi, storeNamed, useDeliveryApi } from '../support/delivery-api.js';
import { type Answer, json, useProviderSink } from '../support/provider-sink.js';
import { seeded } from '../support/schedules.js';
import { useSession } from '../support/test-api.js';

const TWILIO = { accountSid: 'AC1', token: 'twilio-token', from: '+15550199' };
const OPEN_MS = 30_000;
const UP = json(201, { sid: 'SM1' });
const DOWN = json(503, { message: 'Away' });

interface Shown {
  readonly _id: string;
  readonly outage?: { readonly probes: number; readonly code: string };
}

describe('circuit breakers of integrations', () => {
  const sink = useProviderSink();
  const settings = (): Record<string, string> => ({
    PROVIDER_BASE_URLS: `twilio=${sink.url}`,
    DELIVERY_BREAKER_FAILURES: '3',
    DELIVERY_BREAKER_OPEN_MS: String(OPEN_MS),
    DELIVERY_TIMEOUT_MS: '1500',
  });
  const delivery = useDeliveryApi('breakers', settings);
  const session = useSession(delivery.api);
  let twilio: Answer;

  beforeEach(() => {
    twilio = UP;
    sink.answer = (path, ...rest) =>
      path.includes('Accounts') ? twilio(path, ...rest) : json(200, { id: 'other' })(path, ...rest);
  });

  const integrate = async (owner: TestSession = session): Promise<string> => {
    const body = { providerId: 'twilio', channel: 'sms', active: true, credentials: TWILIO };
    return (await dataOf<Shown>(owner.post('/v1/integrations', body), 201))._id;
  };
  const integrateNext = async (): Promise<void> => {
    const credentials = { baseUrl: sink.url, apiKeyRequestHeader: 'x-key', apiKey: 'key', idPath: 'id', from: '+1' };
    const body = { providerId: 'generic-sms', channel: 'sms', identifier: 'next', active: true, credentials };
    await session.post('/v1/integrations', body).expect(201);
  };
  const outageOf = async (id: string, owner: TestSession = session): Promise<Shown['outage']> =>
    (await dataOf<Shown[]>(owner.get('/v1/integrations'), 200)).find(({ _id }) => _id === id)?.outage;
  let people = 0;
  const triggerMany = async (count: number, owner: TestSession = session): Promise<string[]> => {
    const { identifier: name } = await createWorkflow(owner, [{ template: { type: 'sms', content: 'Hello' } }]);
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      people += 1;
      ids.push(await trigger(owner, { name, to: { subscriberId: `b${people}`, phone: `+1555${1_000 + people}` } }));
    }
    return ids;
  };
  const statuses = async (ids: readonly string[], owner: TestSession = session): Promise<unknown[]> =>
    (await Promise.all(ids.map((id) => messagesOf(owner, id)))).flatMap((all) => all.map(({ status }) => status));
  const all = (count: number, status: string): string[] => Array.from({ length: count }, () => status);
  const callsOfTwilio = (): number => sink.requests.filter(({ path }) => path.includes('Accounts')).length;

  it('should tell webhooks once that the provider is down, and once that it is up', async () => {
    const hook = await createReceiver(session, ['integration.down', 'integration.up']);
    const id = await integrate();
    twilio = DOWN;
    await triggerMany(6);
    await delivery.drain(5_000);
    await eventually(() => expect(hook.bodies()).toHaveLength(1));
    const told = { integrationId: id, providerId: 'twilio', channel: 'sms', code: 'unavailable' };
    expect(hook.bodies()[0]).toMatchObject({ type: 'integration.down', data: told });
    twilio = UP;
    await delivery.drain(400_000);
    await eventually(() => expect(hook.bodies()).toHaveLength(2));
    expect(hook.bodies()[1]).toMatchObject({ type: 'integration.up', data: told });
    await hook.server.close();
  });

  it('should hand messages on while the provider is down, try with one, and go back', async () => {
    const id = await integrate();
    await integrateNext();
    twilio = DOWN;
    const first = await triggerMany(3);
    await delivery.drain();
    expect(callsOfTwilio()).toBe(3);
    expect(await outageOf(id)).toMatchObject({ probes: 0, code: 'unavailable' });
    const [later = ''] = await triggerMany(1);
    await delivery.drain();
    expect(callsOfTwilio()).toBe(3);
    expect((await messagesOf(session, later)).map(({ providerId }) => providerId)).toEqual(['generic-sms']);
    const details = (await notificationOf(session, later)).jobs[0]?.executionDetails ?? [];
    const passed = details.find(({ detail }) => detail === 'Integration was passed over because its provider is down');
    expect(JSON.parse(passed?.raw ?? '{}')).toMatchObject({ instead: 'next', code: 'unavailable' });
    // Those that had found it down go the same way, by their next attempt.
    await delivery.drain(5_000);
    expect(callsOfTwilio()).toBe(3);
    expect(await statuses(first)).toEqual(all(3, 'sent'));
    // One tries, and it is down still.
    delivery.clock.advance(OPEN_MS);
    const probes = await triggerMany(4);
    await delivery.drain();
    expect(callsOfTwilio()).toBe(4);
    await delivery.drain(5_000);
    expect(await statuses(probes)).toEqual(all(4, 'sent'));
    expect(await outageOf(id)).toMatchObject({ probes: 1 });
    twilio = UP;
    delivery.clock.advance(2 * OPEN_MS);
    const back = await triggerMany(1);
    await delivery.drain();
    expect(callsOfTwilio()).toBe(5);
    expect(await outageOf(id)).toBeUndefined();
    expect(await statuses(back)).toEqual(['sent']);
  });

  it('should keep messages waiting without another integration: none fails because of it', async () => {
    const id = await integrate();
    twilio = DOWN;
    const ids = await triggerMany(20);
    await delivery.drain();
    // Ten minutes of an outage, longer than all attempts of a message take.
    await delivery.drain(600_000);
    const waiting = await Promise.all(ids.map((one) => notificationOf(session, one)));
    const held = waiting.filter(({ jobs }) => jobs[0]?.reason === 'provider_down');
    expect(held.length).toBeGreaterThanOrEqual(15);
    expect(held[0]?.jobs[0]).toMatchObject({ status: 'queued', explanation: { title: 'The provider is down' } });
    const trail = held.at(-1)?.jobs[0]?.executionDetails ?? [];
    expect(trail.filter(({ detail }) => detail === 'Message waits for its integration').length).toBeLessThanOrEqual(2);
    const before = sink.requests.length;
    // Twenty messages, each of which would have had six attempts.
    expect(before).toBeLessThan(40);
    twilio = UP;
    await delivery.drain(400_000);
    expect(await outageOf(id)).toBeUndefined();
    expect(sink.requests).toHaveLength(before + 20);
    expect(await statuses(ids)).toEqual(all(20, 'sent'));
  });

  it('should not open because of refusals, nor because of one message that the provider fails at', async () => {
    const id = await integrate();
    twilio = json(400, { code: 21_211, message: 'Not a number' });
    await triggerMany(5);
    await delivery.drain();
    twilio = DOWN;
    await triggerMany(1);
    await delivery.drain(600_000);
    expect(sink.requests).toHaveLength(11);
    expect(await outageOf(id)).toBeUndefined();
  });

  it('should lose nothing with a provider that comes and goes', async () => {
    await integrate();
    const random = seeded(7);
    let accepted: string[] = [];
    let isUp = true;
    twilio = (path, body, response) => {
      if (random() < 0.3) isUp = !isUp;
      if (!isUp) return DOWN(path, body, response);
      accepted = [...accepted, new URLSearchParams(body).get('To') ?? ''];
      return UP(path, body, response);
    };
    const ids = await triggerMany(40);
    for (let minute = 0; minute < 60; minute += 1) await delivery.drain(60_000);
    expect(await statuses(ids)).toEqual(all(40, 'sent'));
    expect(new Set(accepted).size).toBe(40);
    expect(accepted).toHaveLength(40);
  });

  it('should leave a provider alone that does not answer in time', async () => {
    const id = await integrate();
    await integrateNext();
    twilio = () => undefined;
    await triggerMany(3);
    await delivery.drain();
    expect(await outageOf(id)).toMatchObject({ code: 'timeout' });
    const others = await triggerMany(5);
    await delivery.drain();
    expect(callsOfTwilio()).toBe(3);
    expect(await statuses(others)).toEqual(all(5, 'sent'));
  });

  it('should be known to other processes, and be forgotten with other credentials', async () => {
    const store = storeNamed('breakers_shared');
    const one = await startDeliveryApi('breakers_shared', settings(), undefined, store);
    const two = await startDeliveryApi('breakers_shared', settings(), one.clock, store);
    try {
      const owner = await one.api.session();
      const id = await integrate(owner);
      twilio = DOWN;
      await triggerMany(3, owner);
      await one.drain();
      expect(callsOfTwilio()).toBe(3);
      await triggerMany(3, owner);
      await two.drain();
      expect(callsOfTwilio()).toBe(3);
      expect(await outageOf(id, owner)).toBeDefined();
      twilio = UP;
      await owner.put(`/v1/integrations/${id}`, { credentials: { ...TWILIO, token: 'another' } }).expect(200);
      expect(await outageOf(id, owner)).toBeUndefined();
    } finally {
      await Promise.all([one.api.close(), two.api.close()]);
    }
  });
});
