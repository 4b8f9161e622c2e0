import { itBehavesLikeAResource, type TestSession } from '../harness/index.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();

const BODY = { url: 'https://example.com/hook', events: ['message.sent'] };
const create = (session: TestSession, more: Json = {}): Promise<Json> =>
  dataOf(session.post('/v1/webhooks', { ...BODY, ...more }), 201);
const pathOf = (webhook: Json): string => `/v1/webhooks/${String(webhook['_id'])}`;

describe('/v1/webhooks', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/webhooks',
    create: async (session) => {
      const { secret, ...shown } = await create(session);
      expect(secret).toMatch(/^whsec_/);
      return shown;
    },
    itemPath: pathOf,
    list: { shape: 'page' },
    remove: { path: pathOf, status: 204 },
    writes: [
      { method: 'patch', path: pathOf, body: { active: false } },
      { method: 'post', path: (webhook) => `${pathOf(webhook)}/secret/rotate` },
      { method: 'post', path: (webhook) => `${pathOf(webhook)}/test` },
      { method: 'post', path: (webhook) => `${pathOf(webhook)}/deliveries/0123456789abcdef01234567/replay` },
    ],
    unknownPath: '/v1/webhooks/0123456789abcdef01234567',
  });

  describe('POST', () => {
    it('should answer with the webhook and its secret', async () => {
      const session = await api.session();
      expect(await create(session, { description: 'Orders', active: false })).toEqual({
        _id: expect.any(String) as string,
        id: expect.any(String) as string,
        _environmentId: session.environmentId,
        _organizationId: session.organizationId,
        ...BODY,
        description: 'Orders',
        active: false,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/) as string,
        deleted: false,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        __v: 0,
      });
    });

    it.each([
      [{ url: undefined }, 'url is required and must be an http or https URL'],
      [{ url: 'ftp://example.com' }, 'url must be an http or https URL'],
      [{ url: 'https://a:b@example.com' }, 'url must not hold a user name or password'],
      [{ events: [] }, 'events should not be empty'],
      [{ events: ['message.sent', 'message.sent'] }, 'events must not contain an entry twice'],
      [{ events: 'message.sent' }, 'events must be an array'],
      [{ active: 'yes' }, 'active must be a boolean value'],
    ])('should refuse %j', async (change, fault) => {
      const session = await api.session();
      expect(await faultsOf(session.post('/v1/webhooks', { ...BODY, ...change }))).toContain(fault);
    });

    it('should refuse events that there are not', async () => {
      const session = await api.session();
      const [fault] = await faultsOf(session.post('/v1/webhooks', { ...BODY, events: ['message.lost'] }));
      expect(fault).toContain('events.0 must be one of the following values: message.sent');
    });

    it('should take fifty in an environment and refuse more', async () => {
      const session = await api.session();
      for (let made = 0; made < 50; made += 1) await create(session);
      expect(await codeOf(session.post('/v1/webhooks', BODY), 409)).toBe('too_many_webhooks');
    });
  });

  describe('PATCH', () => {
    it('should change what is given and keep the rest', async () => {
      const session = await api.session();
      const webhook = await create(session, { description: 'Orders' });
      const changed = await dataOf(
        session.patch(pathOf(webhook), { events: ['message.read'], description: null }),
        200,
      );
      expect(changed).toMatchObject({ url: BODY.url, events: ['message.read'], active: true });
      expect(changed).not.toHaveProperty('description');
      expect(changed).not.toHaveProperty('secret');
    });

    it('should refuse what a new one could not have', async () => {
      const session = await api.session();
      const webhook = await create(session);
      expect(await faultsOf(session.patch(pathOf(webhook), { url: 'nowhere' }))).toEqual([
        'url must be an http or https URL',
      ]);
    });
  });

  describe('secret', () => {
    it('should be read again, by its own environment only', async () => {
      const [session, sibling] = await api.siblings();
      const webhook = await create(session);
      const { secret } = webhook;
      expect(await dataOf(session.get(`${pathOf(webhook)}/secret`), 200)).toEqual({ secret });
      await sibling.get(`${pathOf(webhook)}/secret`).expect(404);
    });

    it('should not be stored in clear text', async () => {
      const webhook = await create(await api.session());
      const rows = JSON.stringify(await api.stored('webhookEndpoints').find({}));
      expect(rows).toContain(String(webhook['_id']));
      expect(rows).not.toContain(String(webhook['secret']));
    });

    it('should be replaced, and say until when the former one signs as well', async () => {
      const session = await api.session();
      const webhook = await create(session);
      const rotated = await dataOf(session.post(`${pathOf(webhook)}/secret/rotate`), 201);
      expect(rotated['secret']).not.toBe(webhook['secret']);
      expect(Date.parse(String(rotated['formerSecretUntil']))).toBeGreaterThan(Date.now() + 80_000_000);
      expect(await dataOf(session.get(`${pathOf(webhook)}/secret`), 200)).toEqual(rotated);
    });
  });
});
