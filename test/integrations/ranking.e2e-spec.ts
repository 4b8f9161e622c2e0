import {
  activeEmailFactory,
  CONDITIONS,
  discordFactory,
  fcmFactory,
  IN_APP,
  integrationFactory,
  SMTP_CREDENTIALS,
} from '../factories/integration.factory.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { callsOf } from '../support/resource-calls.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

const PATH = '/v1/integrations';
const { one, make, put, list } = callsOf(PATH, () => session);
const setPrimary = (integration: Json): Promise<Json> =>
  dataOf(session.post(`${one(integration)}/set-primary`, {}), 200);
const UNKNOWN = { _id: UNKNOWN_ID };

/** `[priority, primary]` of each, looked up in the list. */
async function standings(...integrations: Json[]): Promise<unknown[]> {
  const rows = new Map((await list()).map((row) => [row['_id'], row]));
  return integrations.map(({ _id }) => [rows.get(_id)?.['priority'], rows.get(_id)?.['primary']]);
}

describe('/v1/integrations', () => {
  describe('primary and priority', () => {
    it('should make the first active one of email primary, and put later ones below it', async () => {
      const first = await make(activeEmailFactory());
      expect(first).toMatchObject({ primary: true, priority: 1 });
      const second = await make(activeEmailFactory());
      expect(second).toMatchObject({ primary: false, priority: 1 });
      const third = await make(activeEmailFactory());
      expect(await standings(first, second, third)).toEqual([[3, true], [1, false], [2, false]]); // prettier-ignore
    });

    it.each([
      ['inactive', integrationFactory()],
      ['in-app', IN_APP],
      ['chat', discordFactory()],
      ['push', fcmFactory()],
    ])('should leave one of %s without', async (_case, body) => {
      expect(await make(body)).toMatchObject({ primary: false, priority: 0 });
    });

    it('should not make one with conditions primary', async () => {
      const first = await make(activeEmailFactory({ conditions: CONDITIONS }));
      const second = await make(activeEmailFactory());
      expect(await standings(first, second)).toEqual([[1, false], [2, true]]); // prettier-ignore
    });

    it('should keep channels and environments apart', async () => {
      const [here, there] = await api.siblings();
      const sms = { providerId: 'sms77', channel: 'sms', active: true, credentials: { apiKey: 'k', from: 'x' } };
      for (const by of [here, there]) {
        expect(await make(activeEmailFactory(), by)).toMatchObject({ primary: true, priority: 1 });
        expect(await make(sms, by)).toMatchObject({ primary: true, priority: 1 });
      }
    });

    it('should make exactly one primary when many come at once', async () => {
      await Promise.all(Array.from({ length: 12 }, () => make(activeEmailFactory())));
      const rows = await list();
      expect(rows.filter(({ primary }) => primary).length).toBe(1);
      expect(rows.map(({ priority }) => priority).sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: 12 }, (_, i) => i + 1),
      );
      expect(rows.find(({ primary }) => primary)?.['priority']).toBe(12);
    });

    it('should stay sound under any mixture of changes at once', async () => {
      const made = await Promise.all(Array.from({ length: 6 }, () => make(activeEmailFactory())));
      const at = (i: number): Json => made[i] as Json;
      await Promise.all([
        session.post(`${one(at(0))}/set-primary`, {}),
        session.post(`${one(at(1))}/set-primary`, {}),
        session.put(one(at(2)), { active: false }),
        session.put(one(at(3)), { conditions: CONDITIONS }),
        session.delete(one(at(4))),
        session.post(PATH, activeEmailFactory()),
      ]);
      const rows = await list();
      const active = rows.filter((row) => row['active'] === true);
      expect(active.map(({ priority }) => Number(priority)).sort()).toEqual([1, 2, 3, 4, 5]);
      expect(rows.filter(({ primary }) => primary).length).toBe(1);
      expect(rows.find(({ primary }) => primary)?.['priority']).toBe(5);
      expect(rows.find((row) => row['active'] === false)).toMatchObject({ priority: 0, primary: false });
    });

    it('should not make one primary that becomes active later', async () => {
      const first = await make(activeEmailFactory({ active: false }));
      expect(await put(first, { active: true })).toMatchObject({ priority: 1, primary: false });
      const second = await make(activeEmailFactory({ active: false }));
      expect(await put(second, { active: true })).toMatchObject({ priority: 2, primary: false });
      await setPrimary(second);
      const third = await make(activeEmailFactory({ active: false }));
      expect(await put(third, { active: true })).toMatchObject({ priority: 2, primary: false });
      expect(await standings(second, first)).toEqual([[3, true], [1, false]]); // prettier-ignore
    });

    it('should close the gap and promote nobody on deactivation', async () => {
      const top = await make(activeEmailFactory());
      const low = await make(activeEmailFactory());
      const middle = await make(activeEmailFactory());
      await put(middle, { active: false });
      expect(await standings(top, middle, low)).toEqual([[2, true], [0, false], [1, false]]); // prettier-ignore
      await put(top, { active: false });
      expect(await standings(top, low)).toEqual([[0, false], [1, false]]); // prettier-ignore
    });

    it('should be left alone by an update of something else', async () => {
      const first = await make(activeEmailFactory());
      const second = await make(activeEmailFactory());
      await put(first, { name: 'Other', active: true });
      await put(second, { credentials: SMTP_CREDENTIALS });
      expect(await standings(first, second)).toEqual([[2, true], [1, false]]); // prettier-ignore
    });

    it('should remove the primary mark when conditions are set, and not when they are emptied', async () => {
      const first = await make(activeEmailFactory());
      expect(await put(first, { conditions: [] })).toMatchObject({ primary: true });
      expect(await put(first, { conditions: CONDITIONS })).toMatchObject({
        conditions: CONDITIONS,
        primary: false,
        priority: 1,
      });
      expect(await put(first, { conditions: null })).toMatchObject({ conditions: [], primary: false });
    });
  });

  describe('POST /{integrationId}/set-primary', () => {
    it('should put it on top, active and without conditions', async () => {
      const first = await make(activeEmailFactory());
      const second = await make(activeEmailFactory());
      const third = await make(activeEmailFactory({ active: false, conditions: CONDITIONS }));
      expect(await setPrimary(third)).toMatchObject({ active: true, primary: true, priority: 3, conditions: [] });
      expect(await standings(first, second)).toEqual([[2, false], [1, false]]); // prettier-ignore
    });

    it('should change nothing where it is primary already', async () => {
      const first = await make(activeEmailFactory());
      expect(await setPrimary(first)).toEqual(first);
    });

    it('should refuse one that is not fit to be active', async () => {
      expect((await faultsOf(session.post(`${one(await make(integrationFactory()))}/set-primary`, {}))).length).toBe(4);
    });

    it.each([
      ['in-app', IN_APP],
      ['chat', discordFactory()],
      ['push', fcmFactory()],
    ])('should refuse the channel of %s', async (_case, body) => {
      const made = await make(body);
      expect(await codeOf(session.post(`${one(made)}/set-primary`, {}), 400)).toBe('primary_not_supported');
    });

    it('should answer 404 for an unknown id and 400 for none', async () => {
      await session.post(`${one(UNKNOWN)}/set-primary`, {}).expect(404);
      await session.post(`${PATH}/none/set-primary`, {}).expect(400);
    });
  });
});
