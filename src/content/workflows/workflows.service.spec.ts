import type { TenantContext } from '#libs/common';
import { createWorkflow, identifierOf, stepFactory, workflowPath } from '../../../test/factories/workflow.factory.js';
import { tenantOf } from '../../../test/support/service-tenant.js';
import { useSession, useTestApi } from '../../../test/support/test-api.js';
import { WorkflowsService } from './workflows.service.js';
import { dataOf } from '../../../test/support/answers.js';

const api = useTestApi();
let workflows: WorkflowsService;
const session = useSession(api);
let tenant: TenantContext;

beforeAll(() => {
  workflows = api.app.get(WorkflowsService);
});
beforeEach(() => {
  tenant = tenantOf(session);
});

describe('resolve', () => {
  it('should give what delivery needs, with texts for ids, frozen through and through', async () => {
    const feed = await dataOf<{ _id: string }>(session.post('/v1/feeds', { name: 'News' }), 201);
    const made = await createWorkflow(session, {
      active: true,
      tags: ['t'],
      data: { a: { b: 1 } },
      steps: [stepFactory({ feedId: feed._id }, { uuid: 'u' })],
    });
    const resolved = await workflows.resolve(tenant, identifierOf(made));
    expect(resolved).toMatchObject({
      id: made['_id'],
      version: 0,
      environmentId: session.environmentId,
      organizationId: session.organizationId,
      identifier: identifierOf(made),
      active: true,
      critical: false,
      tags: ['t'],
      data: { a: { b: 1 } },
      preferenceSettings: { email: true },
      trigger: { variables: [{ name: 'name', type: 'String' }] },
      steps: [{ uuid: 'u', template: { type: 'in_app', _feedId: feed._id }, filters: [], variants: [] }],
    });
    expect(Object.isFrozen(resolved?.steps[0]?.template)).toBe(true);
    expect(Object.isFrozen(resolved?.data?.['a'])).toBe(true);
  });

  it('should see every change of this process at once', async () => {
    const made = await createWorkflow(session, { name: 'Seen' });
    expect(await workflows.resolve(tenant, 'seen')).toMatchObject({ active: false, version: 0 });
    await session.put(`${workflowPath(made)}/status`, { active: true }).expect(200);
    expect(await workflows.resolve(tenant, 'seen')).toMatchObject({ active: true, version: 1 });
    const { name, _notificationGroupId: notificationGroupId } = made;
    await session.put(workflowPath(made), { name, notificationGroupId, identifier: 'other' }).expect(200);
    expect(await workflows.resolve(tenant, 'seen')).toBeUndefined();
    expect(await workflows.resolve(tenant, 'other')).toMatchObject({ version: 2 });
    await session.delete(workflowPath(made)).expect(200);
    expect(await workflows.resolve(tenant, 'other')).toBeUndefined();
  });

  it('should find a workflow that is made after it was looked for', async () => {
    expect(await workflows.resolve(tenant, 'later')).toBeUndefined();
    await createWorkflow(session, { name: 'Later' });
    expect(await workflows.resolve(tenant, 'later')).toMatchObject({ identifier: 'later' });
  });

  it('should not see workflows of other environments', async () => {
    const made = await createWorkflow(await api.session(), { name: 'Theirs' });
    expect(await workflows.resolve(tenant, 'theirs')).toBeUndefined();
    expect(await workflows.findByIdOrIdentifier(tenant, String(made['_id']))).toBeUndefined();
    expect(await workflows.findByIds(tenant, [String(made['_id'])])).toEqual(new Map());
  });
});

describe('what outlives a workflow', () => {
  it('should be found when deleted ones are asked for, and only then', async () => {
    const made = await createWorkflow(session);
    const id = String(made['_id']);
    await session.delete(workflowPath(made)).expect(200);
    expect((await workflows.findByIds(tenant, [id])).size).toBe(0);
    expect((await workflows.findByIds(tenant, [id], { deleted: true })).get(id)?.name).toBe('Order shipped');
    expect(await workflows.findEvenDeleted(tenant, id)).toMatchObject({ _id: id, deleted: true });
  });
});

describe('listActive', () => {
  it('should give those that can be triggered, oldest first', async () => {
    for (const [name, active] of [
      ['a', true],
      ['b', false],
      ['c', true],
    ] as const) {
      await createWorkflow(session, { name, active });
    }
    expect((await workflows.listActive(tenant)).map(({ name }) => name)).toEqual(['a', 'c']);
  });
});
