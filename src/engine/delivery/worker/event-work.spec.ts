import { Types } from 'mongoose';
import { Background } from '#libs/work';
import type { CanceledEvents } from '../expansion/canceled-events.js';
import type { Expander } from '../expansion/expander.js';
import type { DeliveryQueues } from '../queues/delivery-queues.js';
import type { TriggerEventRecord } from '../records/trigger-event.js';
import type { AbandonedEvents } from '../run/lost-runs.js';
import { EventWork } from './event-work.js';

const environmentId = new Types.ObjectId();
const event = (): TriggerEventRecord =>
  ({
    _id: new Types.ObjectId(),
    _environmentId: environmentId,
    recipients: { list: [{ subscriberId: 'ann' }], topics: [] },
    status: 'expanding',
  }) as unknown as TriggerEventRecord;

describe('EventWork', () => {
  it('should ask for the next claim once, as soon as an environment has room for it, though others have room all the time', async () => {
    const running: (() => void)[] = [];
    const expander = {
      expand: () => new Promise<TriggerEventRecord[]>((resolve) => running.push(() => resolve([]))),
    } as unknown as Expander;
    const background = new Background((error) => {
      throw error;
    });
    const work = new EventWork(expander, {} as CanceledEvents, {} as AbandonedEvents, {} as DeliveryQueues, background);
    let claims = 0;
    work.open(() => (claims += 1));
    work.expand(Array.from({ length: 2_000 }, event));
    const claimsAfterEach: number[] = [];
    for (let batch = 0; batch < 4; batch += 1) {
      running[batch]?.();
      // The end of a batch takes a few turns.
      await new Promise((resolve) => setImmediate(resolve));
      claimsAfterEach.push(claims);
    }
    await background.settle();
    expect(running).toHaveLength(4);
    expect(claimsAfterEach).toEqual([0, 1, 1, 1]);
  });
});
