import { itBehavesLikeAResource } from '../harness/index.js';
import { create__Name__, __name__Factory, __name__Path } from '../factories/__file__.factory.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { codeOf, dataOf, faultsOf, fieldsOf } from '../support/answers.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi();

describe('/v1/__files__', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/__files__',
    create: create__Name__,
    itemPath: __name__Path,
    list: { shape: 'page' },
    remove: { path: __name__Path, status: 204 },
    writes: [{ method: 'patch', path: __name__Path, body: { name: 'Changed' } }],
    unknownPath: `/v1/__files__/${UNKNOWN_ID}`,
  });

  describe('POST', () => {
    it('should answer with every field', async () => {
      const session = await api.session();
      expect(await create__Name__(session, { name: 'First', description: 'To begin with' })).toEqual({
        _id: expect.any(String) as string,
        id: expect.any(String) as string,
        name: 'First',
        description: 'To begin with',
        _environmentId: session.environmentId,
        _organizationId: session.organizationId,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        __v: 0,
      });
    });

    it('should list every fault at once', async () => {
      const session = await api.session();
      const faults = await faultsOf(session.post('/v1/__files__', { name: 5, description: 'x'.repeat(1_001) }));
      expect(new Set(fieldsOf(faults))).toEqual(new Set(['name', 'description']));
    });

    it('should make one when the same name comes many times at once', async () => {
      const session = await api.session();
      const body = __name__Factory();
      const answers = await Promise.all(Array.from({ length: 10 }, () => session.post('/v1/__files__', body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    });

    it('should let the name of a deleted one be used again', async () => {
      const session = await api.session();
      const made = await create__Name__(session, { name: 'Again' });
      await session.delete(__name__Path(made)).expect(204);
      await create__Name__(session, { name: 'Again' });
    });
  });

  describe('PATCH', () => {
    it('should change what is sent, keep the rest and remove with null', async () => {
      const session = await api.session();
      const made = await create__Name__(session, { description: 'Stays' });
      const renamed = await dataOf(session.patch(__name__Path(made), { name: 'Renamed' }), 200);
      expect(renamed).toMatchObject({ _id: made['_id'], name: 'Renamed', description: 'Stays' });
      const bare = await dataOf(session.patch(__name__Path(made), { description: null }), 200);
      expect(bare).not.toHaveProperty('description');
    });

    it('should refuse a name that is taken with 409', async () => {
      const session = await api.session();
      const [first, second] = [await create__Name__(session), await create__Name__(session)];
      expect(await codeOf(session.patch(__name__Path(second), { name: first['name'] }), 409)).toBe(
        '__code___already_exists',
      );
    });
  });
});
