import { type Novu, TriggerRecipientsTypeEnum } from '@novu/node';
import { createWorkflow, delay, inApp } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';
import { legacyClient, pageOf, refusalOf, resultOf, type Shown } from '../support/legacy-client.js';

interface Accepted {
  acknowledged: boolean;
  status: string;
  transactionId: string;
}

describe('legacy client: events and messages', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  let novu: Novu;
  let hello: string;

  beforeEach(async () => {
    novu = legacyClient(delivery, session);
    const workflow = await createWorkflow(session, [
      inApp('Hello {{subscriber.firstName}} of {{tenant.name}}: {{text}}', { filters: [] }),
    ]);
    hello = workflow.identifier;
    await novu.tenants.create('acme', { name: 'Acme' });
  });

  const contentsOf = async (subscriberId: string): Promise<unknown[]> =>
    (await pageOf<Shown>(novu.subscribers.getNotificationsFeed(subscriberId))).data.map(({ content }) => content);

  describe('trigger', () => {
    it('should deliver to a subscriber that comes with the event', async () => {
      const accepted = await resultOf<Accepted>(
        novu.trigger(hello, {
          to: { subscriberId: 'ann', firstName: 'Ann' },
          payload: { text: 'welcome' },
          tenant: 'acme',
          transactionId: 'order-1',
        }),
        201,
      );
      expect(accepted).toEqual({ acknowledged: true, status: 'processed', transactionId: 'order-1' });
      await delivery.drain();
      expect(await contentsOf('ann')).toEqual(['Hello Ann of Acme: welcome']);
    });

    it('should deliver to all subscribers of a topic but its actor', async () => {
      await novu.subscribers.bulkCreate(['a', 'b', 'c'].map((subscriberId) => ({ subscriberId })));
      await novu.topics.create({ key: 'watchers', name: 'Watchers' });
      await novu.topics.addSubscribers('watchers', { subscribers: ['a', 'b', 'c'] });
      const to = [{ type: TriggerRecipientsTypeEnum.TOPIC as const, topicKey: 'watchers' }];
      await novu.events.trigger(hello, {
        to,
        actor: { subscriberId: 'c' },
        payload: { text: 'news' },
        tenant: { identifier: 'acme' },
      });
      await delivery.drain();
      expect(await Promise.all(['a', 'b', 'c'].map(async (id) => (await contentsOf(id)).length))).toEqual([1, 1, 0]);
    });

    it('should refuse an unknown workflow', async () => {
      const refusal = await refusalOf(novu.trigger('unknown', { to: 'ann', payload: {} }));
      expect(refusal).toMatchObject({ status: 422, message: 'workflow_not_found' });
    });
  });

  describe('bulkTrigger', () => {
    it('should answer for each event in order', async () => {
      const to = { subscriberId: 'ann' };
      const events = [
        { name: hello, to, payload: { text: '1' }, tenant: 'acme' },
        { name: 'unknown', to, payload: {} },
        { name: hello, to, payload: { text: '2' }, tenant: 'acme' },
      ];
      const results = await resultOf<Accepted[]>(novu.bulkTrigger(events), 201);
      expect(results.map(({ status }) => status)).toEqual(['processed', 'error', 'processed']);
      expect(results[1]).toMatchObject({ acknowledged: true, error: ['workflow_not_found'] });
      expect((await resultOf<Accepted[]>(novu.events.bulkTrigger(events.slice(0, 1)), 201))[0]?.status).toBe(
        'processed',
      );
    });
  });

  describe('broadcast', () => {
    it('should reach every subscriber', async () => {
      await novu.subscribers.bulkCreate([{ subscriberId: 'a' }, { subscriberId: 'b' }]);
      const accepted = await resultOf<Accepted>(
        novu.broadcast(hello, { payload: { text: 'all' }, tenant: { identifier: 'acme' } }),
        201,
      );
      expect(accepted).toMatchObject({ acknowledged: true, status: 'processed' });
      await resultOf(novu.events.broadcast(hello, { payload: { text: 'again' }, tenant: 'acme' }), 201);
      await delivery.drain();
      expect([...(await contentsOf('a')), ...(await contentsOf('b'))]).toHaveLength(4);
    });
  });

  describe('cancel', () => {
    it('should stop what waits', async () => {
      const { identifier } = await createWorkflow(session, [delay(), inApp('Late')]);
      const { transactionId } = await resultOf<Accepted>(novu.trigger(identifier, { to: 'ann', payload: {} }), 201);
      await delivery.drain();
      expect(await resultOf(novu.events.cancel(transactionId))).toBe(true);
      await delivery.drain(600_000);
      expect(await contentsOf('ann')).toEqual([]);
      expect(await resultOf(novu.events.cancel('unknown'))).toBe(false);
    });
  });

  describe('messages and execution details', () => {
    async function deliver(subscriberId: string, transactionId: string): Promise<void> {
      await novu.trigger(hello, { to: subscriberId, payload: { text: 'x' }, tenant: 'acme', transactionId });
      await delivery.drain(1_000);
    }

    it('should list messages by channel, subscriber and transaction', async () => {
      for (const id of ['t-1', 't-2', 't-3']) await deliver(id === 't-3' ? 'bob' : 'ann', id);
      const transactions = async (params: object): Promise<unknown[]> =>
        (await pageOf<Shown>(novu.messages.list(params))).data.map(({ transactionId }) => transactionId);
      expect(await transactions({})).toEqual(['t-3', 't-2', 't-1']);
      expect(await transactions({ channel: 'in_app', subscriberId: 'ann' })).toEqual(['t-2', 't-1']);
      expect(await transactions({ transactionIds: ['t-1', 't-3'] })).toEqual(['t-3', 't-1']);
      const page = await pageOf(novu.messages.list({ page: 1, limit: 2 }));
      expect(page).toMatchObject({ page: 1, pageSize: 2, hasMore: false });
    });

    it('should delete a message, and those of a transaction', async () => {
      await deliver('ann', 't-1');
      await deliver('ann', 't-2');
      const [newest] = (await pageOf<Shown>(novu.messages.list())).data;
      const answer = await resultOf(novu.messages.deleteById(newest?._id ?? ''));
      expect(answer).toEqual({ acknowledged: true, status: 'deleted' });
      expect((await novu.messages.deleteByTransactionId('t-1')).status).toBe(204);
      expect((await pageOf(novu.messages.list())).data).toEqual([]);
      expect(await refusalOf(novu.messages.deleteByTransactionId('t-1'))).toMatchObject({ status: 404 });
    });

    it('should tell the story of a notification', async () => {
      await deliver('ann', 't-1');
      const [message] = (await pageOf<Shown>(novu.messages.list())).data;
      const details = await resultOf<{ detail: string; transactionId: string }[]>(
        novu.executionDetails.get({ notificationId: String(message?.['_notificationId']), subscriberId: 'ann' }),
      );
      expect(details.map(({ detail }) => detail)).toEqual(expect.arrayContaining(['Step created', 'Message sent']));
      expect(new Set(details.map(({ transactionId }) => transactionId))).toEqual(new Set(['t-1']));
    });
  });
});
