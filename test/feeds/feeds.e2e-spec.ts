import { itBehavesLikeAResource, type TestSession } from '../harness/index.js';
import { unique } from '../factories/ids.js';
import { createWorkflow, stepFactory, workflowPath } from '../factories/workflow.factory.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();

const createFeed = (session: TestSession, name = unique('Feed')): Promise<Json> =>
  dataOf(session.post('/v1/feeds', { name }), 201);
const pathOf = (feed: Json): string => `/v1/feeds/${String(feed['_id'])}`;

describe('/v1/feeds', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/feeds',
    create: (session) => createFeed(session),
    list: { shape: 'array' },
    remove: { path: pathOf, status: 200 },
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
      await session.delete(pathOf(await createFeed(session, 'Again'))).expect(200);
      await createFeed(session, 'Again');
    });

    it('should drop fields that it does not know', async () => {
      const session = await api.session();
      const feed = await dataOf(session.post('/v1/feeds', { name: 'Known', colour: 'red' }), 201);
      expect(feed).not.toHaveProperty('colour');
    });

    it.each([
      ['nothing', {}, 'name is required and must be a string'],
      ['null', { name: null }, 'name must be a string'],
      ['a number', { name: 5 }, 'name must be a string'],
      ['an operator', { name: { $gt: '' } }, 'name must be a string'],
      ['an empty text', { name: '' }, 'name must be longer than or equal to 1 characters'],
      ['256 characters', { name: 'x'.repeat(256) }, 'name must be shorter than or equal to 255 characters'],
    ])('should refuse %s as name', async (_case, sent, fault) => {
      const session = await api.session();
      expect(await faultsOf(session.post('/v1/feeds', sent))).toContain(fault);
    });
  });

  describe('DELETE', () => {
    it('should answer with the remaining feeds', async () => {
      const session = await api.session();
      const [first] = [await createFeed(session, 'a'), await createFeed(session, 'b')];
      const remaining = await dataOf<Json[]>(session.delete(pathOf(first)), 200);
      expect(remaining.map(({ name }) => name)).toEqual(['b']);
    });

    it('should refuse an id that is none with 400', async () => {
      const session = await api.session();
      await session.delete('/v1/feeds/not-an-id').expect(400);
    });
  });
});

/** What the compatible system's own tests expect. */
describe('compatibility: feeds', () => {
  const session = useSession(api);

  it('should create once, list, and keep what a workflow uses', async () => {
    const feed = await dataOf(session.post('/v1/feeds', { name: 'Activities' }), 201);
    expect(feed).toMatchObject({ name: 'Activities', _environmentId: session.environmentId });
    expect(await codeOf(session.post('/v1/feeds', { name: 'Activities' }), 409)).toBe('feed_already_exists');
    const other = await dataOf(session.post('/v1/feeds', { name: 'Other' }), 201);
    const workflow = await createWorkflow(session, { steps: [stepFactory({ feedId: feed['_id'] })] });
    const path = `/v1/feeds/${String(feed['_id'])}`;
    // Deviation: 409 instead of 400.
    expect(await codeOf(session.delete(path), 409)).toBe('feed_in_use');
    expect(await dataOf(session.delete(`/v1/feeds/${String(other['_id'])}`), 200)).toMatchObject([
      { _id: feed['_id'] },
    ]);
    await session.delete(workflowPath(workflow)).expect(200);
    expect(await dataOf(session.delete(path), 200)).toEqual([]);
  });
});
