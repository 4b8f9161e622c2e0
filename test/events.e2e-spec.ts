import type { TestSession } from '#libs/testing';
import { createWorkflow, type DeliveryApi, feedOf, inApp, startDeliveryApi, trigger } from './support/delivery.js';

describe('events', () => {
  let delivery: DeliveryApi;
  let session: TestSession;

  beforeAll(async () => {
    delivery = await startDeliveryApi('events');
  });
  beforeEach(async () => {
    session = await delivery.api.session();
  });
  afterAll(() => delivery.api.close());

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
  });
});
