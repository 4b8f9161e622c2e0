import { HeraldError } from '@herald/client';
import { EXPANDING } from '../../src/engine/delivery/expansion/expander.js';
import { TriggerEventStore } from '../../src/engine/delivery/records/trigger-event.js';
import type { TestSession } from '../harness/index.js';
import { unique } from '../factories/ids.js';
import { dataOf, type Json } from '../support/answers.js';
import { clientOf } from '../support/client.js';
import { createWorkflow, delay, digest, email, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';

const delivery = useDeliveryApi('event_ends');
let session: TestSession;
beforeEach(async () => {
  session = await delivery.api.session();
});

const stateOf = (id: string, query = ''): Promise<Json> => dataOf(session.get(`/v1/events/trigger/${id}${query}`), 200);

describe('The end of an event', () => {
  it('should come with the outcome of each notification and step', async () => {
    const { identifier, steps } = await createWorkflow(session, [inApp('x'), delay(), email('s', 'c')]);
    const id = await trigger(session, { name: identifier, to: ['ann', 'bob'], payload: {} });
    await delivery.drain();
    expect(await stateOf(id)).toMatchObject({ state: 'expanded', ended: false, outcomes: { active: 2, completed: 0 } });
    await delivery.drain(300_000);
    const ended = await stateOf(id);
    const notifications = await dataOf<Json[]>(session.get(`/v1/notifications?transactionId=${id}`), 200);
    expect(ended).toMatchObject({ ended: true, notifications: 2, outcomes: { active: 0 } });
    expect(ended['notificationIds']).toEqual(notifications.map(({ _id }) => _id));
    const shown = ended['steps'] as Json[];
    expect(shown.map(({ stepId }) => stepId)).toEqual(steps.map(({ _id }) => _id));
    expect(shown.map(({ type }) => type)).toEqual(['in_app', 'delay', 'email']);
    expect(shown.slice(0, 2)).toMatchObject([{ outcomes: { completed: 2 } }, { outcomes: { completed: 2 } }]);
    for (const { outcomes } of shown) {
      expect(Object.values(outcomes as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(2);
    }
  });

  it('should not have come while the notifications are not created', async () => {
    const { identifier } = await createWorkflow(session, [inApp('x')]);
    const id = await trigger(session, { name: identifier, to: 'ann', payload: {} });
    const state = await stateOf(id);
    expect(state['ended']).toBe(state['state'] !== 'expanding' && (state['outcomes'] as Json)['active'] === 0);
    await delivery.drain();
    expect(await stateOf(id)).toMatchObject({ ended: true, outcomes: { completed: 1 } });
  });

  it('should not have come while a worker still holds an event that is canceled', async () => {
    const { identifier } = await createWorkflow(session, [inApp('x')]);
    let state: Json = {};
    EXPANDING.armOnce(async () => {
      const events = delivery.api.app.get(TriggerEventStore, { strict: false });
      await events.collection.updateOne({ transactionId: 'held' }, { $set: { status: 'canceled' } });
      state = await stateOf('held');
    });
    await trigger(session, { name: identifier, to: 'ann', payload: {}, transactionId: 'held' });
    await delivery.drain();
    expect(state).toMatchObject({ state: 'canceled', ended: false });
    expect(await stateOf('held')).toMatchObject({ ended: true });
  });

  it('should come at once for an event without recipients, one that is canceled, and one that is refused', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('x')]);
    await session.post('/v1/topics', { key: 'empty', name: 'Empty' }).expect(201);
    const none = await trigger(session, { name: identifier, to: { type: 'Topic', topicKey: 'empty' }, payload: {} });
    const canceled = await trigger(session, { name: identifier, to: 'ann', payload: {} });
    await delivery.drain();
    await session.delete(`/v1/events/trigger/${canceled}`).expect(200);
    expect(await stateOf(none)).toMatchObject({ ended: true, notifications: 0, notificationIds: [], steps: [] });
    expect(await stateOf(canceled)).toMatchObject({ ended: true, state: 'canceled', outcomes: { canceled: 1 } });
    const inactive = await createWorkflow(session, [inApp('x')], { active: false });
    const body = { name: inactive.identifier, to: 'ann', payload: {} };
    const refused = await dataOf(session.post('/v1/events/trigger', body), 201);
    expect(await stateOf(String(refused['transactionId']))).toMatchObject({
      ended: true,
      status: 'trigger_not_active',
    });
  });

  it('should count an event as merged that is in the digest of another', async () => {
    const { identifier } = await createWorkflow(session, [digest(), inApp('x')]);
    const first = await trigger(session, { name: identifier, to: 'ann', payload: {} });
    await delivery.drain();
    const second = await trigger(session, { name: identifier, to: 'ann', payload: {} });
    await delivery.drain();
    expect(await stateOf(first)).toMatchObject({ ended: false, outcomes: { active: 1 } });
    await delivery.drain(300_000);
    expect(await stateOf(first)).toMatchObject({ ended: true, outcomes: { completed: 1 } });
    expect(await stateOf(second)).toMatchObject({ ended: true, outcomes: { merged: 1 } });
  });

  it('should show the newest 100 ids of many, and count all', async () => {
    const { identifier } = await createWorkflow(session, [inApp('x')]);
    const to = Array.from({ length: 130 }, (_, place) => `many-${place}`);
    const id = await trigger(session, { name: identifier, to, payload: {} });
    await delivery.drain();
    const state = await stateOf(id, '?wait=5');
    expect(state).toMatchObject({
      ended: true,
      outcomes: { completed: 130 },
      steps: [{ outcomes: { completed: 130 } }],
    });
    expect(new Set(state['notificationIds'] as string[]).size).toBe(100);
  });
});

describe('?wait of an event', () => {
  it('should answer when the event has ended', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('x')]);
    const id = await trigger(session, { name: identifier, to: 'ann', payload: {} });
    await delivery.drain();
    const waiting = stateOf(id, '?wait=30');
    await delivery.drain(300_000);
    expect(await waiting).toMatchObject({ ended: true, outcomes: { completed: 1 } });
  });

  it('should answer with the state when the time is over', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('x')]);
    const id = await trigger(session, { name: identifier, to: 'ann', payload: {} });
    await delivery.drain();
    expect(await stateOf(id, '?wait=1')).toMatchObject({ ended: false });
  });

  it('should refuse other values, and unknown events at once', async () => {
    for (const wait of ['-1', '31', 'long', '1.5']) await session.get(`/v1/events/trigger/x?wait=${wait}`).expect(400);
    await session.get('/v1/events/trigger/never?wait=30').expect(404);
  });
});

describe('events.waitFor of the client', () => {
  it('should return the outcome when the event has ended', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('x')]);
    const id = await trigger(session, { name: identifier, to: unique('ann'), payload: {} });
    await delivery.drain();
    const waiting = clientOf(session).events.waitFor(id);
    await delivery.drain(300_000);
    expect(await waiting).toMatchObject({
      transactionId: id,
      ended: true,
      steps: [{ type: 'delay' }, { type: 'in_app' }],
    });
  });

  it('should throw when the time is over, and where there is no such event', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('x')]);
    const id = await trigger(session, { name: identifier, to: unique('ann'), payload: {} });
    await delivery.drain();
    const { events } = clientOf(session);
    await expect(events.waitFor(id, { timeoutMs: 300 })).rejects.toThrow(HeraldError);
    await expect(events.waitFor('never')).rejects.toMatchObject({ status: 404, code: 'event_not_found' });
  });
});
