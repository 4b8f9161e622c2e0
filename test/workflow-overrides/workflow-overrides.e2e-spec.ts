import { itBehavesLikeAResource, type TestSession } from '../harness/index.js';
import { dataOf, faultsOf, fieldsOf, type Json, pageOf } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createTenant } from '../factories/tenant.factory.js';
import { createWorkflow, identifierOf, workflowPath } from '../factories/workflow.factory.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();

const PATH = '/v1/workflow-overrides';
const ALL_ON = { email: true, sms: true, in_app: true, chat: true, push: true };

async function createPair(session: TestSession, workflow: Json = {}): Promise<{ workflow: Json; tenant: Json }> {
  return { workflow: await createWorkflow(session, workflow), tenant: await createTenant(session) };
}

async function createOverride(session: TestSession, rest: Json = {}): Promise<Json> {
  const { workflow, tenant } = await createPair(session);
  const body = { workflowId: workflow['_id'], tenantId: tenant['_id'], ...rest };
  return dataOf(await session.post(PATH, body).expect(200));
}

const pathOf = ({ _id }: Json): string => `${PATH}/${String(_id)}`;
const pairPathOf = ({ _workflowId, _tenantId }: Json): string =>
  `${PATH}/workflows/${String(_workflowId)}/tenants/${String(_tenantId)}`;

describe(PATH, () => {
  itBehavesLikeAResource({
    api: () => api,
    path: PATH,
    create: createOverride,
    itemPath: pathOf,
    list: { shape: 'page' },
    remove: { path: pathOf, status: 200 },
    writes: [
      { method: 'put', path: pathOf, body: { active: true } },
      { method: 'put', path: pairPathOf, body: { active: true } },
    ],
    unknownPath: `${PATH}/${UNKNOWN_ID}`,
  });

  it('should list those of a workflow, by id and by trigger identifier', async () => {
    const session = await api.session();
    const { workflow, tenant } = await createPair(session);
    await createOverride(session);
    const own = { workflowId: workflow['_id'], tenantId: tenant['_id'], active: false };
    const { _id } = dataOf<Json>(await session.post(PATH, own).expect(200));
    for (const name of [String(workflow['_id']), identifierOf(workflow)]) {
      const { data, hasMore } = await pageOf(session.get(`${PATH}?workflowId=${name}`));
      expect([data.map((row) => row['_id']), hasMore]).toEqual([[_id], false]);
    }
    expect(await pageOf(session.get(`${PATH}?workflowId=nothing`))).toMatchObject({ data: [], hasMore: false });
  });

  describe('POST', () => {
    it('should answer 200 with every field of the interface', async () => {
      const session = await api.session();
      const { workflow, tenant } = await createPair(session);
      const response = await session
        .post(PATH, {
          workflowId: workflow['_id'],
          tenantId: tenant['_id'],
          active: false,
          preferenceSettings: { email: false },
        })
        .expect(200);
      expect(dataOf(response)).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        _workflowId: workflow['_id'],
        _tenantId: tenant['_id'],
        active: false,
        preferenceSettings: { ...ALL_ON, email: false },
        _environmentId: session.environmentId,
        _organizationId: session.organizationId,
        deleted: false,
        createdAt: expect.any(String) as string,
        updatedAt: expect.any(String) as string,
        __v: 0,
      });
    });

    it('should take the trigger identifier and the identifier of the tenant', async () => {
      const session = await api.session();
      const { workflow, tenant } = await createPair(session);
      const body = { workflowId: identifierOf(workflow), tenantId: tenant['identifier'] };
      const made = dataOf(await session.post(PATH, body).expect(200));
      expect(made).toMatchObject({ _workflowId: workflow['_id'], _tenantId: tenant['_id'] });
    });

    it('should follow the workflow where it says nothing', async () => {
      const session = await api.session();
      const { workflow, tenant } = await createPair(session, { active: true, preferenceSettings: { sms: false } });
      const body = { workflowId: workflow['_id'], tenantId: tenant['_id'], preferenceSettings: { push: false } };
      const made = dataOf(await session.post(PATH, body).expect(200));
      expect(made).toMatchObject({ active: true, preferenceSettings: { ...ALL_ON, sms: false, push: false } });
      await session.put(`${workflowPath(workflow)}/status`, { active: false }).expect(200);
      expect(dataOf(await session.get(pathOf(made)).expect(200))).toMatchObject({ active: false });
    });

    it('should refuse the pair again with 409, also under its other names', async () => {
      const session = await api.session();
      const { workflow, tenant } = await createPair(session);
      await session.post(PATH, { workflowId: workflow['_id'], tenantId: tenant['_id'] }).expect(200);
      const again = { workflowId: identifierOf(workflow), tenantId: tenant['identifier'] };
      expect((await session.post(PATH, again).expect(409)).body).toMatchObject({
        code: 'workflow_override_already_exists',
      });
    });

    it('should make one override when the same pair comes many times at once', async () => {
      const session = await api.session();
      const { workflow, tenant } = await createPair(session);
      const body = { workflowId: workflow['_id'], tenantId: tenant['_id'] };
      const answers = await Promise.all(Array.from({ length: 20 }, () => session.post(PATH, body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    });

    it('should make the pair again after it was deleted', async () => {
      const session = await api.session();
      const made = await createOverride(session);
      await session.delete(pathOf(made)).expect(200);
      await session.post(PATH, { workflowId: made['_workflowId'], tenantId: made['_tenantId'] }).expect(200);
    });

    it('should answer 404 for workflows and tenants that this environment does not have', async () => {
      const [session, sibling] = await api.siblings();
      const [own, foreign] = [await createPair(session), await createPair(sibling)];
      const post = async (workflowId: unknown, tenantId: unknown, code: string): Promise<void> => {
        expect((await session.post(PATH, { workflowId, tenantId }).expect(404)).body).toMatchObject({ code });
      };
      await post(UNKNOWN_ID, own.tenant['_id'], 'workflow_not_found');
      await post(foreign.workflow['_id'], own.tenant['_id'], 'workflow_not_found');
      await post(own.workflow['_id'], UNKNOWN_ID, 'tenant_not_found');
      await post(own.workflow['_id'], foreign.tenant['_id'], 'tenant_not_found');
      await post(own.workflow['_id'], 'unknown', 'tenant_not_found');
    });

    it('should list every fault at once', async () => {
      const session = await api.session();
      const body = { workflowId: { $gt: '' }, active: 'no', preferenceSettings: { email: 1, sms: 'x' } };
      const faults = faultsOf(await session.post(PATH, body).expect(400));
      expect(new Set(fieldsOf(faults))).toEqual(
        new Set(['workflowId', 'tenantId', 'active', 'preferenceSettings.email', 'preferenceSettings.sms']),
      );
    });

    it.each([['text'], [[1]], [5]])('should refuse %j as preferenceSettings', async (preferenceSettings) => {
      const session = await api.session();
      const body = { workflowId: 'w', tenantId: 't', preferenceSettings };
      expect(faultsOf(await session.post(PATH, body).expect(400))).toEqual(
        expect.arrayContaining(['preferenceSettings must be an object']),
      );
    });
  });

  describe('PUT by pair', () => {
    it('should merge the switches and keep what is absent', async () => {
      const session = await api.session();
      const made = await createOverride(session, { active: true, preferenceSettings: { email: false } });
      const changed = await session.put(pairPathOf(made), { preferenceSettings: { sms: false } }).expect(200);
      expect(dataOf(changed)).toMatchObject({
        active: true,
        preferenceSettings: { ...ALL_ON, email: false, sms: false },
      });
      const off = await session.put(pairPathOf(made), { active: false }).expect(200);
      expect(dataOf(off)).toMatchObject({ active: false, preferenceSettings: { email: false, sms: false } });
    });

    it('should take identifiers and change the same record', async () => {
      const session = await api.session();
      const { workflow, tenant } = await createPair(session);
      const made = dataOf(
        await session.post(PATH, { workflowId: workflow['_id'], tenantId: tenant['_id'] }).expect(200),
      );
      const path = `${PATH}/workflows/${identifierOf(workflow)}/tenants/${String(tenant['identifier'])}`;
      const changed = dataOf(await session.put(path, { active: true }).expect(200));
      expect(changed).toMatchObject({ _id: made['_id'], active: true });
      expect(dataOf(await session.get(path).expect(200))).toEqual(changed);
    });

    it('should follow the workflow again after null', async () => {
      const session = await api.session();
      const made = await createOverride(session, { active: true, preferenceSettings: { email: false, sms: false } });
      const one = await session.put(pairPathOf(made), { active: null, preferenceSettings: { sms: null } }).expect(200);
      expect(dataOf(one)).toMatchObject({ active: false, preferenceSettings: { ...ALL_ON, email: false } });
      const all = await session.put(pairPathOf(made), { preferenceSettings: null }).expect(200);
      expect(dataOf(all)['preferenceSettings']).toEqual(ALL_ON);
    });

    it('should take an empty body', async () => {
      const session = await api.session();
      const made = await createOverride(session, { active: true });
      expect(dataOf(await session.put(pairPathOf(made), {}).expect(200))).toMatchObject({ active: true });
    });

    it('should answer 404 when there is no override, and make none', async () => {
      const session = await api.session();
      const { workflow, tenant } = await createPair(session);
      const path = pairPathOf({ _workflowId: workflow['_id'], _tenantId: tenant['_id'] });
      const { body } = await session.put(path, { active: true }).expect(404);
      expect(body).toMatchObject({ code: 'workflow_override_not_found' });
      await session.get(path).expect(404);
      await session.put(pairPathOf({ _workflowId: UNKNOWN_ID, _tenantId: tenant['_id'] }), {}).expect(404);
      await session.put(pairPathOf({ _workflowId: workflow['_id'], _tenantId: UNKNOWN_ID }), {}).expect(404);
    });

    it('should list every fault at once', async () => {
      const session = await api.session();
      const made = await createOverride(session);
      const body = { active: 1, preferenceSettings: { push: 'x' } };
      for (const path of [pairPathOf(made), pathOf(made)]) {
        expect(faultsOf(await session.put(path, body).expect(400))).toEqual([
          'active must be a boolean value',
          'preferenceSettings.push must be a boolean value',
        ]);
      }
    });
  });

  describe('PUT by id', () => {
    it('should merge as by pair', async () => {
      const session = await api.session();
      const made = await createOverride(session, { preferenceSettings: { email: false } });
      const changed = await session.put(pathOf(made), { active: true, preferenceSettings: { sms: false } }).expect(200);
      expect(dataOf(changed)).toMatchObject({
        active: true,
        preferenceSettings: { ...ALL_ON, email: false, sms: false },
      });
      await session.put(`${PATH}/not-an-id`, {}).expect(400);
    });
  });

  describe('when its tenant or workflow is deleted', () => {
    it.each([
      ['tenant', (_override: Json, tenant: Json): string => `/v1/tenants/${String(tenant['identifier'])}`],
      ['workflow', ({ _workflowId }: Json): string => `/v1/workflows/${String(_workflowId)}`],
    ])('should go with its %s, and no other with it', async (_what, path) => {
      const session = await api.session();
      const { workflow, tenant } = await createPair(session);
      const body = { workflowId: workflow['_id'], tenantId: tenant['_id'] };
      const made = dataOf(await session.post(PATH, body).expect(200));
      const other = await createOverride(session);
      const removed = await session.delete(path(made, tenant));
      expect(removed.ok).toBe(true);
      await session.get(pathOf(made)).expect(404);
      await session.get(pathOf(other)).expect(200);
    });
  });
});

/** What the compatible system's own tests expect. */
describe('compatibility: workflow overrides', () => {
  const session = useSession(api);

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
    const made = await dataOf(session.post(PATH, { workflowId, tenantId, preferenceSettings: { email: false } }), 200);
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
    expect(await pageOf(session.get(PATH))).toMatchObject({ data: [], hasMore: false });
    for (let i = 0; i < 3; i++) await session.post(PATH, await pair()).expect(200);
    expect((await pageOf(session.get(PATH))).data).toHaveLength(3);
    expect(await pageOf(session.get(`${PATH}?page=0&limit=2`))).toMatchObject({ hasMore: true });
    const last = await pageOf(session.get(`${PATH}?page=1&limit=2`));
    expect([last.data.length, last.hasMore]).toEqual([1, false]);
  });
});
