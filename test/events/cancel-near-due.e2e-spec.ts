import type { Schemas } from '@herald/client';
import { RESUMING } from '../../src/engine/delivery/run/run-engine.js';
import { dataOf } from '../support/answers.js';
import { createWorkflow, delay, inApp, messagesOf, notificationOf, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { seeded } from '../support/schedules.js';
import { useSession } from '../support/test-api.js';

const EVENTS = 60;

/** Events that are canceled at the moment at which they are due, without any fault. */
describe('DELETE /v1/events/trigger/:transactionId near the due time', () => {
  const delivery = useDeliveryApi('cancel_near_due');
  const session = useSession(delivery.api);

  const cancel = (id: string): Promise<boolean> => dataOf<boolean>(session.delete(`/v1/events/trigger/${id}`), 200);
  const waiting = async (): Promise<string[]> => {
    const { identifier: name } = await createWorkflow(session, [
      delay({ amount: 1, unit: 'seconds' }),
      inApp('payment reminder'),
    ]);
    const ids: string[] = [];
    while (ids.length < EVENTS) ids.push(await trigger(session, { name, to: `s${ids.length}` }));
    await delivery.drain();
    return ids;
  };
  /** All that is told of an event. */
  const told = async (id: string): Promise<unknown> => ({
    messages: (await messagesOf(session, id)).length,
    notification: (await notificationOf(session, id)).status,
    event: (await dataOf<Schemas['EventResponse']>(session.get(`/v1/events/trigger/${id}`), 200)).state,
  });
  const CANCELED = { messages: 0, notification: 'canceled', event: 'canceled' };
  const DELIVERED = { messages: 1, notification: 'completed', event: 'expanded' };

  it('should answer false for what a worker holds and delivers', async () => {
    const ids = await waiting();
    let answers: Promise<boolean>[] = [];
    RESUMING.armOnce(async () => {
      answers = ids.map(cancel);
      await eventually(async () =>
        expect(await delivery.rows('notifications', { cancelRequested: true })).toHaveLength(EVENTS),
      );
    });
    await delivery.drain(1_000);
    expect(await Promise.all(answers)).toEqual(ids.map(() => false));
    for (const id of ids) expect(await told(id)).toEqual(DELIVERED);
  });

  it('should answer with the outcome, whichever is first', async () => {
    const random = seeded(22);
    const ids = await waiting();
    const [early, late] = [ids.slice(0, 5), ids.slice(-5)];
    const answers = new Map<string, boolean>();
    for (const id of early) answers.set(id, await cancel(id));
    const delivering = delivery.drain(1_000);
    const cancelers = [0, 1, 2, 3].map(async (lane) => {
      for (const id of ids.slice(5, -5).filter((_id, place) => place % 4 === lane)) {
        for (let turns = Math.floor(random() * 8); turns > 0; turns -= 1) await new Promise(setImmediate);
        answers.set(id, await cancel(id));
      }
    });
    await Promise.all([delivering, ...cancelers]);
    await delivery.drain();
    for (const id of late) answers.set(id, await cancel(id));
    for (const [id, isCanceled] of answers) expect(await told(id)).toEqual(isCanceled ? CANCELED : DELIVERED);
    expect(early.map((id) => answers.get(id))).toEqual(early.map(() => true));
    expect(late.map((id) => answers.get(id))).toEqual(late.map(() => false));
  });
});
