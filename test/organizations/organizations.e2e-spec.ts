import { createWorkflow, feedOf, inApp, trigger } from '../support/delivery.js';
import { dataOf, faultsOf, fieldsOf } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';

const BRANDING = '/v1/organizations/branding';
const LOGO = 'https://example.com/logo.png';

describe('organizations', () => {
  const herald = useHerald();
  const session = useSession(herald);

  describe('GET /v1/organizations/me', () => {
    it('should show the organization of the key with an empty branding', async () => {
      const me = await dataOf(session.get('/v1/organizations/me'), 200);
      expect(me).toMatchObject({
        _id: session.organizationId,
        id: session.organizationId,
        name: 'Test organization',
        branding: {},
      });
      expect(await dataOf(session.get('/v1/organizations'), 200)).toEqual([me]);
      expect(Object.keys(me)).not.toContain('_ownerId');
    });

    it('should be the same for all environments of the organization', async () => {
      const [development, production] = await herald.siblings();
      const [one, other] = await Promise.all(
        [development, production].map((caller) => dataOf(caller.get('/v1/organizations/me'), 200)),
      );
      expect(one).toEqual(other);
    });
  });

  describe('PATCH /v1/organizations', () => {
    it('should rename the organization of the key and no other', async () => {
      const stranger = await herald.session();
      expect(await dataOf(session.patch('/v1/organizations', { name: 'Acme' }), 200)).toMatchObject({ name: 'Acme' });
      expect(await dataOf(stranger.get('/v1/organizations/me'), 200)).toMatchObject({ name: 'Test organization' });
    });

    it('should refuse an organization without a name', async () => {
      expect(fieldsOf(await faultsOf(session.patch('/v1/organizations', { name: '' })))).toEqual(['name']);
      expect(new Set(fieldsOf(await faultsOf(session.patch('/v1/organizations', {}))))).toEqual(new Set(['name']));
    });
  });

  describe('PUT /v1/organizations/branding', () => {
    it('should keep what is absent and unset what is null', async () => {
      const all = { logo: LOGO, color: '#0a5', fontColor: '#112233', contentBackground: '#fff', fontFamily: 'Inter' };
      expect(await dataOf(session.put(BRANDING, all), 200)).toEqual(all);
      expect(await dataOf(session.put(BRANDING, { color: '#aabbcc' }), 200)).toEqual({ ...all, color: '#aabbcc' });
      const { logo: _logo, ...rest } = all;
      expect(await dataOf(session.put(BRANDING, { logo: null }), 200)).toEqual({ ...rest, color: '#aabbcc' });
      expect(await dataOf(session.put(BRANDING, {}), 200)).toEqual({ ...rest, color: '#aabbcc' });
    });

    it('should refuse what is no colour and no address of an image', async () => {
      expect(await faultsOf(session.put(BRANDING, { color: 'url(x)', logo: 'javascript:alert(1)' }))).toHaveLength(2);
    });
  });

  describe('when messages are rendered', () => {
    it('should show the branding to templates', async () => {
      await dataOf(session.put(BRANDING, { color: '#00aa55', fontFamily: 'Inter' }), 200);
      const { identifier } = await createWorkflow(session, [inApp('{{branding.color}} {{branding.fontFamily}}')]);
      await trigger(session, { name: identifier, to: 'ann', payload: { branding: { color: 'forged' } } });
      await herald.drain();
      expect(await feedOf(session, 'ann')).toMatchObject([{ content: '#00aa55 Inter' }]);
    });
  });
});
