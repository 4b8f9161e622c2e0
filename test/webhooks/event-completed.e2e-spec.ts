import { EventEnds } from '../../src/engine/events/index.js';
import { EventEndTeller, WebhookWorker } from '../../src/outcomes/webhooks/index.js';
import { createWorkflow, delay, digest, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { RecordingServer } from '../support/recording-server.js';
import { createReceiver, isAuthentic, type Receiver } from '../support/webhook-receiver.js';
import { useSession } from '../support/test-api.js';
import { dataOf, type Json } from '../support/answers.js';

const RETRY_MS = 1_000;

interface EndedBody {
  readonly type: string;
  readonly data: { readonly event: Json };
}

describe('event.completed', () => {
  const delivery = useDeliveryApi('event_completed', {
    DELIVERY_WORKER: 'off',
    ALLOW_PRIVATE_URLS: '1',
    DELIVERY_RETRY_BASE_MS: String(RETRY_MS),
    DELIVERY_RETRY_MAX_MS: String(RETRY_MS),
  });
  const session = useSession(delivery.api);
  const receivers: Receiver[] = [];
  afterEach(() => Promise.all(receivers.splice(0).map(({ server }) => server.close())));

  const receiver = async (...events: string[]): Promise<Receiver> => {
    const made = await createReceiver(session, events);
    receivers.push(made);
    return made;
  };
  const marked = (): Promise<Record<string, unknown>[]> =>
    delivery.rows('triggerEvents', { lookForEndAt: { $exists: true } });
  /** Lets so much time pass, and tells what has ended. */
  const pass = async (ms = 0): Promise<void> => {
    await delivery.drain(ms);
    delivery.clock.advance(ms);
    await delivery.api.app.get(EventEndTeller).tellAll();
    await delivery.api.app.get(WebhookWorker).drain();
  };
  const told = ({ server }: Receiver): EndedBody[] =>
    server.requests.map(({ body }) => JSON.parse(body.toString()) as EndedBody);

  it('should be told once when everything is done, with what GET shows', async () => {
    const hook = await receiver('event.completed');
    const { identifier } = await createWorkflow(session, [
      inApp('Hello'),
      delay({ amount: 1, unit: 'hours' }),
      inApp('Again'),
    ]);
    const id = await trigger(session, { name: identifier, to: ['ann', 'bob'] });
    await pass();
    expect(told(hook)).toEqual([]);
    await pass(3_600_000);
    await pass(60_000);
    const shown = await dataOf<Json>(session.get(`/v1/events/trigger/${id}`), 200);
    expect(shown).toMatchObject({ ended: true, outcomes: { completed: 2 } });
    expect(told(hook)).toMatchObject([{ type: 'event.completed', data: { event: shown } }]);
    const [request] = hook.server.requests;
    if (request === undefined) throw new Error('Nothing was told.');
    expect(await isAuthentic(request, hook.webhook.secret)).toBe(true);
    expect(await hook.deliveries()).toMatchObject([{ type: 'event.completed', status: 'delivered' }]);
    expect(await marked()).toEqual([]);
  });

  it('should be told of what was canceled, without a wait for the end of the delay', async () => {
    const hook = await receiver('event.completed');
    const { identifier } = await createWorkflow(session, [delay({ amount: 3, unit: 'days' }), inApp('Hello')]);
    const id = await trigger(session, { name: identifier, to: 'ann' });
    await pass();
    expect(await dataOf(session.delete(`/v1/events/trigger/${id}`), 200)).toBe(true);
    await pass(1_000);
    expect(told(hook)).toMatchObject([
      { data: { event: { transactionId: id, state: 'canceled', outcomes: { canceled: 1 } } } },
    ]);
  });

  it('should be told a second after the end, however long a provider takes and however often it is tried', async () => {
    const hook = await receiver('event.completed');
    const slow = new RecordingServer();
    await slow.listen();
    try {
      const request = { template: { type: 'http_request', method: 'POST', url: slow.url } };
      const { identifier } = await createWorkflow(session, [request, inApp('Hello')]);
      slow.answerWith({ status: 503 }, { status: 503 }, { status: 200 });
      await trigger(session, { name: identifier, to: 'ann' });
      await pass();
      // Half an hour of looks, the last of which come once a minute.
      for (let minute = 0; minute < 30; minute += 1) {
        delivery.clock.advance(60_000);
        await delivery.api.app.get(EventEndTeller).tellAll();
      }
      expect(told(hook)).toEqual([]);
      await delivery.drain();
      delivery.clock.advance(RETRY_MS);
      await delivery.api.app.get(EventEndTeller).tellAll();
      await delivery.drain();
      delivery.clock.advance(1_000);
      await delivery.api.app.get(EventEndTeller).tellAll();
      await delivery.api.app.get(WebhookWorker).drain();
      expect(slow.requests).toHaveLength(3);
      expect(told(hook)).toHaveLength(1);
    } finally {
      slow.close();
    }
  });

  it('should be told a second after the end of an event whose last notification goes into the digest of another', async () => {
    const hook = await receiver('event.completed');
    const { identifier } = await createWorkflow(session, [delay({ amount: 30 }), digest({ amount: 60 }), inApp('All')]);
    const [first, second] = [
      await trigger(session, { name: identifier, to: 'ann' }),
      await trigger(session, { name: identifier, to: 'ann' }),
    ];
    await pass();
    for (let minute = 0; minute < 30; minute += 1) {
      delivery.clock.advance(59_900);
      await delivery.api.app.get(EventEndTeller).tellAll();
    }
    await pass(10_000);
    await pass(1_000);
    const merged = told(hook).map(({ data }) => data.event['transactionId']);
    expect(merged).toHaveLength(1);
    expect([first, second]).toContain(merged[0]);
    await pass(3_600_000);
    await pass(1_000);
    expect(told(hook)).toHaveLength(2);
  });

  it('should be recorded once by two processes, and by one that dies in between', async () => {
    const hook = await receiver('event.completed');
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain();
    const teller = delivery.api.app.get(EventEndTeller);
    const [row] = await marked();
    await Promise.all([teller.tellAll(), teller.tellAll()]);
    // As a process leaves it that has told, and has not noted that it did.
    const events = delivery.api.app.get(EventEnds)['events'].collection;
    await events.updateOne({ transactionId: String(row?.['transactionId']) }, { $set: { lookForEndAt: new Date(0) } });
    await pass();
    expect(told(hook)).toHaveLength(1);
    expect(await marked()).toEqual([]);
  });

  it('should cost an environment nothing that did not ask for it', async () => {
    await receiver('message.sent');
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    await trigger(session, { name: identifier, to: 'ann' });
    expect(await marked()).toEqual([]);
  });
});
