import type { StoredRecords } from '../harness/index.js';
import { crash } from '../support/crashed-runs.js';
import { createWorkflow, digest, feedOf, inApp, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const WINDOW_MS = 300_000;

/** Each test puts records into the state that a worker leaves when it dies at that moment. */
describe('a worker that dies in the middle of a digest', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);

  const notifications = (): StoredRecords => delivery.stored('notifications');
  const inMs = (ms: number): Date => new Date(delivery.clock.now().getTime() + ms);
  const contents = async (): Promise<string[]> => (await feedOf(session, 'ann')).map(({ content }) => content).sort();
  /** One event leads, the other follows. */
  const twoEvents = async (): Promise<{ leader: string; follower: string }> => {
    const { identifier } = await createWorkflow(session, [digest(), inApp('{{#each step.events}}{{n}},{{/each}}')]);
    const ids: string[] = [];
    for (const n of [1, 2]) {
      ids.push(await trigger(session, { name: identifier, to: 'ann', payload: { n } }));
      await delivery.drain();
      await delivery.clock.advance(1);
    }
    return { leader: ids[0] ?? '', follower: ids[1] ?? '' };
  };
  /** @param leaseMs how long the dead worker's lease still runs */
  const dieWhileJoining = async (transactionId: string, leaseMs: number, hasDeclared: boolean): Promise<void> => {
    await crash(
      notifications(),
      { transactionId },
      {
        leaseEnd: inMs(leaseMs),
        steps: ['running', 'pending'],
        without: hasDeclared ? [] : ['digestInto'],
      },
    );
  };

  it('should lose nothing when it died after it had named its master', async () => {
    const { follower } = await twoEvents();
    await dieWhileJoining(follower, 10_000, true);
    await delivery.drain(WINDOW_MS);
    expect(await contents()).toEqual(['1,2,']);
  });

  it('should count once what the master had counted in before the lease ended', async () => {
    const { follower } = await twoEvents();
    await dieWhileJoining(follower, WINDOW_MS + 60_000, true);
    await delivery.drain(3 * WINDOW_MS);
    expect(await contents()).toEqual(['1,2,']);
    expect(await notifications().find({ transactionId: follower })).toMatchObject([{ status: 'merged' }]);
  });

  it('should begin a new digest with what came too late for the old one', async () => {
    const { follower } = await twoEvents();
    await dieWhileJoining(follower, WINDOW_MS + 60_000, false);
    await delivery.drain(4 * WINDOW_MS);
    expect(await contents()).toEqual(['1,', '2,']);
  });

  it('should end a digest whose master died after it had given up its slot', async () => {
    const { leader } = await twoEvents();
    await crash(
      notifications(),
      { transactionId: leader },
      { leaseEnd: inMs(WINDOW_MS + 10_000), without: ['digestSlot'] },
    );
    await delivery.drain(2 * WINDOW_MS);
    expect(await contents()).toEqual(['1,2,']);
  });

  it('should hand the digest over although it died in the middle of that', async () => {
    const { leader } = await twoEvents();
    await crash(
      notifications(),
      { transactionId: leader },
      { leaseEnd: inMs(10_000), isCanceled: true, without: ['digestSlot'] },
    );
    await delivery.drain(2 * WINDOW_MS);
    expect(await contents()).toEqual(['2,']);
    expect(await notifications().find({ transactionId: leader })).toMatchObject([{ status: 'canceled' }]);
  });
});
