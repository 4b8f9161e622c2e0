import { jest } from '@jest/globals';
import { Looks } from '../../src/engine/delivery/expansion/looks.js';
import { CancellationPending } from '../../src/engine/delivery/index.js';
import { RESUMING } from '../../src/engine/delivery/run/run-engine.js';
import type { TestSession } from '../harness/index.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { codeOf, dataOf } from '../support/answers.js';
import {
  createWorkflow,
  delay,
  digest,
  feedOf,
  inApp,
  notificationOf,
  type ShownNotification,
  trigger,
} from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';

const HOUR_MS = 3_600_000;

describe('POST /v1/notifications/:notificationId/cancel', () => {
  const delivery = useDeliveryApi('cancel_notification');
  let session: TestSession;
  beforeEach(async () => {
    session = await delivery.api.session();
  });

  const cancel = (id: string): ReturnType<TestSession['post']> => session.post(`/v1/notifications/${id}/cancel`);
  const notificationsOf = (
    transactionId: string,
  ): Promise<(ShownNotification & { subscriber: { subscriberId: string } })[]> =>
    dataOf(session.get(`/v1/notifications?transactionId=${transactionId}`), 200);

  it('should cancel the notification, and no other of its event', async () => {
    const { identifier: name } = await createWorkflow(session, [inApp('One'), delay(), inApp('Two')]);
    const id = await trigger(session, { name, to: ['ann', 'bob'] });
    await delivery.drain();
    const ann = (await notificationsOf(id)).find(({ subscriber }) => subscriber.subscriberId === 'ann');
    expect(await dataOf(cancel(ann?._id ?? ''), 202)).toEqual({ acknowledged: true, notificationId: ann?._id });
    await delivery.drain(HOUR_MS);
    expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual(['One']);
    expect((await feedOf(session, 'bob')).map(({ content }) => content)).toEqual(['Two', 'One']);
    const [shown] = (await notificationsOf(id)).filter(({ _id }) => _id === ann?._id);
    expect(shown).toMatchObject({
      status: 'canceled',
      jobs: [{ status: 'completed' }, { status: 'canceled', reason: 'transaction_canceled' }, { status: 'canceled' }],
    });
    expect(shown?.jobs[2]?.executionDetails.at(-1)?.detail).toBe('Step was canceled');
  });

  it('should take its event out of an open digest', async () => {
    const { identifier: name } = await createWorkflow(session, [digest(), inApp('{{step.total_count}}')]);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.push(await trigger(session, { name, to: 'ann' }));
      await delivery.drain(10);
    }
    const merged = await notificationOf(session, ids[1] ?? '');
    expect(merged.status).toBe('merged');
    await cancel(merged._id).expect(202);
    await delivery.drain(HOUR_MS);
    expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual(['2']);
  });

  it('should refuse a notification that has ended, and one that is canceled already', async () => {
    const { identifier: ended } = await createWorkflow(session, [inApp('One')]);
    const { identifier: waiting } = await createWorkflow(session, [delay()]);
    const ids = [
      await trigger(session, { name: ended, to: 'ann' }),
      await trigger(session, { name: waiting, to: 'ann' }),
    ];
    await delivery.drain();
    const [first, second] = await Promise.all(ids.map((id) => notificationOf(session, id)));
    expect(await codeOf(cancel(first?._id ?? ''), 409)).toBe('nothing_to_cancel');
    await cancel(second?._id ?? '').expect(202);
    await delivery.drain();
    expect(await codeOf(cancel(second?._id ?? ''), 409)).toBe('nothing_to_cancel');
  });

  it('should answer after a 503 with the outcome, and then with 409', async () => {
    const { identifier: name } = await createWorkflow(session, [delay(), inApp('One')]);
    const id = await trigger(session, { name, to: 'ann' });
    await delivery.drain();
    const { _id } = await notificationOf(session, id);
    // The worker holds the notification for longer than the request waits.
    RESUMING.armOnce(async () => {
      delivery.clock.advance(2_000);
      const waits = jest.spyOn(delivery.api.app.get(Looks, { strict: false }), 'next');
      waits.mockRejectedValueOnce(new CancellationPending());
      expect(await codeOf(cancel(_id), 503)).toBe('cancellation_pending');
      waits.mockRestore();
    });
    await delivery.drain(HOUR_MS);
    expect(await feedOf(session, 'ann')).toEqual([]);
    expect((await notificationOf(session, id)).status).toBe('canceled');
    await cancel(_id).expect(202);
    expect(await codeOf(cancel(_id), 409)).toBe('nothing_to_cancel');
  });

  it('should not find what is not there, or in another environment', async () => {
    const { identifier: name } = await createWorkflow(session, [delay()]);
    const { _id } = await trigger(session, { name, to: 'ann' }).then(async (id) => {
      await delivery.drain();
      return notificationOf(session, id);
    });
    const other = await delivery.api.session();
    expect(await codeOf(other.post(`/v1/notifications/${_id}/cancel`), 404)).toBe('notification_not_found');
    expect(await codeOf(cancel(UNKNOWN_ID), 404)).toBe('notification_not_found');
    await cancel('x').expect(400);
    expect((await dataOf<ShownNotification>(session.get(`/v1/notifications/${_id}`), 200)).status).toBe('active');
  });
});
