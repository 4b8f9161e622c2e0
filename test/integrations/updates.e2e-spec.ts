import { activeEmailFactory, discordFactory, IN_APP, integrationFactory } from '../factories/integration.factory.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { codeOf, dataOf, faultsOf, fieldsOf, type Json } from '../support/answers.js';
import { callsOf } from '../support/resource-calls.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

const PATH = '/v1/integrations';
const { one, make, put, list } = callsOf(PATH, () => session);
const UNKNOWN = { _id: UNKNOWN_ID };

describe('/v1/integrations', () => {
  describe('PUT /{integrationId}', () => {
    it('should replace credentials whole and keep what is absent', async () => {
      const made = await make(
        integrationFactory({ name: 'One', identifier: 'one', credentials: { host: 'a', user: 'b' } }),
      );
      const after = await put(made, { credentials: { host: 'c' } });
      expect(after).toEqual({ ...made, credentials: { host: 'c' }, __v: 1, updatedAt: after['updatedAt'] });
      expect(await put(made, { name: 'Two' })).toMatchObject({
        name: 'Two',
        identifier: 'one',
        credentials: { host: 'c' },
      });
      expect(await put(made, { identifier: 'two' })).toMatchObject({ name: 'Two', identifier: 'two' });
      expect(await put(made, { credentials: null })).toMatchObject({ credentials: {} });
    });

    it('should not change provider and channel', async () => {
      const made = await make(integrationFactory());
      expect(await put(made, { providerId: 'ses', channel: 'sms', name: 'x' })).toMatchObject({
        providerId: 'nodemailer',
        channel: 'email',
      });
    });

    it.each([[{}], [{ check: false }], [{ name: null }], [{ unknown: 1 }]])('should refuse %p', async (body) => {
      const made = await make(integrationFactory());
      expect(await codeOf(session.put(one(made), body), 400)).toBe('nothing_to_update');
    });

    it('should refuse what would make an active one incomplete', async () => {
      const made = await make(activeEmailFactory());
      expect(await faultsOf(session.put(one(made), { credentials: { host: 'x' } }))).toEqual(
        expect.arrayContaining([expect.stringMatching(/^credentials\.port /) as string]),
      );
      await put(made, { credentials: { host: 'x' }, active: false });
      expect(fieldsOf(await faultsOf(session.put(one(made), { active: true })))).toContain('credentials.port');
    });

    it('should not be outwitted by two updates at once', async () => {
      for (let round = 0; round < 5; round++) {
        const made = await make(activeEmailFactory({ active: false }));
        await Promise.all([session.put(one(made), { active: true }), session.put(one(made), { credentials: {} })]);
        const after = (await list()).find(({ _id }) => _id === made['_id']);
        expect(after?.['active'] === true && Object.keys(after['credentials'] as object).length === 0).toBe(false);
      }
    });

    it('should refuse an identifier that is taken', async () => {
      await make(integrationFactory({ identifier: 'taken' }));
      const made = await make(integrationFactory({ identifier: 'mine' }));
      expect(await codeOf(session.put(one(made), { identifier: 'taken' }), 409)).toBe('integration_identifier_taken');
      await put(made, { identifier: 'mine' });
    });

    it('should answer 404 for an unknown id and 400 for none', async () => {
      await session.put(one(UNKNOWN), { name: 'x' }).expect(404);
      await session.put(`${PATH}/none`, { name: 'x' }).expect(400);
    });

    it('should report all faults at once', async () => {
      const faults = await faultsOf(
        session.put(one(UNKNOWN), { name: 5, active: 'x', credentials: 1, conditions: 'x' }),
      );
      expect([...new Set(fieldsOf(faults))].sort()).toEqual(['active', 'conditions', 'credentials', 'name']);
    });
  });

  describe('DELETE /{integrationId}', () => {
    it('should answer with the remaining ones, in order without a gap', async () => {
      const first = await make(activeEmailFactory());
      const second = await make(activeEmailFactory());
      const third = await make(activeEmailFactory());
      const rest = await dataOf<Json[]>(session.delete(one(third)), 200);
      expect(rest.map(({ _id, priority, primary }) => [_id, priority, primary])).toEqual([
        [second['_id'], 1, false],
        [first['_id'], 2, true],
      ]);
      const last = await dataOf<Json[]>(session.delete(one(first)), 200);
      expect(last.map(({ priority, primary }) => [priority, primary])).toEqual([[1, false]]);
    });

    it('should answer 400 for an id that is none', async () => {
      await session.delete(`${PATH}/none`).expect(400);
    });
  });

  describe('GET /in-app/status', () => {
    const status = (): Promise<Json> => dataOf(session.get(`${PATH}/in-app/status`), 200);

    it('should be on without an integration, and follow one where there is one', async () => {
      expect(await status()).toEqual({ active: true });
      const made = await make({ ...IN_APP, active: false });
      expect(await status()).toEqual({ active: false });
      await put(made, { active: true });
      expect(await status()).toEqual({ active: true });
    });
  });

  describe('GET /webhook/provider/{providerOrIntegrationId}/status', () => {
    const path = (reference: unknown): string => `${PATH}/webhook/provider/${String(reference)}/status`;

    it('should answer by provider, identifier and id', async () => {
      const made = await make(activeEmailFactory());
      for (const reference of ['nodemailer', made['identifier'], made['_id']]) {
        expect(await dataOf<boolean>(session.get(path(reference)), 200)).toBe(false);
      }
    });

    it('should refuse other channels, and integrations without credentials', async () => {
      await make(discordFactory());
      await make(integrationFactory());
      expect(await codeOf(session.get(path('discord')), 400)).toBe('callbacks_not_supported');
      expect(await codeOf(session.get(path('nodemailer')), 400)).toBe('integration_without_credentials');
    });
  });
});
