import type { TestApp, TestSession } from '#libs/testing';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createTenant } from '../factories/tenant.factory.js';
import { createSubscribers } from '../factories/topic.factory.js';
import { createWorkflow, stepFactory, workflowPath } from '../factories/workflow.factory.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { startTestApi } from '../support/test-api.js';

interface ShownPage {
  data: Json[];
  hasMore: boolean;
  totalCount?: number;
  pageSize: number;
}

/** Replays what the compatible system's own tests expect of the smaller resources. */
describe('compatibility: resources', () => {
  let api: TestApp;
  let session: TestSession;

  beforeAll(async () => {
    api = await startTestApi();
  });
  beforeEach(async () => {
    session = await api.session();
  });
  afterAll(() => api.close());

  const page = async (path: string): Promise<ShownPage> => (await session.get(path).expect(200)).body as ShownPage;

  describe('feeds', () => {
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

  describe('notification groups', () => {
    it('should create, list, show, rename and delete', async () => {
      const made = await dataOf(session.post('/v1/notification-groups', { name: 'Test' }), 201);
      await session.post('/v1/notification-groups', { name: 'Test' }).expect(201);
      expect(made).toMatchObject({ name: 'Test', _environmentId: session.environmentId });
      expect(await dataOf(session.get('/v1/notification-groups'), 200)).toHaveLength(3);
      const path = `/v1/notification-groups/${String(made['id'])}`;
      expect(await dataOf(session.get(path), 200)).toMatchObject({ _id: made['_id'] });
      expect(await dataOf(session.patch(path, { name: 'New' }), 200)).toMatchObject({ name: 'New' });
      expect(await dataOf(session.delete(path), 200)).toEqual({ acknowledged: true, status: 'deleted' });
      for (const call of [session.get(path), session.patch(path, { name: 'x' }), session.delete(path)]) {
        expect(await codeOf(call, 404)).toBe('notification_group_not_found');
      }
    });
  });

  describe('workflow overrides', () => {
    const PATH = '/v1/workflow-overrides';
    const pair = async (): Promise<{ workflowId: unknown; tenantId: unknown }> => {
      const [workflow, tenant] = [await createWorkflow(session, { active: true }), await createTenant(session)];
      return { workflowId: workflow['_id'], tenantId: tenant['_id'] };
    };

    it('should create, complete the channels, and refuse a body without a workflow (deviation: 200, not 201)', async () => {
      const body = { ...(await pair()), active: false, preferenceSettings: { email: false } };
      expect(await dataOf(session.post(PATH, body), 200)).toMatchObject({
        active: false,
        _workflowId: body.workflowId,
        _tenantId: body.tenantId,
        preferenceSettings: { email: false, sms: true, in_app: true, chat: true, push: true },
        deleted: false,
      });
      const [fault] = await faultsOf(session.post(PATH, { tenantId: body.tenantId }));
      expect(fault).toContain('workflowId');
    });

    it('should merge switches by pair and by id, and read back', async () => {
      const { workflowId, tenantId } = await pair();
      const made = await dataOf(
        session.post(PATH, { workflowId, tenantId, preferenceSettings: { email: false } }),
        200,
      );
      const byPair = `${PATH}/workflows/${String(workflowId)}/tenants/${String(tenantId)}`;
      const byId = `${PATH}/${String(made['_id'])}`;
      const merged = { email: true, sms: false, in_app: true, chat: true, push: true };
      for (const path of [byPair, byId]) {
        const preferenceSettings = { email: true, sms: false };
        expect(await dataOf(session.put(path, { active: true, preferenceSettings }), 200)).toMatchObject({
          active: true,
          preferenceSettings: merged,
        });
        expect(await dataOf(session.get(path), 200)).toMatchObject({ preferenceSettings: merged });
      }
      expect(await dataOf(session.delete(byId), 200)).toBe(true);
      await session.delete(byId).expect(404);
    });

    it('should list by page', async () => {
      expect(await page(PATH)).toMatchObject({ data: [], hasMore: false });
      for (let i = 0; i < 3; i++) await session.post(PATH, await pair()).expect(200);
      expect((await page(PATH)).data).toHaveLength(3);
      expect(await page(`${PATH}?page=0&limit=2`)).toMatchObject({ hasMore: true });
      const last = await page(`${PATH}?page=1&limit=2`);
      expect([last.data.length, last.hasMore]).toEqual([1, false]);
    });
  });

  describe('tenants', () => {
    const body = { identifier: 'acme', name: 'Acme', data: { a: 1 } };
    it('should create once and show, change, clash and delete', async () => {
      await session.post('/v1/tenants', body).expect(201);
      await session.post('/v1/tenants', body).expect(409);
      expect(await faultsOf(session.post('/v1/tenants', { name: 'x' }))).not.toEqual([]);
      expect(await dataOf(session.get('/v1/tenants/acme'), 200)).toMatchObject(body);
      await session.get('/v1/tenants/nobody').expect(404);
      await session.post('/v1/tenants', { ...body, identifier: 'second' }).expect(201);
      await session.patch('/v1/tenants/acme', { identifier: 'second' }).expect(409);
      const changed = await dataOf(
        session.patch('/v1/tenants/acme', { identifier: null, name: 'New', data: { b: 2 } }),
        200,
      );
      expect(changed).toMatchObject({ identifier: 'acme', name: 'New', data: { b: 2 } });
      await session.delete('/v1/tenants/acme').expect(204);
      await session.get('/v1/tenants/acme').expect(404);
    });

    it('should list newest first over three pages', async () => {
      for (let i = 0; i < 14; i++) await session.post('/v1/tenants', { identifier: `t-${i}`, name: 'x' }).expect(201);
      const pages = await Promise.all([0, 1, 2].map((number) => page(`/v1/tenants?page=${number}&limit=5`)));
      expect(pages.map(({ hasMore, data }) => [hasMore, data.length])).toEqual([
        [true, 5],
        [true, 5],
        [false, 4],
      ]);
      expect(pages[0]?.data[0]).toMatchObject({ identifier: 't-13' });
    });
  });

  describe('topics', () => {
    it('should refuse an empty body, create once, and delete an empty one only', async () => {
      const faults = await faultsOf(session.post('/v1/topics', {}));
      expect(faults.map((fault) => fault.split(' ')[0])).toEqual(expect.arrayContaining(['key', 'name']));
      await session.post('/v1/topics', { key: 'k', name: 'n' }).expect(201);
      await session.post('/v1/topics', { key: 'k', name: 'n' }).expect(409);
      const [ann = ''] = await createSubscribers(session, 1);
      await session.post('/v1/topics/k/subscribers', { subscribers: [ann] }).expect(200);
      await session.delete('/v1/topics/k').expect(409);
      await session.post('/v1/topics/k/subscribers/removal', { subscribers: [ann] }).expect(204);
      expect((await session.delete('/v1/topics/k').expect(204)).text).toBe('');
      await session.delete('/v1/topics/k').expect(404);
    });

    it('should name a topic that subscribers made, and count nobody twice', async () => {
      const [ann = ''] = await createSubscribers(session, 1);
      for (let i = 0; i < 2; i++) {
        const added = await dataOf(session.post('/v1/topics/new/subscribers', { subscribers: [ann, 'nobody'] }), 200);
        expect(added).toEqual({ succeeded: [ann], failed: { notFound: ['nobody'] } });
      }
      expect(await dataOf(session.get('/v1/topics/new'), 200)).toMatchObject({
        name: 'Autogenerated-new',
        subscribers: [ann],
      });
      await session.get('/v1/topics/new/subscribers/nobody').expect(404);
    });

    it('should list by page and key, and refuse pages that are none (deviation: up to 100 a page)', async () => {
      for (const key of ['a', 'b', 'c']) await session.post('/v1/topics', { key, name: key }).expect(201);
      const first = await page('/v1/topics?page=0&pageSize=2');
      expect([first.data.length, first.totalCount, first.pageSize]).toEqual([2, 3, 2]);
      expect((await page('/v1/topics?key=b')).data).toMatchObject([{ key: 'b' }]);
      await session.get('/v1/topics?pageSize=100').expect(200);
      for (const query of ['pageSize=101', 'page=x&pageSize=x', 'page=1.5', 'page=-1']) {
        expect(await faultsOf(session.get(`/v1/topics?${query}`))).not.toEqual([]);
      }
    });
  });

  describe('layouts', () => {
    const layout = (identifier: string, more: Json = {}): Json => ({
      name: 'Layout',
      identifier,
      content: '<p>{{{body}}}</p>',
      ...more,
    });

    it('should refuse an empty body and a content without a body, and create once', async () => {
      const faults = await faultsOf(session.post('/v1/layouts', {}));
      expect(new Set(faults.map((fault) => fault.split(' ')[0]))).toEqual(new Set(['name', 'identifier', 'content']));
      await session.post('/v1/layouts', layout('l', { content: 'none' })).expect(400);
      await session.post('/v1/layouts', layout('l')).expect(201);
      await session.post('/v1/layouts', layout('l')).expect(409);
    });

    it('should have one default, which cannot be deleted', async () => {
      const first = await dataOf(session.post('/v1/layouts', layout('a', { isDefault: true })), 201);
      const second = await dataOf(session.post('/v1/layouts', layout('b', { isDefault: true })), 201);
      expect(await dataOf(session.get(`/v1/layouts/${String(first['_id'])}`), 200)).toMatchObject({ isDefault: false });
      await session.delete(`/v1/layouts/${String(second['_id'])}`).expect(409);
      await session.patch(`/v1/layouts/${String(second['_id'])}`, { isDefault: false }).expect(409);
      await session.delete(`/v1/layouts/${String(first['_id'])}`).expect(204);
      await session.delete(`/v1/layouts/${UNKNOWN_ID}`).expect(404);
    });

    it('should list by page and order (deviation: up to 100 a page)', async () => {
      for (const identifier of ['a', 'b', 'c']) await session.post('/v1/layouts', layout(identifier)).expect(201);
      const newest = await page('/v1/layouts');
      expect(newest).toMatchObject({ page: 0, pageSize: 10, totalCount: 3 });
      expect(newest.data.map(({ identifier }) => identifier)).toEqual(['c', 'b', 'a']);
      const oldest = await page('/v1/layouts?sortBy=createdAt&orderBy=1&pageSize=2');
      expect(oldest.data.map(({ identifier }) => identifier)).toEqual(['a', 'b']);
      expect(await faultsOf(session.get('/v1/layouts?pageSize=1001'))).not.toEqual([]);
    });
  });
});
