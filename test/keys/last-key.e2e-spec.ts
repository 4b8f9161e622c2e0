import { TestSession } from '../harness/index.js';
import { ApiKeysService } from '../../src/platform/auth/index.js';
import { EnvironmentsService } from '../../src/platform/environments/index.js';
import { codeOf, dataOf, type Json } from '../support/answers.js';
import { useSession, useTestApi } from '../support/test-api.js';

const KEYS = '/v1/environments/api-keys';
const ROUNDS = 25;

const api = useTestApi();
/** Another process on the same store. */
const other = useTestApi();
const session = useSession(api);

const issue = async (body: Json = {}): Promise<{ id: string; key: string }> =>
  dataOf(session.post(KEYS, { name: 'ci', ...body }), 201);
const by = (apiKey: string, app = api): TestSession => new TestSession(app.url, { ...session, apiKey });
const ownId = async (): Promise<string> => {
  const rows = await dataOf<{ id: string; current: boolean }[]>(session.get(`${KEYS}/all`), 200);
  return rows.find(({ current }) => current)?.id ?? '';
};

describe('the last live key with the scope admin', () => {
  it('should be left by two keys that revoke each other at once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const owner = await api.app.get(EnvironmentsService).createOrganization('Race');
      const keys = api.app.get(ApiKeysService);
      const [one, two] = [await keys.issue(owner, { name: 'one' }), await keys.issue(owner, { name: 'two' })];
      const answers = await Promise.all([
        by(one.key).delete(`${KEYS}/${two.id}`),
        by(two.key, round % 2 === 0 ? api : other).delete(`${KEYS}/${one.id}`),
      ]);
      const left = await keys.list(owner.environmentId);
      expect(left).toHaveLength(1);
      // The other one is refused by the rule, or because its own key is revoked already.
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
      expect([401, 409]).toContain(answers.find(({ status }) => status !== 204)?.status);
    }
  });

  it('should be left by many keys that are all revoked at once', async () => {
    const keys = api.app.get(ApiKeysService);
    const made = await Promise.all(Array.from({ length: 8 }, () => issue()));
    const ids = [...made.map(({ id }) => id), await ownId()];
    const results = await Promise.allSettled(ids.map((id) => keys.revoke(session.environmentId, id, 'test')));
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(await keys.list(session.environmentId)).toHaveLength(1);
  });

  it('should be left by rotations and revocations at once', async () => {
    const keys = api.app.get(ApiKeysService);
    const owner = await api.app.get(EnvironmentsService).createOrganization('Race');
    const one = await keys.issue(owner, { name: 'one' });
    const by = { ...owner, apiKeyId: 'test' };
    const results = await Promise.allSettled([keys.rotate(by, one.id), keys.rotate(by, one.id)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    // Nobody was told of the second new key, so it must not work.
    expect(await keys.list(owner.environmentId)).toHaveLength(1);
  });

  it('should not be taken for one of several because of keys that have expired or may do less', async () => {
    const owner = await api.app.get(EnvironmentsService).ownerOf(session.organizationId, 'Development');
    const keys = api.app.get(ApiKeysService);
    const expired = await keys.issue(owner, { name: 'old', expiresAt: new Date(Date.now() - 1) });
    const reader = await issue({ scopes: ['trigger', 'read', 'write'] });
    expect(await codeOf(session.delete(`${KEYS}/${await ownId()}`), 409)).toBe('last_api_key');
    await session.delete(`${KEYS}/${expired.id}`).expect(204);
    await session.delete(`${KEYS}/${reader.id}`).expect(204);
    expect(await codeOf(session.delete(`${KEYS}/${await ownId()}`), 409)).toBe('last_api_key');
  });

  it('should go once another one is there', async () => {
    const { key } = await issue({ scopes: ['admin'] });
    await session.delete(`${KEYS}/${await ownId()}`).expect(204);
    await by(key).get(KEYS).expect(200);
  });
});
