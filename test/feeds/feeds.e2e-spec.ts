import { itBehavesLikeAResource, type TestApp } from '#libs/testing';
import { startTestApi } from '../support/test-api.js';

let api: TestApp;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

let count = 0;
const uniqueName = (): string => `Feed ${++count}`;

describe('/v1/feeds', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/feeds',
    create: async (session) => {
      const { body } = await session.post('/v1/feeds', { name: uniqueName() }).expect(201);
      return (body as { data: Record<string, unknown> }).data;
    },
    list: { shape: 'array' },
    remove: { path: (feed) => `/v1/feeds/${String(feed['_id'])}`, status: 200 },
  });

  describe('POST', () => {
    it('should answer with every field of the interface', async () => {
      const session = await api.session();
      const { body } = await session.post('/v1/feeds', { name: 'Activities' }).expect(201);
      expect(body).toEqual({
        data: {
          _id: expect.any(String) as string,
          id: expect.any(String) as string,
          name: 'Activities',
          identifier: 'Activities',
          _environmentId: session.environmentId,
          _organizationId: session.organizationId,
          deleted: false,
          createdAt: expect.any(String) as string,
          updatedAt: expect.any(String) as string,
          __v: 0,
        },
      });
    });

    it('should refuse a name that is taken with 409', async () => {
      const session = await api.session();
      await session.post('/v1/feeds', { name: 'News' }).expect(201);
      const { body } = await session.post('/v1/feeds', { name: 'News' }).expect(409);
      expect(body).toMatchObject({ code: 'feed_already_exists', error: 'Conflict' });
    });

    it('should make one feed when the same name comes many times at once', async () => {
      const session = await api.session();
      const answers = await Promise.all(Array.from({ length: 20 }, () => session.post('/v1/feeds', { name: 'Race' })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    });

    it('should let the name of a deleted feed be used again', async () => {
      const session = await api.session();
      const { body } = await session.post('/v1/feeds', { name: 'Again' }).expect(201);
      await session.delete(`/v1/feeds/${(body as { data: { _id: string } }).data._id}`).expect(200);
      await session.post('/v1/feeds', { name: 'Again' }).expect(201);
    });

    it('should drop fields that it does not know', async () => {
      const session = await api.session();
      const { body } = await session.post('/v1/feeds', { name: 'Known', colour: 'red' }).expect(201);
      expect((body as { data: object }).data).not.toHaveProperty('colour');
    });

    it.each([
      ['nothing', {}, 'name must be a string'],
      ['null', { name: null }, 'name must be a string'],
      ['a number', { name: 5 }, 'name must be a string'],
      ['an operator', { name: { $gt: '' } }, 'name must be a string'],
      ['an empty text', { name: '' }, 'name must be longer than or equal to 1 characters'],
      ['256 characters', { name: 'x'.repeat(256) }, 'name must be shorter than or equal to 255 characters'],
    ])('should refuse %s as name', async (_case, sent, fault) => {
      const session = await api.session();
      const { body } = await session.post('/v1/feeds', sent).expect(400);
      expect((body as { message: string[] }).message).toContain(fault);
    });
  });

  describe('DELETE', () => {
    it('should answer with the remaining feeds', async () => {
      const session = await api.session();
      const made = await Promise.all(['a', 'b'].map((name) => session.post('/v1/feeds', { name }).expect(201)));
      const [first] = made.map(({ body }) => (body as { data: { _id: string } }).data._id);
      const { body } = await session.delete(`/v1/feeds/${first}`).expect(200);
      expect((body as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual(['b']);
    });

    it('should refuse an id that is none with 400', async () => {
      const session = await api.session();
      await session.delete('/v1/feeds/not-an-id').expect(400);
    });
  });
});
