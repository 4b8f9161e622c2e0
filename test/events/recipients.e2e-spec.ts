import type { TestSession } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import { createWorkflow, feedOf, inApp, trigger } from '../support/delivery.js';
import { useDelivery } from '../support/herald.js';

describe('many recipients', () => {
  const delivery = useDelivery();
  let session: TestSession;

  beforeEach(async () => {
    session = await delivery.session();
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
    const messages = await delivery.stored('messages').find({ transactionId: id });
    expect(messages).toHaveLength(400);
    expect(new Set(messages.map(({ _subscriberId }) => String(_subscriberId))).size).toBe(400);
    expect(await feedOf(session, 's2')).toEqual([]);
    expect(await feedOf(session, 's1')).toMatchObject([{ content: 'by Sam' }]);
  });

  it('should reach everybody with a broadcast, and nobody of another environment', async () => {
    const [one, other] = await delivery.siblings();
    session = one;
    await one.post('/v1/subscribers/bulk', { subscribers: subscribers(500) }).expect(201);
    await one.post('/v1/subscribers', { subscriberId: 'last' }).expect(201);
    await other.post('/v1/subscribers', { subscriberId: 's0' }).expect(201);
    const { identifier } = await createWorkflow(one, [inApp('news')]);
    const broadcast = one.post('/v1/events/trigger/broadcast', { name: identifier, payload: {} });
    const { transactionId } = await dataOf(broadcast, 201);
    await delivery.drain();
    expect(await delivery.stored('messages').find({ transactionId })).toHaveLength(501);
    expect(await feedOf(other, 's0')).toEqual([]);
  });
});
