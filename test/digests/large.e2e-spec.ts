import { ObjectId } from 'bson';
import type { TestSession } from '../harness/index.js';
import { createWorkflow, digest, feedOf, inApp, notificationOf } from '../support/delivery.js';
import { useDelivery } from '../support/herald.js';

const EVENTS = 2_100;
const BULK = 100;

describe('a digest of thousands of events', () => {
  const delivery = useDelivery();
  let session: TestSession;

  beforeAll(async () => {
    session = await delivery.session();
  });

  it('should tell all of them, and show the first ones in its trail', async () => {
    const { identifier: name } = await createWorkflow(session, [digest(), inApp('{{step.total_count}}')]);
    for (let from = 0; from < EVENTS; from += BULK) {
      const events = Array.from({ length: BULK }, (_, n) => ({
        name,
        to: 'ann',
        payload: { n: from + n },
        transactionId: `large-${from + n}`,
      }));
      await session.post('/v1/events/trigger/bulk', { events }).expect(201);
      await delivery.drain();
    }
    await delivery.drain(400_000);
    expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual([String(EVENTS)]);
    const _environmentId = new ObjectId(session.environmentId);
    const closed = { _environmentId, digestClosed: { $exists: true } };
    const [master] = await delivery.stored('notifications').find(closed);
    const { jobs } = await notificationOf(session, String(master?.['transactionId']));
    const collected = jobs[0]?.executionDetails.find(({ detail }) => detail === 'Digest triggered events');
    const raw = JSON.parse(collected?.raw ?? '{}') as { count: number; events: unknown[] };
    expect(raw.count).toBe(EVENTS);
    expect(raw.events).toHaveLength(100);
  });
});
