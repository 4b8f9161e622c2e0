import { ButtonTypeEnum, MessageActionStatusEnum, type Novu, PreferenceLevelEnum } from '@novu/node';
import { createWorkflow, email, inApp } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';
import { clientPasses, legacyClient, pageOf, refusalOf, resultOf, type Shown } from '../support/legacy-client.js';

describe('legacy client: what subscribers see and choose', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  let novu: Novu;

  beforeEach(() => {
    novu = legacyClient(delivery, session);
  });

  const buttons = [
    { type: 'primary', content: 'Accept' },
    { type: 'secondary', content: 'Decline' },
  ];

  /** Puts messages into the feed of `ann`, the first one being the oldest. @returns their ids, newest first */
  async function deliver(...orders: number[]): Promise<string[]> {
    const { identifier } = await createWorkflow(session, [
      { template: { type: 'in_app', content: 'Order {{order.id}}', cta: { type: 'redirect', action: { buttons } } } },
    ]);
    for (const id of orders) {
      await novu.trigger(identifier, { to: { subscriberId: 'ann', firstName: 'Ann' }, payload: { order: { id } } });
      await delivery.drain(1_000);
    }
    const { data } = await pageOf<Shown>(novu.subscribers.getNotificationsFeed('ann'));
    return data.map(({ _id }) => _id);
  }

  describe('feed', () => {
    it('should list the messages newest first, page by page', async () => {
      await deliver(1, 2, 3);
      const page = await pageOf<Shown>(novu.subscribers.getNotificationsFeed('ann', { page: 0, limit: 2 }));
      expect(page).toMatchObject({ page: 0, pageSize: 2, hasMore: true, totalCount: 3 });
      expect(page.data).toMatchObject([
        { content: 'Order 3', subscriber: { subscriberId: 'ann', firstName: 'Ann' }, seen: false, read: false },
        { content: 'Order 2', channel: 'in_app', template: { tags: [] } },
      ]);
    });

    it('should filter by payload, by state and by feed', async () => {
      const [newest = ''] = await deliver(1, 2);
      const contents = async (params: object): Promise<unknown[]> =>
        (await pageOf<Shown>(novu.subscribers.getNotificationsFeed('ann', params))).data.map(({ content }) => content);
      await novu.subscribers.markMessageRead('ann', newest);
      expect(await contents({ payload: { order: { id: 1 } } })).toEqual(['Order 1']);
      expect(await contents({ read: true })).toEqual(['Order 2']);
      expect(await contents({ seen: false })).toEqual(['Order 1']);
      expect(await contents({ feedIdentifier: 'unknown' })).toEqual([]);
    });

    it('should count seen and unseen messages', async () => {
      const [newest = ''] = await deliver(1, 2, 3);
      await novu.subscribers.markMessageSeen('ann', newest);
      expect(await resultOf(novu.subscribers.getUnseenCount('ann', false))).toEqual({ count: 2 });
      expect(await resultOf(novu.subscribers.getUnseenCount('ann', true))).toEqual({ count: 1 });
    });
  });

  describe('marks', () => {
    it('should mark a message as seen, as read and as neither', async () => {
      const [id = ''] = await deliver(1);
      const marked = async (call: Promise<{ status: number; data: unknown }>): Promise<unknown> =>
        (await resultOf<Shown[]>(call, 201)).map(({ _id, seen, read }) => ({ _id, seen, read }));
      expect(await marked(novu.subscribers.markMessageSeen('ann', id))).toEqual([{ _id: id, seen: true, read: false }]);
      expect(await marked(novu.subscribers.markMessageRead('ann', id))).toEqual([{ _id: id, seen: true, read: true }]);
      expect(await marked(novu.subscribers.markMessageAs('ann', id, { seen: false, read: false }))).toEqual([
        { _id: id, seen: false, read: false },
      ]);
    });

    it('should mark all messages and tell how many changed', async () => {
      await deliver(1, 2);
      const all = (mark: string): Promise<number> =>
        resultOf<number>(novu.subscribers.markAllMessagesAs('ann', mark as never), 201);
      expect(await all('seen')).toBe(2);
      expect(await all('seen')).toBe(0);
      expect(await all('read')).toBe(2);
    });

    it('should record that a button was used', async () => {
      const [id = ''] = await deliver(1);
      const acted = await resultOf(
        novu.subscribers.markMessageActionSeen('ann', id, ButtonTypeEnum.PRIMARY, {
          status: MessageActionStatusEnum.DONE,
          payload: { reason: 'fits' },
        }),
        201,
      );
      expect(acted).toMatchObject({
        _id: id,
        cta: { action: { status: 'done', result: { type: 'primary', payload: { reason: 'fits' } } } },
        subscriber: { subscriberId: 'ann' },
      });
    });
  });

  describe('preferences', () => {
    let workflowId: string;
    beforeEach(async () => {
      const workflow = await createWorkflow(session, [inApp('Hello'), email('Hello', 'Hello')]);
      workflowId = workflow._id;
      await novu.subscribers.identify('ann', {});
    });

    it('should show the preference of each active workflow', async () => {
      const on = {
        template: { _id: workflowId },
        preference: { enabled: true, channels: { email: true, in_app: true } },
      };
      const [shown] = await resultOf<{ preference: { channels: object } }[]>(novu.subscribers.getPreference('ann'));
      expect(shown).toMatchObject(on);
      expect(Object.keys(shown?.preference.channels ?? {}).sort()).toEqual(['email', 'in_app']);
      const [all] = await resultOf<{ preference: { channels: object } }[]>(
        novu.subscribers.getPreference('ann', { includeInactiveChannels: true }),
      );
      expect(Object.keys(all?.preference.channels ?? {})).toHaveLength(clientPasses.includeInactiveChannels ? 5 : 2);
      const byLevel = await resultOf(novu.subscribers.getPreferenceByLevel('ann', PreferenceLevelEnum.TEMPLATE));
      expect(byLevel).toEqual([shown]);
    });

    it('should switch a channel of a workflow and a workflow', async () => {
      const channel = { type: 'email' as never, enabled: false };
      const changed = await resultOf(novu.subscribers.updatePreference('ann', workflowId, { channel }));
      expect(changed).toMatchObject({ preference: { enabled: true, channels: { email: false, in_app: true } } });
      const off = await resultOf(novu.subscribers.updatePreference('ann', workflowId, { enabled: false }));
      expect(off).toMatchObject({ preference: { enabled: false } });
      expect(await resultOf(novu.subscribers.getPreference('ann'))).toMatchObject([{ preference: { enabled: false } }]);
    });

    it('should switch a channel of everything', async () => {
      const preferences = [{ type: 'in_app' as never, enabled: false }];
      const changed = await resultOf(novu.subscribers.updateGlobalPreference('ann', { enabled: true, preferences }));
      expect(changed).toMatchObject({ preference: { enabled: true, channels: { in_app: false, email: true } } });
      const [global] = await resultOf<unknown[]>(novu.subscribers.getGlobalPreference('ann'));
      expect(global).toMatchObject({ preference: { channels: { in_app: false, email: true } } });
    });

    it('should refuse a level that there is not', async () => {
      const refusal = await refusalOf(novu.subscribers.getPreferenceByLevel('ann', 'planet' as never));
      expect(refusal).toMatchObject({ status: 400, code: 'validation_failed' });
    });
  });
});
