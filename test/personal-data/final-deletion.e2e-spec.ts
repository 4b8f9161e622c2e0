import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mongo } from 'mongoose';
import type { FailPoint } from '#libs/common';
import { CALLING, MARKING } from '../../src/engine/delivery/run/begun-calls.js';
import { RECORDING } from '../../src/engine/delivery/run/outcome-writer.js';
import { RESUMING } from '../../src/engine/delivery/run/run-engine.js';
import type { Schedule } from '../../src/engine/schedules/schedule.schema.js';
import { TRIGGERING } from '../../src/engine/schedules/schedule-trigger.js';
import { ScheduleWorker } from '../../src/engine/schedules/index.js';
import { DESCRIBING } from '../../src/audience/subscribers/described-subscribers.js';
import { DELETING } from '../../src/audience/subscribers/subscribers.service.js';
import { ErasureWorker } from '../../src/operations/personal-data/index.js';
import { createSchedule } from '../factories/schedule.factory.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import {
  createWorkflow,
  delay,
  digest,
  feedOf,
  inApp,
  messagesOf,
  type SentStep,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { useSession, useTestApi } from '../support/test-api.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ID = 'ann';
const PROFILE = { subscriberId: ID, email: 'ann@example.com', firstName: 'Ann' };

describe('an event that was accepted before a subscriber was deleted, and is expanded after it', () => {
  // The worker begins when the test says so.
  const delivery = useDeliveryApi('final_deletion', { DELIVERY_WORKER: 'off' });
  const session = useSession(delivery.api);
  const erase = (id = ID): Promise<Json> => dataOf(session.delete(`/v1/subscribers/${id}`), 200);
  const isGone = async (id = ID): Promise<void> => {
    expect(await codeOf(session.get(`/v1/subscribers/${id}`), 404)).toBe('subscriber_not_found');
  };
  const erased = (): Promise<void> =>
    delivery.api.app.get(ErasureWorker).drain(new Date(delivery.clock.now().getTime() + 2 * MINUTE_MS));

  it.each([
    ['by the id', ID],
    ['with a profile', PROFILE],
    ['among others', ['bob', PROFILE, 'cleo']],
  ] as const)('should not bring them back: %s', async (_how, to) => {
    const { identifier: name } = await createWorkflow(session, [inApp('Hello {{subscriber.firstName}}')]);
    await session.post('/v1/subscribers', PROFILE).expect(201);
    const ids = [await trigger(session, { name, to: to as never }), await trigger(session, { name, to: to as never })];
    const acted = await trigger(session, { name, to: 'dan', actor: PROFILE });
    expect(await erase()).toEqual({ acknowledged: true, status: 'deleted' });
    await isGone();
    // A group of events that were accepted before and after.
    await trigger(session, { name, to: 'eve' });
    await delivery.drain();
    await isGone();
    for (const id of ids) {
      expect(JSON.stringify((await messagesOf(session, id)).map(({ content }) => content))).not.toContain('Ann');
    }
    expect(await messagesOf(session, acted)).toHaveLength(1);
    await erased();
    await isGone();
    expect(JSON.stringify(await delivery.rows('triggerEvents'))).not.toContain('ann@example.com');
  });

  it('should not reach whoever has the id then, and change nothing of them', async () => {
    const { identifier: name } = await createWorkflow(session, [inApp('{{n}}')]);
    await session
      .post('/v1/integrations', {
        providerId: 'mattermost',
        channel: 'chat',
        active: true,
        check: false,
        credentials: {},
      })
      .expect(201);
    await session.post('/v1/subscribers', PROFILE).expect(201);
    const credentials = { webhookUrl: 'https://example.com/old' };
    const channels = [{ providerId: 'mattermost' as const, credentials }];
    const before = await trigger(session, {
      name,
      to: { ...PROFILE, lastName: 'Old', channels },
      payload: { n: 'old' },
    });
    await erase();
    await session.post('/v1/subscribers', { subscriberId: ID, firstName: 'New' }).expect(201);
    await trigger(session, { name, to: { subscriberId: ID, locale: 'fr' }, payload: { n: 'new' } });
    await delivery.drain();
    const person = await dataOf(session.get(`/v1/subscribers/${ID}`), 200);
    expect(person).toMatchObject({ firstName: 'New', locale: 'fr', channels: [] });
    expect(person).not.toHaveProperty('email');
    expect(person).not.toHaveProperty('lastName');
    expect((await feedOf(session, ID)).map(({ content }) => content)).toEqual(['new']);
    expect(await messagesOf(session, before)).toEqual([]);
  });

  it('should be followed by a new person where an event was accepted after it, whatever the clocks say', async () => {
    const { identifier: name } = await createWorkflow(session, [delay(), inApp('{{n}}')]);
    await session.post('/v1/subscribers', PROFILE).expect(201);
    await erase();
    // The clock of this process is behind that of the one that has deleted the subscriber.
    delivery.clock.advance(-10 * MINUTE_MS);
    await trigger(session, { name, to: { subscriberId: ID, firstName: 'New' }, payload: { n: 'after' } });
    await delivery.drain();
    delivery.clock.advance(10 * MINUTE_MS);
    await erased();
    await delivery.drain(6 * MINUTE_MS);
    expect((await feedOf(session, ID)).map(({ content }) => content)).toEqual(['after']);
    expect(await dataOf(session.get(`/v1/subscribers/${ID}`), 200)).toMatchObject({ firstName: 'New' });
  });

  it.each(['is there', 'is new'])(
    'should not write what it read before the deletion: the subscriber %s',
    async (which) => {
      const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
      if (which === 'is there') await session.post('/v1/subscribers', { subscriberId: ID }).expect(201);
      const id = await trigger(session, { name, to: PROFILE });
      // The worker stands still with what it has read, and goes on after the answer.
      DESCRIBING.armOnce(async () => {
        if (which === 'is new') await session.post('/v1/subscribers', { subscriberId: ID }).expect(201);
        await erase();
      });
      try {
        await delivery.drain();
      } finally {
        DESCRIBING.disarm();
      }
      await isGone();
      expect(await messagesOf(session, id)).toEqual([]);
    },
  );

  it('should be final although the process dies in between, and the request is sent again', async () => {
    const { identifier: name } = await createWorkflow(session, [inApp('Hello')]);
    await session.post('/v1/subscribers', PROFILE).expect(201);
    await trigger(session, { name, to: PROFILE });
    DELETING.armOnce(() => Promise.reject(new Error('the process dies')));
    await session.delete(`/v1/subscribers/${ID}`).expect(500);
    await erased();
    await delivery.drain();
    await isGone();
    expect(await erase()).toMatchObject({ status: 'deleted' });
    expect(await codeOf(session.delete(`/v1/subscribers/${ID}`), 404)).toBe('subscriber_not_found');
  });

  it('should hold for digests that are open and steps that are delayed', async () => {
    const { identifier: name } = await createWorkflow(session, [digest(), delay(), inApp('{{step.total_count}}')]);
    await trigger(session, { name, to: PROFILE });
    await delivery.drain();
    const joining = await trigger(session, { name, to: PROFILE });
    await erase();
    await delivery.drain(20 * MINUTE_MS);
    await isGone();
    expect(await messagesOf(session, joining)).toEqual([]);
    const _environmentId = new mongo.ObjectId(session.environmentId);
    expect(await delivery.rows('messages', { _environmentId })).toEqual([]);
  });
});

describe('a schedule that named a subscriber when a worker read it, and is triggered after the deletion', () => {
  const delivery = useDeliveryApi('final_deletion_schedules', { DELIVERY_WORKER: 'off' });
  const session = useSession(delivery.api);
  const worker = (): ScheduleWorker => delivery.api.app.get(ScheduleWorker);
  const erase = (): Promise<Json> => dataOf(session.delete(`/v1/subscribers/${ID}`), 200);
  const erased = (): Promise<void> =>
    delivery.api.app.get(ErasureWorker).drain(new Date(delivery.clock.now().getTime() + 2 * MINUTE_MS));
  /** Of one occurrence, in an hour. */
  const make = (fields: Json): Promise<Json> => {
    const startAt = new Date(delivery.clock.now().getTime() + HOUR_MS).toISOString();
    return createSchedule(session, { payload: { of: 'Ann' }, ...fields, startAt, rule: null });
  };
  const deliver = async (): Promise<void> => {
    await worker().drain();
    await delivery.drain();
  };
  const ofSession = (collection: string): Promise<Json[]> =>
    delivery.rows(collection, { _environmentId: new mongo.ObjectId(session.environmentId) });
  const payloads = async (): Promise<unknown[]> => {
    const events = await ofSession('triggerEvents');
    return events.map(({ payload }) => payload);
  };
  /** What a worker that stands still has in its hands. */
  const claimed = async (): Promise<Schedule[]> => {
    delivery.clock.advance(HOUR_MS);
    const rows = await worker().claim();
    expect(rows).not.toHaveLength(0);
    return rows;
  };
  const isGone = async (): Promise<void> => {
    expect(await codeOf(session.get(`/v1/subscribers/${ID}`), 404)).toBe('subscriber_not_found');
  };

  it.each([
    ['alone', { subscribers: [ID] }],
    ['among others', { subscribers: ['bob', ID] }],
    ['as the one who causes it', { subscribers: ['bob'], actor: ID }],
  ])('should not bring them back: %s', async (_how, fields) => {
    await session.post('/v1/subscribers', PROFILE).expect(201);
    const { _id } = await make(fields);
    const rows = await claimed();
    expect(await erase()).toMatchObject({ status: 'deleted' });
    await worker().carryOut(rows);
    await deliver();
    await isGone();
    // The others get it, and at once.
    if (fields.subscribers.includes('bob')) {
      expect(await feedOf(session, 'bob')).toHaveLength(1);
      expect(await dataOf(session.get(`/v1/schedules/${String(_id)}`), 200)).toHaveProperty('last');
    }
    await erased();
    await isGone();
  });

  it.each(['was changed', 'was deleted'])('should not bring them back where the schedule %s before', async (how) => {
    await session.post('/v1/subscribers', PROFILE).expect(201);
    const { _id } = await make({ subscribers: [ID] });
    const rows = await claimed();
    const path = `/v1/schedules/${String(_id)}`;
    if (how === 'was deleted') await session.delete(path).expect(204);
    else await session.patch(path, { subscribers: ['bob'] }).expect(200);
    await erase();
    await worker().carryOut(rows);
    await deliver();
    await isGone();
    const lists = (await ofSession('triggerEvents')).map(({ recipients }) => recipients);
    const forBob = { list: [{ subscriberId: 'bob' }], topics: [] };
    expect(lists).toEqual(how === 'was deleted' ? [] : [forBob]);
  });

  it('should keep nothing of what it was triggered with, where the deletion came in the middle of it', async () => {
    await session.post('/v1/subscribers', PROFILE).expect(201);
    await make({ subscribers: [ID] });
    const rows = await claimed();
    // The worker stands still for so long that the erasure is over.
    TRIGGERING.armOnce(async () => {
      await erase();
      delivery.clock.advance(2 * MINUTE_MS);
      await erased();
    });
    await worker().carryOut(rows);
    await delivery.drain();
    await isGone();
    await erased();
    await isGone();
    expect(await payloads()).toEqual([{}]);
  });

  it('should not reach whoever has the id then; their own schedules do, and stay', async () => {
    await session.post('/v1/subscribers', PROFILE).expect(201);
    await make({ subscribers: ['bob', ID] });
    const rows = await claimed();
    await erase();
    await session.post('/v1/subscribers', { subscriberId: ID, firstName: 'New' }).expect(201);
    const own = await make({ subscribers: [ID] });
    await worker().carryOut(rows);
    await deliver();
    expect(await feedOf(session, ID)).toEqual([]);
    await erased();
    const path = `/v1/schedules/${String(own['_id'])}`;
    expect(await dataOf(session.get(path), 200)).toMatchObject({ subscribers: [ID] });
    await session.post(`${path}/run`).expect(201);
    delivery.clock.advance(HOUR_MS);
    await deliver();
    expect(await feedOf(session, ID)).toHaveLength(2);
    expect(await feedOf(session, 'bob')).not.toHaveLength(0);
  });
});

describe('a deletion while calls to providers are in flight', () => {
  const delivery = useDeliveryApi('final_deletion_calls', {
    DELIVERY_WORKER: 'off',
    ALLOW_PRIVATE_URLS: '1',
    DELIVERY_LEASE_MS: '1000',
  });
  const session = useSession(delivery.api);
  let server: Server;
  let arrived: ServerResponse[];
  let isHolding = false;
  let name: string;
  const chat: SentStep = { template: { type: 'chat', content: 'Reminder' } };

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      arrived.push(response);
      if (!isHolding) response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    arrived = [];
    isHolding = false;
    const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await session
      .post('/v1/integrations', {
        providerId: 'mattermost',
        channel: 'chat',
        active: true,
        check: false,
        credentials: {},
      })
      .expect(201);
    const channels = [{ providerId: 'mattermost', credentials: { webhookUrl } }];
    await session.post('/v1/subscribers', { ...PROFILE, channels }).expect(201);
    name = (await createWorkflow(session, [delay(), chat])).identifier;
  });

  const begin = (): Promise<{ status: number }> =>
    session.delete(`/v1/subscribers/${ID}`).then(({ status }) => ({ status }));
  const release = (): void => {
    isHolding = false;
    for (const response of arrived) response.end('{}');
  };
  const waiting = async (): Promise<string> => {
    const id = await trigger(session, { name, to: ID });
    await delivery.drain();
    return id;
  };
  const isMarked = (): Promise<void> =>
    eventually(async () => expect(await delivery.rows('notifications', { cancelRequested: true })).not.toHaveLength(0));

  it('should be answered when the provider has answered, and not before', async () => {
    await waiting();
    isHolding = true;
    const delivering = delivery.drain(5 * MINUTE_MS);
    await eventually(() => expect(arrived).toHaveLength(1));
    let isAnswered = false;
    const answer = begin().finally(() => (isAnswered = true));
    await isMarked();
    expect(isAnswered).toBe(false);
    release();
    expect(await answer).toEqual({ status: 200 });
    await delivering;
    expect(arrived).toHaveLength(1);
  });

  it.each([
    ['before it goes on', RESUMING, 0],
    ['before the mark of its call', MARKING, 0],
    ['between mark and call', CALLING, 1],
  ] as const)('should send nothing after the answer where a worker holds the run %s', async (_where, point, calls) => {
    await waiting();
    let answer: Promise<{ status: number }> | undefined;
    let callsAtAnswer = -1;
    (point as FailPoint<unknown>).armOnce(async () => {
      answer = begin().then((result) => {
        callsAtAnswer = arrived.length;
        return result;
      });
      await isMarked();
    });
    try {
      await delivery.drain(6 * MINUTE_MS);
    } finally {
      point.disarm();
    }
    expect(await answer).toEqual({ status: 200 });
    expect(callsAtAnswer).toBe(calls);
    expect(arrived).toHaveLength(calls);
  });

  it('should send nothing for a run that is stored after the answer', async () => {
    const { identifier } = await createWorkflow(session, [chat]);
    const id = await trigger(session, { name: identifier, to: ID });
    let status = 0;
    RECORDING.armOnce(async () => {
      ({ status } = await begin());
    });
    try {
      await delivery.drain(MINUTE_MS);
    } finally {
      RECORDING.disarm();
    }
    expect(status).toBe(200);
    expect(arrived).toEqual([]);
    expect(await messagesOf(session, id)).toEqual([]);
  });

  it('should say so when it cannot wait any longer, and give the outcome to the next request', async () => {
    await waiting();
    isHolding = true;
    const delivering = delivery.drain(5 * MINUTE_MS);
    await eventually(() => expect(arrived).toHaveLength(1));
    expect(await codeOf(session.delete(`/v1/subscribers/${ID}`), 503)).toBe('deletion_pending');
    expect(await codeOf(session.get(`/v1/subscribers/${ID}`), 404)).toBe('subscriber_not_found');
    const again = begin();
    release();
    expect(await again).toEqual({ status: 200 });
    await delivering;
    expect(await codeOf(session.delete(`/v1/subscribers/${ID}`), 404)).toBe('subscriber_not_found');
  });
});

describe('deletions in a process that is busy', () => {
  const OTHERS = 1_500;
  const PEOPLE = 20;
  const api = useTestApi({ LOG_LEVEL: 'silent' });
  const session = useSession(api);

  it('should all be final', async () => {
    const { identifier: name } = await createWorkflow(session, [inApp('Hello {{subscriber.firstName}}')]);
    const bulk = async (events: object[]): Promise<void> => {
      await session.post('/v1/events/trigger/bulk', { events }).expect(201);
    };
    const fill = (from: number, count: number): Promise<void> =>
      bulk(Array.from({ length: count }, (_, n) => ({ name, to: `other-${from + n}`, payload: {} })));
    const queued: Promise<void>[] = [];
    for (let from = 0; from < OTHERS; from += 100) queued.push(fill(from, 100));
    const ids = Array.from({ length: PEOPLE }, (_, n) => `gone-${n}`);
    await Promise.all(
      ids.map(async (subscriberId) => {
        await session.post('/v1/subscribers', { ...PROFILE, subscriberId }).expect(201);
        await bulk([1, 2, 3].map(() => ({ name, to: { ...PROFILE, subscriberId }, payload: {} })));
        await session.delete(`/v1/subscribers/${subscriberId}`).expect(200);
        await session.get(`/v1/subscribers/${subscriberId}`).expect(404);
      }),
    );
    await Promise.all(queued);
    await eventually(async () => {
      const last = await Promise.all([0, OTHERS - 1].map((n) => feedOf(session, `other-${n}`)));
      for (const feed of last) expect(feed).toHaveLength(1);
    });
    for (const id of ids) await session.get(`/v1/subscribers/${id}`).expect(404);
  });
});
