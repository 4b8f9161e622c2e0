import { TestSession } from '../harness/index.js';
import { ApiKeysService } from '../../src/platform/auth/index.js';
import { EnvironmentsService } from '../../src/platform/environments/index.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useSession, useTestApi } from '../support/test-api.js';

interface Key {
  id: string;
  key: string;
  scopes: string[];
  expiresAt?: string;
  issuedBy?: string;
}

const KEYS = '/v1/environments/api-keys';
const IN_AN_HOUR = new Date(Date.now() + 3_600_000).toISOString();
const IN_TWO_HOURS = new Date(Date.now() + 7_200_000).toISOString();

const api = useTestApi();
/** Another process on the same store. */
const other = useTestApi();
const session = useSession(api);

const issue = async (body: Json = {}, by = session): Promise<Key> =>
  dataOf(by.post(KEYS, { name: 'ci', ...body }), 201);
const by = (apiKey: string, app = api): TestSession => new TestSession(app.url, { ...session, apiKey });

describe('a key that is issued', () => {
  it('should have the rights that were asked for', async () => {
    const made = await issue({ scopes: ['read', 'trigger'], expiresAt: IN_AN_HOUR });
    expect(made).toMatchObject({ scopes: ['read', 'trigger'], expiresAt: IN_AN_HOUR });
    const rows = await dataOf<Key[]>(session.get(`${KEYS}/all`), 200);
    expect(rows[1]).toMatchObject({ scopes: ['read', 'trigger'], issuedBy: rows[0]?.id });
  });

  it('should have the rights of its issuer where none are asked for', async () => {
    const limited = await issue({ scopes: ['admin', 'read'], expiresAt: IN_AN_HOUR });
    for (const body of [{}, { scopes: null, expiresAt: null }]) {
      expect(await issue(body, by(limited.key))).toMatchObject({
        scopes: ['admin', 'read'],
        expiresAt: IN_AN_HOUR,
        issuedBy: limited.id,
      });
    }
  });

  it('should neither outlive nor outrank its issuer', async () => {
    const limited = by((await issue({ scopes: ['admin', 'read'], expiresAt: IN_AN_HOUR })).key);
    const tooMuch = [{ scopes: ['write'] }, { scopes: ['read', 'trigger'] }, { expiresAt: IN_TWO_HOURS }];
    for (const body of tooMuch) {
      expect(await codeOf(limited.post(KEYS, { name: 'ci', ...body }), 403)).toBe('key_exceeds_issuer');
    }
    const { text } = await limited.post(KEYS, { name: 'ci', scopes: ['write'] }).expect(403);
    expect(text).toContain('lacks the scope write');
    await issue({ scopes: ['read'], expiresAt: IN_AN_HOUR }, limited);
    expect(await dataOf<Key[]>(session.get(`${KEYS}/all`), 200)).toHaveLength(3);
  });

  it('should not be issued by a key that another process has revoked a moment ago', async () => {
    const { id, key } = await issue();
    await by(key, other).get(KEYS).expect(200);
    await session.delete(`${KEYS}/${id}`).expect(204);
    await by(key, other).post(KEYS, { name: 'late' }).expect(401);
    expect(await dataOf<Key[]>(session.get(`${KEYS}/all`), 200)).toHaveLength(1);
  });

  it.each([
    ['no scopes', []],
    ['an unknown scope', ['read', 'everything']],
    ['a scope twice', ['read', 'read']],
    ['a text', 'read'],
    ['an operator', { $ne: null }],
  ])('should be refused with %s', async (_case, scopes) => {
    const faults = await faultsOf(session.post(KEYS, { name: 'ci', scopes }));
    expect(faults.every((fault) => fault.startsWith('scopes'))).toBe(true);
  });
});

describe('a key that is rotated', () => {
  it('should keep its rights', async () => {
    const old = await issue({ scopes: ['read'], expiresAt: IN_AN_HOUR });
    expect(await dataOf(session.post(`${KEYS}/${old.id}/rotate`), 201)).toMatchObject({
      name: 'ci',
      scopes: ['read'],
      expiresAt: IN_AN_HOUR,
    });
  });

  it('should not be one that has more rights than who rotates it', async () => {
    const [mine] = await dataOf<Key[]>(session.get(`${KEYS}/all`), 200);
    for (const limits of [{ scopes: ['admin'] }, { expiresAt: IN_AN_HOUR }]) {
      const limited = by((await issue(limits)).key);
      const path = `${KEYS}/${mine?.id ?? ''}/rotate`;
      expect(await codeOf(limited.post(path), 403)).toBe('key_exceeds_issuer');
    }
    await session.get(KEYS).expect(200);
  });

  it('should not be one that has expired', async () => {
    const owner = await api.app.get(EnvironmentsService).ownerOf(session.organizationId, 'Development');
    const expired = { name: 'old', expiresAt: new Date(Date.now() - 1) };
    const { id } = await api.app.get(ApiKeysService).issue(owner, expired);
    expect(await codeOf(session.post(`${KEYS}/${id}/rotate`), 409)).toBe('api_key_expired');
  });
});

describe('a key that expires', () => {
  it('should not reveal any other key', async () => {
    const { key } = await issue({ expiresAt: IN_AN_HOUR });
    for (const path of [KEYS, `${KEYS}/all`]) {
      const { text } = await by(key).get(path).expect(200);
      expect(text).not.toContain(session.apiKey);
    }
  });
});

describe('a key from before there were scopes', () => {
  it('should have all of them', async () => {
    const keys = api.app.get(ApiKeysService);
    const owner = await api.app.get(EnvironmentsService).createOrganization('Old');
    await keys.ensure(owner, `old-key-${owner.environmentId}`, 'old');
    const old = by(`old-key-${owner.environmentId}`);
    await old.get(KEYS).expect(200);
    await old.post('/v1/feeds', { name: 'News' }).expect(201);
    expect(await dataOf(old.get(`${KEYS}/all`), 200)).toMatchObject([
      { scopes: ['trigger', 'read', 'write', 'admin'], current: true },
    ]);
  });

  it('should have all of them again when the setting API_KEY names it', async () => {
    const keys = api.app.get(ApiKeysService);
    const { key } = await issue({ scopes: ['read'] });
    const owner = await api.app.get(EnvironmentsService).ownerOf(session.organizationId, 'Development');
    await keys.ensure(owner, key, 'API_KEY setting');
    const [, row] = await keys.list(owner.environmentId);
    expect(row?.scopes).toEqual(['trigger', 'read', 'write', 'admin']);
  });
});
