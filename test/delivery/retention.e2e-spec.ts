import { createWorkflow, delay, digest, feedOf, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useSession } from '../support/test-api.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the store would remove by its own clock is looked at by the time that is written for it. */
describe('retention of what waits', () => {
  const delivery = useDeliveryApi('retention', { RETENTION_DAYS: '1' });
  const session = useSession(delivery.api);

  /** When the only record of a collection that matches may go at the earliest, from now. */
  const leftMs = async (collection: string, filter: object): Promise<number> => {
    const [row, ...others] = await delivery.rows(collection, filter);
    expect(others).toEqual([]);
    return (row?.['expireAt'] as Date).getTime() - delivery.clock.now().getTime();
  };

  it('should keep event, files and the version of the workflow until a long delay is over', async () => {
    const { identifier, _id } = await createWorkflow(session, [delay({ amount: 3, unit: 'months' }), inApp('late')]);
    const file = Buffer.from('content').toString('base64');
    const transactionId = await trigger(session, {
      name: identifier,
      to: 'ann',
      payload: { attachments: [{ name: 'a.txt', mime: 'text/plain', file }] },
    });
    await delivery.drain();
    const [event] = await delivery.rows('triggerEvents', { transactionId });
    const [attachment] = event?.['attachments'] as { _id: object }[];
    const waitMs = 89 * DAY_MS;
    expect(await leftMs('triggerEvents', { transactionId })).toBeGreaterThan(waitMs);
    expect(await leftMs('attachments', { _attachmentId: attachment?._id })).toBeGreaterThan(waitMs);
    expect(await leftMs('workflowSnapshots', { _id: { $regex: `^${_id}:` } })).toBeGreaterThan(waitMs);
  });

  it('should keep an event through many short delays one after the other', async () => {
    const steps = Array.from({ length: 4 }, () => delay({ amount: 20, unit: 'hours' }));
    const { identifier } = await createWorkflow(session, [...steps, inApp('late')]);
    const transactionId = await trigger(session, { name: identifier, to: 'ann' });
    for (let step = 0; step < 4; step += 1) {
      await delivery.drain(step === 0 ? 0 : 20 * HOUR_MS);
      expect(await leftMs('triggerEvents', { transactionId })).toBeGreaterThan(20 * HOUR_MS);
    }
    await delivery.drain(20 * HOUR_MS);
    expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual(['late']);
  });

  it('should let a version of a workflow go some time after its last event', async () => {
    const { identifier, _id } = await createWorkflow(session, [inApp('now')]);
    const left = async (): Promise<number> => leftMs('workflowSnapshots', { _id: { $regex: `^${_id}:` } });
    await trigger(session, { name: identifier, to: 'ann' });
    const first = await left();
    expect(first).toBeLessThan(120 * DAY_MS);
    delivery.clock.advance(40 * DAY_MS);
    await trigger(session, { name: identifier, to: 'ann' });
    expect(await left()).toBeGreaterThanOrEqual(first);
  });

  it('should keep the trail of a run as long as the run, through one wait after the other', async () => {
    const { identifier } = await createWorkflow(session, [
      delay({ amount: 10, unit: 'days' }),
      delay({ amount: 20, unit: 'days' }),
      inApp('late'),
    ]);
    const transactionId = await trigger(session, { name: identifier, to: 'ann' });
    // The record of a run that waits does not expire, and its trail is in it.
    const kept = async (): Promise<unknown[]> => {
      const runs = await delivery.rows('notifications', { transactionId });
      expect(await delivery.rows('executionDetails', { transactionId })).toEqual([]);
      return runs.map(({ expireAt, trail }) => [expireAt, (trail as { d: string }[]).map(({ d }) => d)]);
    };
    const created = ['Step created', 'Step created', 'Step created'];
    await delivery.drain();
    expect(await kept()).toEqual([[undefined, [...created, 'Step queued', 'Step delayed']]]);
    await delivery.drain(10 * DAY_MS);
    expect(await kept()).toEqual([
      [undefined, [...created, 'Step queued', 'Step delayed', 'Delay is finished', 'Step queued', 'Step delayed']],
    ]);
    await delivery.drain(20 * DAY_MS);
    expect(await leftMs('notifications', { transactionId })).toBe(DAY_MS);
    const { identifier: digested } = await createWorkflow(session, [
      digest({ amount: 5, unit: 'days' }),
      inApp('late'),
    ]);
    for (const id of ['master', 'follower']) {
      await trigger(session, { name: digested, to: 'ann', transactionId: id });
      await delivery.drain();
      const [run] = await delivery.rows('notifications', { transactionId: id });
      expect(run).toMatchObject({ trail: expect.arrayContaining([{ d: 'Step created' }]) as unknown });
      if (id === 'master') expect(run).not.toHaveProperty('expireAt');
      else expect(await leftMs('notifications', { transactionId: id })).toBeGreaterThan(5 * DAY_MS);
      for (const { expireAt } of await delivery.rows('executionDetails', { transactionId: id })) {
        expect((expireAt as Date).getTime()).toBeGreaterThan(delivery.clock.now().getTime() + 5 * DAY_MS);
      }
    }
  });
});
