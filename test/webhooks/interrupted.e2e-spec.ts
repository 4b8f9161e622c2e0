import { ObjectId } from 'bson';
import { dataOf } from '../support/answers.js';
import { clientOf } from '../support/client.js';
import { crash, crashExpansion } from '../support/crashed-runs.js';
import { createWorkflow, delay, feedOf, inApp, notificationOf, trigger } from '../support/delivery.js';
import { eventually } from '../support/eventually.js';
import { useDelivery, useSession } from '../support/herald.js';
import { createReceiver, type Receiver } from '../support/webhook-receiver.js';

const AFTER_LEASES_MS = 600_000;

/** A worker dies when a message is stored, before its webhook and the state of its run are. */
describe('message.sent of a worker that died before it was recorded', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  let hook: Receiver;

  beforeEach(async () => {
    hook = await createReceiver(session, ['message.sent']);
  });
  afterEach(() => hook.server.close());

  const ofTest = (): object => ({ _environmentId: new ObjectId(session.environmentId) });
  const leaseEnd = (): Date => new Date(delivery.clock.now().getTime() + 10_000);
  /** Waits for what the dead worker held. */
  const cancelWhileHeld = async (id: string): Promise<unknown> => {
    const answer = dataOf<unknown>(session.delete(`/v1/events/trigger/${id}`), 200);
    await eventually(async () => {
      const told = { transactionId: id, $or: [{ status: 'canceled' }, { cancelRequested: true }] };
      const rows = [
        await delivery.stored('triggerEvents').find(told),
        await delivery.stored('notifications').find(told),
      ];
      expect(rows.flat()).not.toEqual([]);
    });
    await delivery.drain(AFTER_LEASES_MS);
    return answer;
  };
  const deliveries = (): Promise<unknown[]> => delivery.stored('webhookDeliveries').find(ofTest());

  async function expectOneRecorded(transactionId: string, subscriberId = 'ann'): Promise<void> {
    const [message, ...others] = await feedOf(session, subscriberId);
    expect(others).toEqual([]);
    expect(await deliveries()).toEqual([
      expect.objectContaining({
        type: 'message.sent',
        data: { message: expect.objectContaining({ _id: message?._id, transactionId, subscriberId }) as unknown },
      }),
    ]);
  }

  it('should be recorded when the event was canceled before any notification was stored', async () => {
    const { identifier } = await createWorkflow(session, [inApp('first'), delay(), inApp('second')]);
    const transactionId = await trigger(session, { name: identifier, to: ['ann', 'bob'] });
    await delivery.drain();
    const bob = { transactionId, subscriberId: 'bob' };
    await delivery.stored('messages').deleteMany({ ...ofTest(), 'payload.subscriberId': 'bob' });
    const [ofBob] = await delivery.stored('notifications').find(bob);
    await delivery.stored('messages').deleteMany({ _notificationId: ofBob?.['_id'] });
    await delivery.stored('notifications').deleteMany({ transactionId });
    await delivery.stored('webhookDeliveries').deleteMany(ofTest());
    await crashExpansion(delivery.stored('triggerEvents'), transactionId, leaseEnd());
    expect(await cancelWhileHeld(transactionId)).toBe(true);
    await expectOneRecorded(transactionId);
    const shown = await clientOf(session).notifications.listNotifications({ query: { transactionId } });
    expect(shown.map(({ subscriber, status }) => [subscriber?.subscriberId, status]).sort()).toEqual([
      ['ann', 'canceled'],
      // The dead worker might have been about to store it.
      ['bob', 'canceled'],
    ]);
    const jobs = shown.find(({ subscriber }) => subscriber?.subscriberId === 'ann')?.jobs ?? [];
    expect(jobs.map((job) => job.status)).toEqual(['completed', 'canceled', 'canceled']);
    expect(jobs[0]?.executionDetails.map(({ detail }) => detail)).toContain('Message sent');
  });

  it('should be recorded when the notification was canceled', async () => {
    const { identifier } = await createWorkflow(session, [delay(), inApp('first'), delay(), inApp('second')]);
    const transactionId = await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain(3_600_000);
    const [run] = await delivery.stored('notifications').find({ transactionId });
    await delivery.stored('messages').deleteMany({ _jobId: (run?.['steps'] as { _id: unknown }[])[3]?._id });
    await delivery.stored('webhookDeliveries').deleteMany(ofTest());
    await crash(
      delivery.stored('notifications'),
      { transactionId },
      { leaseEnd: leaseEnd(), steps: ['running', 'pending', 'pending', 'pending'] },
    );
    expect(await cancelWhileHeld(transactionId)).toBe(true);
    await expectOneRecorded(transactionId);
    const { status, jobs } = await notificationOf(session, transactionId);
    expect(status).toBe('canceled');
    expect(jobs.map((job) => job.status)).toEqual(['completed', 'completed', 'canceled', 'canceled']);
  });

  it('should be recorded when the step was the last one, and the notification is then complete', async () => {
    const { identifier } = await createWorkflow(session, [inApp('only')]);
    const transactionId = await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain();
    await delivery.stored('notifications').deleteMany({ transactionId });
    await delivery.stored('webhookDeliveries').deleteMany(ofTest());
    await crashExpansion(delivery.stored('triggerEvents'), transactionId, leaseEnd());
    expect(await cancelWhileHeld(transactionId)).toBe(false);
    await expectOneRecorded(transactionId);
    expect(await delivery.stored('triggerEvents').find({ transactionId, status: 'expanded' })).toHaveLength(1);
    expect((await notificationOf(session, transactionId)).status).toBe('completed');
  });

  it('should be recorded when workers died over the step again and again', async () => {
    const { identifier } = await createWorkflow(session, [inApp('only')]);
    const transactionId = await trigger(session, { name: identifier, to: 'ann' });
    await delivery.drain();
    await delivery.stored('webhookDeliveries').deleteMany(ofTest());
    await crash(delivery.stored('notifications'), { transactionId }, { leaseEnd: leaseEnd(), steps: ['running'] });
    await delivery.stored('notifications').updateOne({ transactionId }, { $set: { takenUp: 1_000 } });

    await delivery.drain(AFTER_LEASES_MS);
    await expectOneRecorded(transactionId);
    expect((await notificationOf(session, transactionId)).status).toBe('failed');
  });
});
