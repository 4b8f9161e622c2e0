import { ObjectId } from 'bson';
import { TestSession } from '../harness/index.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { dataOf } from '../support/answers.js';
import { eventually } from '../support/eventually.js';
import { useHerald, useSession } from '../support/herald.js';

interface Key {
  id: string;
  key: string;
  name: string;
  expiresAt?: string;
}

const KEYS = '/v1/environments/api-keys';

const api = useHerald();
const session = useSession(api);

const issue = async (body: object = { name: 'ci' }): Promise<Key> => dataOf(await session.post(KEYS, body).expect(201));
const withKey = (apiKey: string): TestSession => new TestSession(api.url, { ...session, apiKey });

describe('/v1/environments', () => {
  it('should list the environments of the organization to each of them', async () => {
    const [main, sibling] = await api.siblings();
    const names = dataOf<{ name: string }[]>(await main.get('/v1/environments').expect(200)).map(({ name }) => name);
    expect(names).toEqual(['Development', 'Production']);
    expect(dataOf(await sibling.get('/v1/environments').expect(200))).toHaveLength(2);
  });

  it('should say which environment the key belongs to', async () => {
    const [main, sibling] = await api.siblings();
    expect(dataOf(await main.get('/v1/environments/me').expect(200))).toMatchObject({
      _id: main.environmentId,
      _organizationId: main.organizationId,
      name: 'Development',
      identifier: expect.stringMatching(/^\w{12}$/) as string,
    });
    expect(dataOf(await sibling.get('/v1/environments/me').expect(200))).toMatchObject({
      name: 'Production',
      _parentId: main.environmentId,
    });
  });
});

describe('/v1/environments/api-keys', () => {
  describe('POST', () => {
    it('should issue a key that works at once, in the same environment', async () => {
      const issued = await issue();
      expect(issued.key).toMatch(/^[0-9a-f]{32}$/);
      const me = await withKey(issued.key).get('/v1/environments/me').expect(200);
      expect(dataOf(me)).toMatchObject({ _id: session.environmentId });
    });

    it('should keep the expiry', async () => {
      const { expiresAt } = await issue({ name: 'ci', expiresAt: '2099-01-01T00:00:00.000Z' });
      expect(expiresAt).toBe('2099-01-01T00:00:00.000Z');
    });

    it.each([
      ['no name', {}],
      ['an empty name', { name: '' }],
      ['a name that is none', { name: { $gt: '' } }],
      ['an expiry that is no date', { name: 'a', expiresAt: 'soon' }],
      ['an expiry that has passed', { name: 'a', expiresAt: '2001-01-01' }],
    ])('should refuse %s', async (_case, body) => {
      const answer = await session.post(KEYS, body).expect(400);
      expect(answer.body).toMatchObject({ code: 'validation_failed' });
    });
  });

  describe('GET', () => {
    it('should read the own key back in clear text, and the others masked', async () => {
      const { key } = await issue();
      const rows = dataOf<{ key: string; _userId: string }[]>(await session.get(KEYS).expect(200));
      expect(rows.map((row) => row.key)).toEqual([session.apiKey, '********']);
      expect(rows.map((row) => Object.keys(row).sort())).toEqual(Array(2).fill(['_userId', 'key']));
      const others = dataOf<{ key: string }[]>(await withKey(key).get(KEYS).expect(200));
      expect(others.map((row) => row.key)).toEqual([key, '********']);
    });

    it('should list them without the keys', async () => {
      const issued = await issue();
      const { text, body } = await session.get(`${KEYS}/all`).expect(200);
      expect(text).not.toContain(issued.key);
      expect((body as { data: Key[] }).data).toMatchObject([
        { name: 'test', current: true, scopes: ['trigger', 'read', 'write', 'admin'] },
        { name: 'ci', current: false, scopes: ['trigger', 'read', 'write', 'admin'] },
      ]);
    });

    it('should note when a key was last used', async () => {
      const before = Date.now() - 60_000;
      const uses = async (): Promise<(string | undefined)[]> =>
        dataOf<{ lastUsedAt?: string }[]>(await session.get(`${KEYS}/all`).expect(200)).map((row) => row.lastUsedAt);
      const lastUse = await eventually(async () => {
        const [noted] = await uses();
        expect(noted).toBeDefined();
        return noted;
      });
      expect(new Date(lastUse ?? 0).getTime()).toBeGreaterThan(before);
    });

    it('should show those of another environment to nobody else', async () => {
      const [main, sibling] = await api.siblings();
      expect((await sibling.get(KEYS).expect(200)).text).not.toContain(main.apiKey);
    });
  });

  describe('POST :id/rotate', () => {
    it('should put a new key in the place of the old one, which stops working', async () => {
      const old = await issue();
      const fresh = dataOf<Key>(await session.post(`${KEYS}/${old.id}/rotate`).expect(201));
      expect(fresh).toMatchObject({ name: 'ci' });
      expect(fresh.key).not.toBe(old.key);
      await withKey(fresh.key).get(KEYS).expect(200);
      await withKey(old.key).get(KEYS).expect(401);
    });

    it('should rotate the key that asks', async () => {
      const [mine] = dataOf<Key[]>(await session.get(`${KEYS}/all`).expect(200));
      const fresh = dataOf<Key>(await session.post(`${KEYS}/${mine?.id ?? ''}/rotate`).expect(201));
      await session.get(KEYS).expect(401);
      await withKey(fresh.key).get(KEYS).expect(200);
    });
  });

  describe('DELETE :id', () => {
    it('should stop the key at once', async () => {
      const { id, key } = await issue();
      await withKey(key).get(KEYS).expect(200);
      await session.delete(`${KEYS}/${id}`).expect(204);
      await withKey(key).get(KEYS).expect(401);
      await session.delete(`${KEYS}/${id}`).expect(404);
    });

    it('should leave the last key', async () => {
      const [mine] = dataOf<Key[]>(await session.get(`${KEYS}/all`).expect(200));
      const { body } = await session.delete(`${KEYS}/${mine?.id ?? ''}`).expect(409);
      expect(body).toMatchObject({ code: 'last_api_key' });
      await session.get(KEYS).expect(200);
    });
  });

  it.each([
    ['post', `${KEYS}/${UNKNOWN_ID}/rotate`],
    ['post', `${KEYS}/no-id/rotate`],
    ['delete', `${KEYS}/${UNKNOWN_ID}`],
    ['delete', `${KEYS}/no-id`],
  ] as const)('should know no key at %s %s', async (method, path) => {
    const { body } = await session[method](path).expect(404);
    expect(body).toMatchObject({ code: 'api_key_not_found' });
  });

  it.each([
    ['post', (id: string) => `${KEYS}/${id}/rotate`],
    ['delete', (id: string) => `${KEYS}/${id}`],
  ] as const)('should not let another environment %s a key', async (method, path) => {
    const [, sibling] = await api.siblings();
    const { id, key } = await issue();
    await sibling[method](path(id)).expect(404);
    await withKey(key).get(KEYS).expect(200);
  });

  it('should refuse a key that has expired', async () => {
    const { key, id } = await issue({ name: 'old', expiresAt: '2099-01-01T00:00:00.000Z' });
    const expired = { $set: { expiresAt: new Date(Date.now() - 1) } };
    expect(await api.stored('apiKeys').updateOne({ _id: new ObjectId(id) }, expired)).toMatchObject({
      matchedCount: 1,
    });
    await withKey(key).get(KEYS).expect(401);
  });

  it('should keep keys encrypted and hashed only', async () => {
    const { key } = await issue();
    const stored = await api.stored('apiKeys').find({ _environmentId: new ObjectId(session.environmentId) });
    expect(stored).toHaveLength(2);
    expect(JSON.stringify(stored)).not.toContain(key);
  });
});
