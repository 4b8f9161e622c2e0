import { createWorkflow, delay, digest, feedOf, inApp, trigger } from '../support/delivery.js';
import { dataOf, pageOf } from '../support/answers.js';
import { useDelivery, useSession } from '../support/herald.js';

describe('events', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);

  describe('POST /v1/events/trigger', () => {
    it('should put a rendered message into the feed of a new subscriber', async () => {
      const { identifier } = await createWorkflow(session, [
        inApp('Hello {{subscriber.firstName}}, order {{order.id}}'),
      ]);
      const transactionId = await trigger(session, {
        name: identifier,
        to: { subscriberId: 'ann', firstName: 'Ann' },
        payload: { order: { id: 4711 } },
      });
      await delivery.drain();
      const feed = await feedOf(session, 'ann');
      expect(feed).toMatchObject([
        { content: 'Hello Ann, order 4711', transactionId, status: 'sent', channel: 'in_app' },
      ]);
    });

    it('should render the title and the subject of a message as well', async () => {
      const template = {
        type: 'in_app',
        content: 'Body',
        title: 'Order {{number}}',
        subject: 'For {{subscriber.firstName}}',
      };
      const { identifier } = await createWorkflow(session, [{ template }]);
      const to = { subscriberId: 'ann', firstName: 'Ann' };
      await trigger(session, { name: identifier, to, payload: { number: 7 } });
      await delivery.drain();
      expect(await feedOf(session, 'ann')).toMatchObject([{ title: 'Order 7', subject: 'For Ann', content: 'Body' }]);
    });

    it('should tell the story of the step in order', async () => {
      const { identifier } = await createWorkflow(session, [inApp('Hello')]);
      const transactionId = await trigger(session, { name: identifier, to: 'ann', payload: { a: 1 } });
      await delivery.drain();
      const { data, hasMore } = await pageOf<ShownNotification>(
        session.get(`/v1/notifications?transactionId=${transactionId}`),
      );
      expect(hasMore).toBe(false);
      expect(data).toMatchObject([
        {
          status: 'completed',
          transactionId,
          channels: ['in_app'],
          payload: { a: 1 },
          subscriber: { subscriberId: 'ann' },
          template: { triggers: [{ identifier }] },
          jobs: [{ type: 'in_app', status: 'completed', providerId: 'novu' }],
        },
      ]);
      expect(data[0]?.jobs[0]?.executionDetails.map(({ detail }) => detail)).toEqual([
        'Step created',
        'Step queued',
        'Start sending message',
        'Message created',
        'Message sent',
      ]);
      // A single notification tells the history of its jobs as well.
      const one = await dataOf<ShownNotification>(session.get(`/v1/notifications/${data[0]?._id}`), 200);
      expect({ ...one, jobs: one.jobs.map(({ history: _history, ...job }) => job) }).toEqual(data[0]);
      await session.get('/v1/notifications/64f0c1a2b3c4d5e6f7a8b9c0').expect(404);
    });
  });

  describe('steps that wait', () => {
    it('should deliver after a delay and not before', async () => {
      const { identifier } = await createWorkflow(session, [delay(), inApp('Late')]);
      await trigger(session, { name: identifier, to: 'ann' });
      await delivery.drain(299_000);
      expect(await feedOf(session, 'ann')).toEqual([]);
      await delivery.drain(1_000);
      expect(await feedOf(session, 'ann')).toHaveLength(1);
    });

    it('should join fifty events at once into one message', async () => {
      const { identifier } = await createWorkflow(session, [
        digest(),
        inApp('{{step.total_count}}:{{#each step.events}}{{n}} {{/each}}'),
      ]);
      const ns = Array.from({ length: 50 }, (_, n) => n);
      await Promise.all(ns.map((n) => trigger(session, { name: identifier, to: 'ann', payload: { n } })));
      await delivery.drain(300_000);
      const feed = await feedOf(session, 'ann');
      expect(feed).toHaveLength(1);
      const [count, list] = feed[0]?.content.split(':') ?? [];
      expect(count).toBe('50');
      expect(
        (list ?? '')
          .trim()
          .split(' ')
          .map(Number)
          .sort((a, b) => a - b),
      ).toEqual(ns);
      const data = await dataOf<ShownNotification[]>(session.get('/v1/notifications?limit=100'), 200);
      expect(data.filter(({ status }) => status === 'merged')).toHaveLength(49);
      expect(data.filter(({ status }) => status === 'completed')).toHaveLength(1);
    });

    it('should list the events of a digest as they were accepted, whichever of them leads it', async () => {
      const { identifier } = await createWorkflow(session, [
        delay({ amount: 1, unit: 'minutes' }),
        digest(),
        inApp('{{#each step.events}}{{n}} {{/each}}'),
      ]);
      const later = { delay: { amount: 2, unit: 'minutes' as const } };
      await trigger(session, { name: identifier, to: 'ann', payload: { n: 0 }, overrides: later });
      await trigger(session, { name: identifier, to: 'ann', payload: { n: 1 } });
      await delivery.drain(60_000);
      await delivery.drain(60_000);
      await delivery.drain(300_000);
      expect((await feedOf(session, 'ann')).map(({ content }) => content.trim())).toEqual(['0 1']);
    });

    it('should keep the order of events that were accepted in the same millisecond', async () => {
      const { identifier } = await createWorkflow(session, [digest(), inApp('{{#each step.events}}{{n}} {{/each}}')]);
      for (const n of [0, 1, 2, 3, 4, 5, 6, 7]) await trigger(session, { name: identifier, to: 'ann', payload: { n } });
      await delivery.drain(300_000);
      expect((await feedOf(session, 'ann')).map(({ content }) => content.trim())).toEqual(['0 1 2 3 4 5 6 7']);
    });
  });
});

interface ShownNotification {
  _id: string;
  status: string;
  jobs: { _id: string; status: string; history?: unknown; executionDetails: { detail: string }[] }[];
}
