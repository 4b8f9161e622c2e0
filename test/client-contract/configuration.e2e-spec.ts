import type { Novu } from '@novu/node';
import { SMTP_CREDENTIALS } from '../factories/integration.factory.js';
import { legacyClient, pageOf, refusalOf, resultOf, type Shown } from '../support/legacy-client.js';
import { useHerald } from '../support/herald.js';

describe('legacy client: integrations, layouts, topics, tenants and feeds', () => {
  const api = useHerald();
  let novu: Novu;

  beforeEach(async () => {
    novu = legacyClient(api, await api.session());
  });

  describe('integrations', () => {
    const mail = { channel: 'email' as never, active: true, check: false, credentials: SMTP_CREDENTIALS as never };

    it('should create an integration and list it', async () => {
      const made = await resultOf<Shown>(
        novu.integrations.create('nodemailer', { ...mail, identifier: 'mail-1' }),
        201,
      );
      expect(made).toMatchObject({
        providerId: 'nodemailer',
        channel: 'email',
        identifier: 'mail-1',
        active: true,
        primary: true,
      });
      expect(made['credentials']).toEqual(SMTP_CREDENTIALS);
      await novu.integrations.create('sendgrid', { channel: 'email' as never, active: false });
      expect(await resultOf(novu.integrations.getAll())).toHaveLength(2);
      expect((await resultOf<Shown[]>(novu.integrations.getActive())).map(({ _id }) => _id)).toEqual([made._id]);
    });

    it('should change an integration, make it the primary one and delete it', async () => {
      await novu.integrations.create('nodemailer', mail);
      const { _id } = await resultOf<Shown>(novu.integrations.create('nodemailer', { ...mail, name: 'Second' }), 201);
      const renamed = await resultOf(novu.integrations.update(_id, { name: 'Backup', check: false }));
      expect(renamed).toMatchObject({ name: 'Backup', primary: false, credentials: SMTP_CREDENTIALS });
      expect(await resultOf(novu.integrations.setIntegrationAsPrimary(_id))).toMatchObject({ primary: true });
      const remaining = await resultOf<Shown[]>(novu.integrations.delete(_id));
      expect(remaining.map((row) => row._id)).not.toContain(_id);
    });

    it('should tell the status of the in-app channel and of provider callbacks', async () => {
      expect(await resultOf(novu.integrations.getInAppStatus())).toEqual({ active: true });
      const credentials = { apiKey: 'SG.1', from: 'a@example.com', senderName: 'A' } as never;
      await novu.integrations.create('sendgrid', { ...mail, credentials });
      expect(await resultOf(novu.integrations.getWebhookProviderStatus('sendgrid'))).toBe(true);
    });
  });

  describe('layouts', () => {
    const layout = { name: 'Company', identifier: 'company', description: 'Logo', content: '<p>{{{body}}}</p>' };

    it('should create a layout and list it', async () => {
      const made = await resultOf<Shown>(novu.layouts.create({ ...layout, isDefault: true }), 201);
      expect(made._id).toMatch(/^[0-9a-f]{24}$/);
      const page = await pageOf<Shown>(
        novu.layouts.list({ page: 0, pageSize: 5, sortBy: 'createdAt', orderBy: -1 as never }),
      );
      expect(page).toMatchObject({ page: 0, pageSize: 5, totalCount: 1 });
      expect(page.data).toMatchObject([{ ...layout, _id: made._id, isDefault: true }]);
    });

    it('should find a layout by its id as this client asks for it, with a query', async () => {
      await novu.layouts.create(layout);
      const { _id } = await resultOf<Shown>(novu.layouts.create({ ...layout, identifier: 'plain' }), 201);
      const answer = await novu.layouts.get(_id);
      expect((answer.data as { data: Shown[] }).data.map((row) => row._id)).toContain(_id);
    });

    it('should change a layout, make it the default and delete another', async () => {
      const { _id } = await resultOf<Shown>(novu.layouts.create({ ...layout, isDefault: true }), 201);
      const other = await resultOf<Shown>(novu.layouts.create({ ...layout, identifier: 'plain' }), 201);
      const changed = await resultOf(novu.layouts.update(other._id, { name: 'Plain', content: '{{{body}}}' }));
      expect(changed).toMatchObject({ _id: other._id, name: 'Plain', content: '{{{body}}}', isDefault: false });
      expect((await novu.layouts.setDefault(other._id)).status).toBe(204);
      expect((await novu.layouts.delete(_id)).status).toBe(204);
      expect(await refusalOf(novu.layouts.delete(other._id))).toMatchObject({ status: 409 });
    });
  });

  describe('topics', () => {
    it('should create, list, show, rename and delete a topic', async () => {
      const made = await resultOf<Shown>(novu.topics.create({ key: 'orders', name: 'Orders' }), 201);
      expect(made).toMatchObject({ key: 'orders' });
      const page = await pageOf<Shown>(novu.topics.list({ page: 0, pageSize: 10, key: 'orders' }));
      expect(page).toMatchObject({ page: 0, pageSize: 10, totalCount: 1, data: [{ _id: made._id, name: 'Orders' }] });
      expect(await resultOf(novu.topics.get('orders'))).toMatchObject({
        key: 'orders',
        name: 'Orders',
        subscribers: [],
      });
      expect(await resultOf(novu.topics.rename('orders', 'All orders'))).toMatchObject({ name: 'All orders' });
      expect((await novu.topics.delete('orders')).status).toBe(204);
      expect(await refusalOf(novu.topics.get('orders'))).toMatchObject({ status: 404 });
    });

    it('should add, find and remove subscribers', async () => {
      await novu.subscribers.bulkCreate([{ subscriberId: 'ann' }, { subscriberId: 'bob' }]);
      const result = await resultOf(novu.topics.addSubscribers('orders', { subscribers: ['ann', 'bob', 'nobody'] }));
      expect(result).toEqual({ succeeded: ['ann', 'bob'], failed: { notFound: ['nobody'] } });
      const link = { topicKey: 'orders', externalSubscriberId: 'ann' };
      expect(await resultOf(novu.topics.checkSubscriber('orders', 'ann'))).toMatchObject(link);
      expect(await resultOf(novu.topics.getSubscriber('orders', 'ann'))).toMatchObject(link);
      expect((await novu.topics.removeSubscribers('orders', { subscribers: ['ann'] })).status).toBe(204);
      expect(await refusalOf(novu.topics.checkSubscriber('orders', 'ann'))).toMatchObject({ status: 404 });
    });
  });

  describe('tenants', () => {
    it('should create, list, show, change and delete a tenant', async () => {
      const made = await resultOf<Shown>(novu.tenants.create('acme', { name: 'Acme', data: { plan: 'gold' } }), 201);
      expect(made).toMatchObject({ identifier: 'acme', name: 'Acme', data: { plan: 'gold' } });
      expect(await resultOf(novu.tenants.get('acme'))).toEqual(made);
      const page = await pageOf<Shown>(novu.tenants.list({ page: 0, limit: 5 }));
      expect(page).toMatchObject({ page: 0, pageSize: 5, hasMore: false, data: [{ _id: made._id }] });
      const changed = await resultOf(novu.tenants.update('acme', { identifier: 'acme-2', name: 'Acme Two' }));
      expect(changed).toMatchObject({ _id: made._id, identifier: 'acme-2', name: 'Acme Two' });
      expect((await novu.tenants.delete('acme-2')).status).toBe(204);
      expect(await refusalOf(novu.tenants.get('acme-2'))).toMatchObject({ status: 404 });
    });
  });

  describe('feeds', () => {
    it('should create, list and delete a feed', async () => {
      const made = await resultOf<Shown>(novu.feeds.create('Activities'), 201);
      expect(made).toMatchObject({ name: 'Activities', identifier: 'Activities' });
      expect(await resultOf(novu.feeds.get())).toMatchObject([{ _id: made._id }]);
      expect(await refusalOf(novu.feeds.create('Activities'))).toMatchObject({ status: 409 });
      expect(await resultOf(novu.feeds.delete(made._id))).toEqual([]);
    });
  });
});
