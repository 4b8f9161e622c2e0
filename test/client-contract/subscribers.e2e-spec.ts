import { fcmFactory } from '../factories/integration.factory.js';
import type { Novu } from '@novu/node';
import { legacyClient, pageOf, refusalOf, resultOf, type Shown } from '../support/legacy-client.js';
import { useHerald } from '../support/herald.js';

describe('legacy client: subscribers', () => {
  const api = useHerald();
  let novu: Novu;

  beforeEach(async () => {
    novu = legacyClient(api, await api.session());
  });

  const ann = {
    email: 'ann@example.com',
    firstName: 'Ann',
    lastName: 'Miller',
    phone: '+4930123456',
    avatar: 'https://example.com/ann.png',
    locale: 'en_GB',
    data: { plan: 'gold', seats: 5 },
  };

  describe('profile', () => {
    it('should identify a subscriber and show it', async () => {
      const made = await resultOf<Shown>(novu.subscribers.identify('ann', ann), 201);
      expect(made).toMatchObject({ ...ann, subscriberId: 'ann', id: made._id, channels: [], deleted: false });
      expect(await resultOf(novu.subscribers.get('ann'))).toEqual(made);
    });

    it('should keep what is not said when a known subscriber is identified again', async () => {
      const { _id } = await resultOf<Shown>(novu.subscribers.identify('ann', ann), 201);
      const again = await resultOf<Shown>(novu.subscribers.identify('ann', { phone: '+49301' }), 201);
      expect(again).toMatchObject({ ...ann, _id, phone: '+49301' });
    });

    it('should change what is said by an update', async () => {
      await novu.subscribers.identify('ann', ann);
      const changed = await resultOf<Shown>(novu.subscribers.update('ann', { lastName: 'Smith', data: { seats: 6 } }));
      expect(changed).toMatchObject({ firstName: 'Ann', lastName: 'Smith', data: { seats: 6 } });
      const refusal = await refusalOf(novu.subscribers.update('nobody', { lastName: 'Smith' }));
      expect(refusal).toMatchObject({ status: 404, code: 'subscriber_not_found' });
    });

    it('should delete a subscriber', async () => {
      await novu.subscribers.identify('ann', ann);
      const answer = await resultOf(novu.subscribers.delete('ann'));
      expect(answer).toEqual({ acknowledged: true, status: 'deleted' });
      expect(await refusalOf(novu.subscribers.get('ann'))).toMatchObject({ status: 404 });
    });

    it('should record whether a subscriber is online', async () => {
      await novu.subscribers.identify('ann', ann);
      expect(await resultOf(novu.subscribers.updateOnlineStatus('ann', true))).toMatchObject({ isOnline: true });
      expect(await resultOf(novu.subscribers.updateOnlineStatus('ann', false))).toMatchObject({
        isOnline: false,
        lastOnlineAt: expect.stringMatching(/Z$/),
      });
    });
  });

  describe('many', () => {
    it('should import subscribers and list them page by page', async () => {
      await novu.subscribers.identify('s-1', { firstName: 'Known' });
      const subscribers = Array.from({ length: 12 }, (_, i) => ({
        subscriberId: `s-${i}`,
        email: `s${i}@example.com`,
      }));
      const result = await resultOf<Record<'created' | 'updated' | 'failed', unknown[]>>(
        novu.subscribers.bulkCreate(subscribers),
        201,
      );
      expect(result.created).toHaveLength(11);
      expect(result).toMatchObject({ updated: [{ subscriberId: 's-1' }], failed: [] });

      const first = await pageOf<Shown>(novu.subscribers.list());
      expect(first).toMatchObject({ page: 0, pageSize: 10, hasMore: true });
      const second = await pageOf<Shown>(novu.subscribers.list(1, 10));
      expect(second).toMatchObject({ page: 1, pageSize: 10, hasMore: false });
      const ids = [...first.data, ...second.data].map(({ subscriberId }) => subscriberId);
      expect(ids.sort()).toEqual(subscribers.map(({ subscriberId }) => subscriberId).sort());
    });
  });

  describe('channel credentials', () => {
    beforeEach(async () => {
      await novu.subscribers.identify('ann', ann);
      const push = {
        channel: 'push' as never,
        active: true,
        check: false,
        credentials: fcmFactory()['credentials'] as never,
      };
      await novu.integrations.create('fcm', { ...push, identifier: 'fcm-1' });
      await novu.integrations.create('discord', { channel: 'chat' as never, active: true, credentials: {} });
    });

    const entries = async (): Promise<unknown> => (await resultOf<Shown>(novu.subscribers.get('ann')))['channels'];

    it('should keep the tokens and the webhook of a provider', async () => {
      const webhookUrl = 'https://discord.com/api/webhooks/1/x';
      await resultOf(novu.subscribers.setCredentials('ann', 'discord', { webhookUrl }));
      const shown = await resultOf(
        novu.subscribers.setCredentials('ann', 'fcm', { deviceTokens: ['a', 'b', 'a'] }, 'fcm-1'),
      );
      expect(shown).toMatchObject({
        subscriberId: 'ann',
        channels: [
          { providerId: 'discord', credentials: { webhookUrl } },
          { providerId: 'fcm', integrationIdentifier: 'fcm-1', credentials: { deviceTokens: ['a', 'b'] } },
        ],
      });
    });

    it('should unset the tokens and delete the entry', async () => {
      await novu.subscribers.setCredentials('ann', 'fcm', { deviceTokens: ['a'] });
      const unset = await resultOf<Shown>(novu.subscribers.unsetCredentials('ann', 'fcm'));
      expect(unset).toMatchObject({ channels: [{ providerId: 'fcm', credentials: { deviceTokens: [] } }] });
      expect((await novu.subscribers.deleteCredentials('ann', 'fcm')).status).toBe(204);
      expect(await entries()).toEqual([]);
    });

    it('should say that no integration of the provider is active', async () => {
      const refusal = await refusalOf(
        novu.subscribers.setCredentials('ann', 'slack', { webhookUrl: 'https://x.test' }),
      );
      expect(refusal.status).toBe(400);
      expect(refusal.message).toContain('slack');
    });
  });
});
