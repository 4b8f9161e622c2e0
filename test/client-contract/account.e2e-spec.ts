import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Novu } from '@novu/node';
import { legacyClient, refusalOf, resultOf, type Shown } from '../support/legacy-client.js';
import { useSession, useHerald } from '../support/herald.js';

/** What the client has and Herald does not serve; docs/compatibility.md says why. */
const UNSERVED: Record<string, (novu: Novu) => Promise<{ status: number; data: unknown }>> = {
  'changes.get': (novu) => novu.changes.get({ promoted: false }),
  'changes.getCount': (novu) => novu.changes.getCount(),
  'changes.applyOne': (novu) => novu.changes.applyOne('64f0c1a2b3c4d5e6f7a8b9c0'),
  'changes.applyMany': (novu) => novu.changes.applyMany(['64f0c1a2b3c4d5e6f7a8b9c0']),
  'environments.create': (novu) => novu.environments.create({ name: 'Staging' }),
  'environments.updateOne': (novu) => novu.environments.updateOne('64f0c1a2b3c4d5e6f7a8b9c0', { name: 'Staging' }),
  'environments.regenerateApiKeys': (novu) => novu.environments.regenerateApiKeys(),
  'inboundParse.getMxStatus': (novu) => novu.inboundParse.getMxStatus(),
  'organizations.create': (novu) => novu.organizations.create({ name: 'Second' }),
  'organizations.getMembers': (novu) => novu.organizations.getMembers(),
  'organizations.removeMember': (novu) => novu.organizations.removeMember('64f0c1a2b3c4d5e6f7a8b9c0'),
  'organizations.updateMemberRole': (novu) =>
    novu.organizations.updateMemberRole('64f0c1a2b3c4d5e6f7a8b9c0', { role: 'admin' }),
};

describe('legacy client: account', () => {
  const api = useHerald();
  const session = useSession(api);
  let novu: Novu;

  beforeEach(() => {
    novu = legacyClient(api, session);
  });

  describe('environments', () => {
    it('should show the environment of the key, all environments, and the key', async () => {
      const me = await resultOf<Shown>(novu.environments.getCurrent());
      expect(me).toMatchObject({ _id: session.environmentId, name: 'Development' });
      const all = await resultOf<Shown[]>(novu.environments.getAll());
      expect(all.map(({ name }) => name)).toEqual(['Development', 'Production']);
      expect(all[1]).toMatchObject({ _parentId: me._id });
      const keys = await resultOf<{ key: string }[]>(novu.environments.getApiKeys());
      expect(keys.map(({ key }) => key)).toContain(session.apiKey);
    });
  });

  describe('organizations', () => {
    it('should show the organization of the key and rename it', async () => {
      const me = await resultOf<Shown>(novu.organizations.getCurrent());
      expect(me).toMatchObject({ _id: session.organizationId, name: 'Test organization' });
      expect(await resultOf(novu.organizations.list())).toEqual([me]);
      expect(await resultOf(novu.organizations.rename({ name: 'Acme' }))).toMatchObject({ name: 'Acme' });
      expect(await resultOf(novu.organizations.getCurrent())).toMatchObject({ _id: me._id, name: 'Acme' });
    });

    it('should set the branding', async () => {
      const branding = { logo: 'https://example.com/logo.png', color: '#00aa55', fontFamily: 'Inter' };
      expect(await resultOf(novu.organizations.updateBranding(branding))).toEqual(branding);
      expect(await resultOf(novu.organizations.getCurrent())).toMatchObject({ branding });
    });
  });

  describe('keys and retries', () => {
    it('should be refused without a known key', async () => {
      const stranger = new Novu('unknown', { backendUrl: api.url });
      expect(await refusalOf(stranger.feeds.get())).toMatchObject({ status: 401 });
    });

    it('should accept the idempotency key that the client sends when it retries', async () => {
      const retrying = new Novu(session.apiKey, {
        backendUrl: api.url,
        retryConfig: { retryMax: 1, initialDelay: 0.01 },
      });
      const answer = await retrying.feeds.create('News');
      expect(answer.status).toBe(201);
      expect((answer.headers as Record<string, unknown>)['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe('what Herald does not serve', () => {
    it.each(Object.keys(UNSERVED))('should refuse %s', async (name) => {
      const call = UNSERVED[name];
      if (call === undefined) throw new Error('no such call');
      expect([404, 405, 501]).toContain((await refusalOf(call(novu))).status);
    });
  });

  describe('coverage', () => {
    it('should call every method of the client in this suite', () => {
      const here = fileURLToPath(new URL('.', import.meta.url));
      const sources = readdirSync(here).map((file) => readFileSync(`${here}/${file}`, 'utf8'));
      const text = sources.join('\n');
      const missing = methodsOf(novu).filter((method) => !text.includes(`.${method}(`));
      expect(missing).toEqual([]);
    });
  });
});

/** Every method of every part of the client, as `part.method`. */
function methodsOf(novu: Novu): string[] {
  return Object.entries(novu).flatMap(([part, value]: [string, unknown]) => {
    const prototype: unknown = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
    if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return [];
    return Object.getOwnPropertyNames(prototype)
      .filter((name) => name !== 'constructor')
      .map((name) => `${part}.${name}`);
  });
}
