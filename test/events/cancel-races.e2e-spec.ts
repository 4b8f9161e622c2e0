import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, mongo } from 'mongoose';
import { CANCELING } from '../../src/engine/delivery/run/cancellation.js';
import { EXPANDING } from '../../src/engine/delivery/expansion/expander.js';
import { TriggerEventStore } from '../../src/engine/delivery/records/trigger-event.js';
import { RECORDING, SETTLING } from '../../src/engine/delivery/run/outcome-writer.js';
import { RunLoader } from '../../src/engine/delivery/run/run-loader.js';
import { RESUMING } from '../../src/engine/delivery/run/run-engine.js';
import { JOINING } from '../../src/engine/delivery/digest/digest-ledger.js';
import { crashExpansion } from '../support/crashed-runs.js';
import {
  createWorkflow,
  delay,
  digest,
  feedOf,
  inApp,
  notificationOf,
  type SentStep,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { useSession } from '../support/test-api.js';
import { dataOf } from '../support/answers.js';

const LIST = inApp('{{#each step.events}}{{n}},{{/each}}');

describe('a cancellation during delivery', () => {
  const delivery = useDeliveryApi('cancel_races');
  const session = useSession(delivery.api);
  let notifications: mongo.Collection;
  let events: mongo.Collection;

  beforeAll(() => {
    const { db } = delivery.api.app.get<Connection>(getConnectionToken());
    if (db === undefined) throw new Error('not connected');
    notifications = db.collection('notifications');
    events = db.collection('triggerEvents');
  });

  const cancel = async (id: string): Promise<unknown> =>
    dataOf<unknown>(session.delete(`/v1/events/trigger/${id}`), 200);
  /** A cancellation waits for what workers hold. These are the moments at which it has told them. */
  const stopped = (id: string): Promise<void> =>
    eventually(async () => expect(await events.countDocuments({ transactionId: id, status: 'canceled' })).toBe(1));
  const marked = (id: string): Promise<void> =>
    eventually(async () =>
      expect(await notifications.countDocuments({ transactionId: id, cancelRequested: true })).toBe(1),
    );
  const contents = async (): Promise<string[]> => (await feedOf(session, 'ann')).map(({ content }) => content);

  it.each([
    ['long', undefined],
    ['soon', 100],
  ])('should reach runs stored after it by somebody who dies before he sees it, due %s after', async (_when, due) => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('late')]);
    const transactionId = await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain();
    const [run] = await notifications.find({ transactionId }).toArray();
    if (run === undefined) throw new Error('nothing was stored');
    await notifications.deleteOne({ transactionId });
    await crashExpansion(events, transactionId, new Date(delivery.clock.now().getTime() + 10_000));
    const answer = cancel(transactionId);
    await stopped(transactionId);
    await notifications.insertOne(
      due === undefined ? run : { ...run, wakeAt: new Date(delivery.clock.now().getTime() + due) },
    );
    await delivery.drain(600_000);
    expect(await answer).toBe(true);
    expect(await contents()).toEqual([]);
    expect((await notificationOf(session, transactionId)).status).toBe('canceled');
    expect(await delivery.rows('triggerEvents', { wakeAt: { $exists: true } })).toEqual([]);
  });

  it('should neither deliver early nor forget what it could not end at once', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('late')]);
    const transactionId = await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain();
    CANCELING.armOnce(() => Promise.reject(new Error('The store is unavailable.')));
    await session.delete(`/v1/events/trigger/${transactionId}`).expect(500);
    await delivery.drain(600_000);
    expect(await contents()).toEqual([]);
    expect((await notificationOf(session, transactionId)).status).toBe('canceled');
  });

  it.each([
    ['a notification', RESUMING, [delay(), inApp('late')], marked],
    ['an event', EXPANDING, [inApp('late')], stopped],
  ] as const)(
    'should be followed by no delivery of a worker that was suspended with %s',
    async (_what, point, steps, isTold) => {
      const { identifier } = await createWorkflow(session, [...steps]);
      const transactionId = 'suspended';
      let answer: Promise<unknown> | undefined;
      point.armOnce(async () => {
        // Shorter than a lease, which the worker therefore still holds.
        delivery.clock.advance(2_000);
        answer = cancel(transactionId);
        await isTold(transactionId);
      });
      await trigger(session, { name: identifier, to: 'ann', transactionId });
      await delivery.drain(600_000);
      expect(await answer).toBe(true);
      expect(await contents()).toEqual([]);
      expect(await delivery.rows('notifications', { status: 'active' })).toEqual([]);
      expect(await delivery.rows('triggerEvents', { wakeAt: { $exists: true } })).toEqual([]);
    },
  );

  it('should leave a trail at followers, and at the one that leads from then on', async () => {
    const { identifier } = await createWorkflow(session, [digest(), LIST]);
    for (const n of [0, 1, 2]) {
      await trigger(session, { name: identifier, to: 'ann', payload: { n }, transactionId: `trail-${n}` });
      await delivery.drain();
      delivery.clock.advance(1_000);
    }
    for (const n of [0, 2]) expect(await cancel(`trail-${n}`)).toBe(true);
    const trail = async (id: string): Promise<(string | undefined)[]> =>
      (await notificationOf(session, id)).jobs.map(({ executionDetails }) => executionDetails.at(-1)?.detail);
    expect(await trail('trail-1')).toEqual(['Step digested', 'Step created']);
    expect(await trail('trail-2')).toEqual(['Step was canceled', 'Step was canceled']);
  });

  it.each([
    ['lead', 0],
    ['join', 1],
  ])('should end a run that is about to %s a digest at once', async (_role, before) => {
    const { identifier } = await createWorkflow(session, [digest(), LIST]);
    for (let n = 0; n < before; n += 1) {
      await trigger(session, { name: identifier, to: 'ann', payload: { n } });
      await delivery.drain();
    }
    let answer: Promise<unknown> | undefined;
    JOINING.armOnce(async () => {
      answer = cancel('called-off');
      await marked('called-off');
    });
    await trigger(session, { name: identifier, to: 'ann', payload: { n: 9 }, transactionId: 'called-off' });
    await delivery.drain();
    expect(await answer).toBe(true);
    const { status, jobs } = await notificationOf(session, 'called-off');
    expect(status).toBe('canceled');
    expect(jobs[0]?.executionDetails.map(({ detail }) => detail)).toEqual([
      'Step created',
      'Step queued',
      'Step was canceled',
    ]);
    await delivery.drain(600_000);
    expect(await contents()).toEqual(before === 0 ? [] : ['0,']);
  });

  describe('when a step is outside at that moment', () => {
    const servers: { close(): unknown }[] = [];
    afterAll(() => servers.forEach((server) => server.close()));
    /** Answers only when it is told to. */
    const slowServer = async (): Promise<{ url: string; asked: Promise<void>; answer: () => void }> => {
      let answer = (): void => undefined;
      let hear = (): void => undefined;
      const asked = new Promise<void>((resolve) => (hear = resolve));
      const server = createServer((request, response) => {
        request.resume();
        answer = () => response.end('{"allowed":true,"id":"1"}');
        hear();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      servers.push(server);
      const { port } = server.address() as AddressInfo;
      return { url: `http://127.0.0.1:${port}/`, asked, answer: () => answer() };
    };
    const cancelMeanwhile = async (
      steps: SentStep[],
      server: Awaited<ReturnType<typeof slowServer>>,
    ): Promise<{ id: string; answer: unknown }> => {
      const { identifier } = await createWorkflow(session, steps);
      const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', phone: '+491234' } });
      const done = delivery.drain();
      await server.asked;
      const canceled = cancel(id);
      await marked(id);
      server.answer();
      const answer = await canceled;
      await done;
      return { id, answer };
    };
    const statuses = async (id: string): Promise<string[]> => {
      const { status, jobs } = await notificationOf(session, id);
      return [status, ...jobs.map((job) => job.status)];
    };

    it('should not deliver what a webhook lets through too late', async () => {
      const server = await slowServer();
      const condition = { on: 'webhook', webhookUrl: server.url, field: 'allowed', operator: 'EQUAL', value: 'true' };
      const filters = [{ isNegated: false, type: 'GROUP', value: 'AND', children: [condition] }];
      const { id, answer } = await cancelMeanwhile([inApp('asked', { filters }), inApp('next')], server);
      expect(answer).toBe(true);
      expect(await contents()).toEqual([]);
      expect(await statuses(id)).toEqual(['canceled', 'canceled', 'canceled']);
    });

    it.each([
      ['not go on after what was sent', [inApp('next')], true, ['canceled', 'completed', 'canceled']],
      ['say that everything was sent where nothing comes after it', [], false, ['completed', 'completed']],
    ])('should %s', async (_what, next, isCanceled, expected) => {
      const server = await slowServer();
      const credentials = {
        baseUrl: server.url,
        apiKeyRequestHeader: 'x-key',
        apiKey: 'key',
        idPath: 'id',
        from: '+1',
      };
      await session
        .post('/v1/integrations', { providerId: 'generic-sms', channel: 'sms', active: true, credentials })
        .expect(201);
      const { id, answer } = await cancelMeanwhile([{ template: { type: 'sms', content: 'sent' } }, ...next], server);
      expect(answer).toBe(isCanceled);
      expect(await contents()).toEqual([]);
      expect(await statuses(id)).toEqual(expected);
    });
  });
});

/** Its worker works when the test says so: polls and renewals of leases go by the time of the machine, and the test by another. */
describe('a cancellation while a worker stands still', () => {
  const delivery = useDeliveryApi('cancel_standstill', { DELIVERY_WORKER: 'off' });
  const session = useSession(delivery.api);

  it.each([
    ['later', [delay(), inApp('late')]],
    ['at once', [inApp('late')]],
  ])(
    'should be followed by no delivery of a run that its worker stores late and continues %s',
    async (_when, steps) => {
      const { identifier } = await createWorkflow(session, steps);
      let answer: unknown;
      RECORDING.armOnce(async () => {
        delivery.clock.advance(60_000);
        const { app } = delivery.api;
        // Another process answers, which cannot make this one forget what it knows of the event.
        const forget = jest.spyOn(app.get(RunLoader, { strict: false }), 'forget').mockReturnValue();
        answer = await dataOf<unknown>(session.delete('/v1/events/trigger/late'), 200);
        forget.mockRestore();
        jest
          .spyOn(app.get(TriggerEventStore, { strict: false }), 'finish')
          .mockRejectedValueOnce(new mongo.MongoNetworkError('The connection is lost.'));
      });
      await trigger(session, { name: identifier, to: 'ann', transactionId: 'late' });
      await delivery.drain(600_000);
      expect(answer).toBe(true);
      expect(await feedOf(session, 'ann')).toEqual([]);
      expect((await notificationOf(session, 'late')).status).toBe('canceled');
    },
  );

  it('should leave as sent what is in the feed since before the run was stored', async () => {
    const { identifier } = await createWorkflow(session, [inApp('first'), delay(), inApp('late')]);
    SETTLING.armOnce(() => Promise.reject(new mongo.MongoError('The worker dies.')));
    await trigger(session, { name: identifier, to: 'ann', transactionId: 'again' });
    await delivery.drain();
    expect(await delivery.rows('notifications', { transactionId: 'again' })).toEqual([]);
    delivery.clock.advance(60_000);
    let answer: Promise<unknown> | undefined;
    RESUMING.armOnce(async () => {
      answer = dataOf<unknown>(session.delete('/v1/events/trigger/again'), 200);
      await eventually(async () =>
        expect(await delivery.rows('notifications', { cancelRequested: true })).toHaveLength(1),
      );
    });
    await delivery.drain(600_000);
    expect(await answer).toBe(true);
    expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual(['first']);
    const { jobs } = await notificationOf(session, 'again');
    expect(jobs.map(({ status }) => status)).toEqual(['completed', 'canceled', 'canceled']);
  });
});
