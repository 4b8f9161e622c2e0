import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mongo, Types } from 'mongoose';
import type { TestSession } from '../harness/index.js';
import { MessageFailed } from '../../src/engine/delivery/records/delivery.events.js';
import { DeliveryQueues } from '../../src/engine/delivery/queues/delivery-queues.js';
import { CALLING, MARKING } from '../../src/engine/delivery/run/begun-calls.js';
import { RECORDING, SETTLING } from '../../src/engine/delivery/run/outcome-writer.js';
import { MessageStore } from '../../src/engine/messages/store/index.js';
import { dataOf } from '../support/answers.js';
import {
  createWorkflow,
  delay,
  digest,
  feedOf,
  inApp,
  messagesOf,
  notificationOf,
  type SentStep,
  trigger,
} from '../support/delivery.js';
import { type DeliveryApi, startDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { Holders } from '../support/holders.js';
import { recordEvents } from '../support/recorded-events.js';

const LEASE_MS = 10_000;
const MINUTES_MS = 300_000;
const MAX_CLAIMS = 3;
const DOUBT = 'The provider may have accepted the message';
const SMS: SentStep = { template: { type: 'sms', content: 'call' } };

const POINTS = {
  'before the call': CALLING,
  'after the call': RECORDING,
  'after its message is stored': SETTLING,
} as const;

/** A worker dies around the call of a provider, and no worker is left: the cancellation ends what it held. */
describe('a cancellation of messages whose calls were interrupted', () => {
  let delivery: DeliveryApi;
  let session: TestSession;
  let holders: Holders;
  let queues: DeliveryQueues;
  let server: Server;
  let failed: MessageFailed[];
  let calls = 0;

  beforeAll(async () => {
    delivery = await startDeliveryApi('canceled_calls', {
      DELIVERY_WORKER: 'off',
      DELIVERY_MAX_CLAIMS: String(MAX_CLAIMS),
      LOG_LEVEL: 'silent',
    });
    session = await delivery.api.session();
    holders = new Holders(delivery.api);
    queues = delivery.api.app.get(DeliveryQueues, { strict: false });
    failed = recordEvents(delivery.api, MessageFailed);
    server = createServer((request, response) => {
      request.resume();
      calls += 1;
      response.end('{"id":"1"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const credentials = {
      baseUrl: `http://127.0.0.1:${port}/`,
      apiKeyRequestHeader: 'x-key',
      apiKey: 'key',
      idPath: 'id',
      from: '+1',
    };
    await session
      .post('/v1/integrations', { providerId: 'generic-sms', channel: 'sms', active: true, credentials })
      .expect(201);
  });
  beforeEach(() => {
    failed.length = 0;
    calls = 0;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await delivery.api.close();
  });

  const waiting = async (steps: SentStep[]): Promise<string> => {
    const { identifier } = await createWorkflow(session, [delay(), ...steps]);
    const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', phone: '+491234' } });
    await delivery.drain();
    delivery.clock.advance(MINUTES_MS);
    return id;
  };
  /** A worker goes as far as the point, and dies there. */
  const dieAt = async (
    point: keyof typeof POINTS,
    atThatMoment: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> => {
    const die = async (): Promise<never> => {
      await atThatMoment();
      throw new mongo.MongoError('dead');
    };
    const go = await holders.claim();
    if (point === 'before the call') CALLING.armOnce(die);
    else
      CALLING.armOnce(() => {
        POINTS[point].armOnce(die);
        return Promise.resolve();
      });
    await go();
    await eventually(() => expect(queues.inFlight.size).toBe(0));
  };
  const cancel = async (id: string): Promise<unknown> =>
    dataOf<unknown>(session.delete(`/v1/events/trigger/${id}`), 200);
  const isMarked = (transactionId: string): Promise<void> =>
    eventually(async () =>
      expect(await delivery.rows('notifications', { transactionId, cancelRequested: true })).toHaveLength(1),
    );

  /** Both orders: the worker has died before, or dies while the cancellation waits for it. */
  const canceledBeside = async (id: string, point: keyof typeof POINTS, order: string): Promise<unknown> => {
    if (order === 'before') {
      await dieAt(point);
      delivery.clock.advance(LEASE_MS + 1);
      return cancel(id);
    }
    let answer: Promise<unknown> | undefined;
    await dieAt(point, async () => {
      answer = cancel(id);
      await isMarked(id);
    });
    delivery.clock.advance(LEASE_MS + 1);
    return answer;
  };
  const told = async (id: string): Promise<unknown> => {
    const { status, jobs } = await notificationOf(session, id);
    const [, call, ...later] = jobs;
    const messages = await messagesOf(session, id);
    const [event] = await delivery.rows('triggerEvents', { transactionId: id });
    return {
      event: event?.['status'],
      status,
      call: [call?.status, call?.reason],
      isDoubted: call?.executionDetails.some(({ detail }) => detail === DOUBT),
      later: later.map((job) => job.status),
      messages: messages.map((message) => [message.status, message.errorText]),
      failures: failed.map(({ messageId }) => messageId),
      feed: (await feedOf(session, 'ann')).map(({ content }) => content),
    };
  };

  describe.each(['before', 'meanwhile'])('of a worker that died %s', (order) => {
    describe.each(['before the call', 'after the call'] as const)('%s', (point) => {
      it.each([
        ['not call it canceled where it was all that was left', [], false, 'expanded', 'failed'],
        ['cancel only what follows', [inApp('next')], true, 'canceled', 'canceled'],
      ])('should %s', async (_what, next, isCanceled, event, status) => {
        const id = await waiting([SMS, ...next]);
        expect(await canceledBeside(id, point, order)).toBe(isCanceled);
        expect(calls).toBe(point === 'before the call' ? 0 : 1);
        const [message] = await messagesOf(session, id);
        expect(await told(id)).toEqual({
          event,
          status,
          call: ['failed', 'uncertain'],
          isDoubted: true,
          later: next.map(() => 'canceled'),
          messages: [['error', expect.stringContaining('It is not sent again unless it is replayed') as string]],
          failures: [message?._id],
          feed: [],
        });
      });
    });

    it('should not call it canceled after its message was stored', async () => {
      const id = await waiting([SMS]);
      expect(await canceledBeside(id, 'after its message is stored', order)).toBe(false);
      expect(await told(id)).toMatchObject({
        event: 'expanded',
        status: 'completed',
        call: ['completed', undefined],
        failures: [],
      });
      expect((await messagesOf(session, id)).map(({ status }) => status)).toEqual(['sent']);
    });
  });

  describe('of a step that is carried out by the interface of plugins', () => {
    const started = async (): Promise<{ id: string; starts: () => Promise<unknown[]> }> => {
      const other = await createWorkflow(session, [inApp('started')]);
      const id = await waiting([{ template: { type: 'trigger_workflow', workflow: other.identifier } }]);
      return { id, starts: () => delivery.rows('triggerEvents', { _templateId: new Types.ObjectId(other._id) }) };
    };

    it('should hold for a worker that stands still before the step, past the end of its lease', async () => {
      const { id, starts } = await started();
      let wake: () => void = () => undefined;
      const stands = new Promise<void>((reached) => {
        MARKING.armOnce(async () => {
          reached();
          await new Promise<void>((resolve) => (wake = resolve));
        });
      });
      const late = (await holders.claim())();
      await stands;
      delivery.clock.advance(LEASE_MS + 1);
      expect(await cancel(id)).toBe(true);
      wake();
      await late.catch(() => undefined);
      expect(await starts()).toEqual([]);
    });

    it('should not be asked again whether it runs after a worker died over it', async () => {
      const other = await createWorkflow(session, [inApp('started')]);
      const filters = [{ children: [{ on: 'subscriber', field: 'firstName', operator: 'EQUAL', value: 'Ann' }] }];
      await session.post('/v1/subscribers', { subscriberId: 'ann', firstName: 'Ann' }).expect(201);
      const id = await waiting([{ filters, template: { type: 'trigger_workflow', workflow: other.identifier } }]);
      await dieAt('before the call');
      await session.put('/v1/subscribers/ann', { firstName: 'Anna' }).expect(200);
      delivery.clock.advance(LEASE_MS + 1);
      await delivery.drain();
      expect((await notificationOf(session, id)).jobs[1]?.status).toBe('completed');
      expect(await delivery.rows('triggerEvents', { _templateId: new Types.ObjectId(other._id) })).toHaveLength(1);
    });

    it('should say that a step may have been carried out over which a worker died', async () => {
      const { id } = await started();
      expect(await canceledBeside(id, 'before the call', 'before')).toBe(false);
      expect(await told(id)).toMatchObject({ status: 'failed', call: ['failed', 'uncertain'] });
    });
  });

  it('should leave an in-app message that a worker stored before it died as delivered', async () => {
    const id = await waiting([inApp('stored')]);
    const go = await holders.claim();
    SETTLING.armOnce(() => Promise.reject(new mongo.MongoError('dead')));
    await go().catch(() => undefined);
    delivery.clock.advance(LEASE_MS + 1);
    expect(await cancel(id)).toBe(false);
    expect((await notificationOf(session, id)).status).toBe('completed');
  });

  it('should take a withdrawn event out of the digest that a suspended worker stores with it later', async () => {
    const { identifier } = await createWorkflow(session, [digest(), inApp('{{#each step.events}}{{n}},{{/each}}')]);
    const ids: string[] = [];
    for (const n of [0, 1]) {
      ids.push(await trigger(session, { name: identifier, to: 'ben', payload: { n } }));
      await delivery.drain();
    }
    delivery.clock.advance(MINUTES_MS);
    const go = await holders.claim();
    const messages = delivery.api.app.get(MessageStore, { strict: false });
    const insert = messages.insert.bind(messages);
    let wake: () => void = () => undefined;
    const suspended = new Promise<void>((stands) => {
      jest.spyOn(messages, 'insert').mockImplementationOnce(async (batch) => {
        stands();
        await new Promise<void>((resolve) => (wake = resolve));
        return insert(batch);
      });
    });
    const late = go();
    await suspended;
    delivery.clock.advance(LEASE_MS + 1);
    expect(await cancel(ids[0] ?? '')).toBe(true);
    wake();
    await late;
    await delivery.drain();
    expect((await feedOf(session, 'ben')).map(({ content }) => content)).toEqual(['1,']);
  });

  it('should store and announce the failure of a call over which workers are lost again and again', async () => {
    const id = await waiting([SMS]);
    await dieAt('after the call');
    for (let claim = 0; claim < MAX_CLAIMS; claim += 1) {
      delivery.clock.advance(LEASE_MS + 1);
      await holders.dieWithNotifications();
    }
    await delivery.drain(MINUTES_MS);
    const { status, jobs } = await notificationOf(session, id);
    expect([status, jobs[1]?.status, jobs[1]?.reason]).toEqual(['failed', 'failed', 'worker_lost']);
    expect(jobs[1]?.executionDetails.map(({ detail }) => detail)).toContain(DOUBT);
    const messages = await messagesOf(session, id);
    expect(messages.map((message) => message.status)).toEqual(['error']);
    expect(failed.map(({ messageId }) => messageId)).toEqual(messages.map(({ _id }) => _id));
    expect(calls).toBe(1);
  });
});
