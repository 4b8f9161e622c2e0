import type { TestSession } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import { createWorkflow, feedOf, inApp, type SentEvent, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';

const MINUTE_MS = 60_000;

describe('many recipients', () => {
  const delivery = useDeliveryApi('trigger_recipients');
  let session: TestSession;

  beforeEach(async () => {
    session = await delivery.api.session();
  });

  const subscribers = (count: number): { subscriberId: string }[] =>
    Array.from({ length: count }, (_, n) => ({ subscriberId: `s${n}` }));

  it('should reach the members of topics and listed subscribers once, without the actor', async () => {
    await session.post('/v1/subscribers/bulk', { subscribers: subscribers(400) }).expect(201);
    await session.post('/v1/topics', { key: 'all', name: 'All' }).expect(201);
    await session.post('/v1/topics', { key: 'some', name: 'Some' }).expect(201);
    const ids = subscribers(400).map(({ subscriberId }) => subscriberId);
    await session.post('/v1/topics/all/subscribers', { subscribers: ids }).expect(200);
    await session.post('/v1/topics/some/subscribers', { subscribers: ids.slice(0, 20) }).expect(200);
    const { identifier } = await createWorkflow(session, [inApp('by {{actor.firstName}}')]);
    const id = await trigger(session, {
      name: identifier,
      to: ['s1', 'new', { type: 'Topic', topicKey: 'all' }, { type: 'Topic', topicKey: 'some' }],
      actor: { subscriberId: 's2', firstName: 'Sam' },
    });
    await delivery.drain();
    const messages = await delivery.rows('messages', { transactionId: id });
    expect(messages).toHaveLength(400);
    expect(new Set(messages.map(({ _subscriberId }) => String(_subscriberId))).size).toBe(400);
    expect(await feedOf(session, 's2')).toEqual([]);
    expect(await feedOf(session, 's1')).toMatchObject([{ content: 'by Sam' }]);
  });

  it('should leave members out of the topic whose recipient excludes them, and out of no other', async () => {
    await session.post('/v1/subscribers/bulk', { subscribers: subscribers(300) }).expect(201);
    const ids = subscribers(300).map(({ subscriberId }) => subscriberId);
    for (const [key, members] of [
      ['all', ids],
      ['some', ids.slice(0, 3)],
    ] as const) {
      await session.post('/v1/topics', { key, name: key }).expect(201);
      await session.post(`/v1/topics/${key}/subscribers`, { subscribers: members }).expect(200);
    }
    const { identifier } = await createWorkflow(session, [inApp('news')]);
    const exclude = ['s1', 's5', 's7', 's299', 'nobody'];
    const to: SentEvent['to'] = [
      { type: 'Topic', topicKey: 'all', exclude },
      { type: 'Topic', topicKey: 'some', exclude: ['s0'] },
      // Whoever is listed gets it.
      's7',
    ];
    const planned = await session.post('/v1/events/trigger/dry-run?limit=1', { name: identifier, to }).expect(200);
    expect(planned.headers['herald-warning']).toBeUndefined();
    const transactionId = await trigger(session, { name: identifier, to });
    await delivery.drain();
    const reached = await delivery.rows('messages', { transactionId });
    expect(reached).toHaveLength(298);
    const expected = { s0: 1, s1: 1, s5: 0, s7: 1, s299: 0 };
    const counts = Object.keys(expected).map(async (id) => [id, (await feedOf(session, id)).length] as const);
    expect(Object.fromEntries(await Promise.all(counts))).toEqual(expected);
  });

  it('should leave everybody out whom an event excludes, and take who was deleted out of the event', async () => {
    await session.post('/v1/subscribers/bulk', { subscribers: subscribers(2) }).expect(201);
    await session.post('/v1/topics', { key: 'all', name: 'All' }).expect(201);
    await session.post('/v1/topics/all/subscribers', { subscribers: ['s0', 's1'] }).expect(200);
    const { identifier } = await createWorkflow(session, [inApp('news')]);
    const to: SentEvent['to'] = { type: 'Topic', topicKey: 'all', exclude: ['s0', 's1'] };
    const transactionId = await trigger(session, { name: identifier, to });
    await delivery.drain();
    expect(await delivery.rows('messages', { transactionId })).toEqual([]);
    await session.delete('/v1/subscribers/s0').expect(200);
    await eventually(async () => {
      await delivery.drain(2 * MINUTE_MS);
      const [event] = await delivery.rows('triggerEvents', { transactionId });
      expect(event).toMatchObject({ recipients: { without: [{ topicKey: 'all', subscriberIds: ['s1'] }] } });
    });
  });

  it('should reach everybody with a broadcast, and nobody of another environment', async () => {
    const [one, other] = await delivery.api.siblings();
    session = one;
    await one.post('/v1/subscribers/bulk', { subscribers: subscribers(500) }).expect(201);
    await one.post('/v1/subscribers', { subscriberId: 'last' }).expect(201);
    await other.post('/v1/subscribers', { subscriberId: 's0' }).expect(201);
    const { identifier } = await createWorkflow(one, [inApp('news')]);
    const broadcast = one.post('/v1/events/trigger/broadcast', { name: identifier, payload: {} });
    const { transactionId } = await dataOf(broadcast, 201);
    await delivery.drain();
    expect(await delivery.rows('messages', { transactionId })).toHaveLength(501);
    expect(await feedOf(other, 's0')).toEqual([]);
  });
});
