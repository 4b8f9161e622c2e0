import type { TenantContext } from '#libs/common';
import type { Json } from '../../../test/support/answers.js';
import { createTenant } from '../../../test/factories/tenant.factory.js';
import { createWorkflow } from '../../../test/factories/workflow.factory.js';
import { tenantOf } from '../../../test/support/service-tenant.js';
import { useSession, useTestApi } from '../../../test/support/test-api.js';
import { type ResolvedWorkflow, WorkflowsService } from '../workflows/index.js';
import { WorkflowOverridesService } from './workflow-overrides.service.js';

const api = useTestApi();
let overrides: WorkflowOverridesService;
const session = useSession(api);
let tenant: TenantContext;

beforeAll(() => {
  overrides = api.app.get(WorkflowOverridesService);
});
beforeEach(() => {
  tenant = tenantOf(session);
});

async function workflowThatIs(active: boolean): Promise<ResolvedWorkflow> {
  const made = await createWorkflow(session, { active });
  const found = await api.app.get(WorkflowsService).findByIdOrIdentifier(tenant, String(made['_id']));
  if (found === undefined) throw new Error('The workflow is not there.');
  return found;
}

async function overriding(workflow: ResolvedWorkflow, override: Json): Promise<{ _id: string }> {
  const record = await createTenant(session);
  await overrides.create(tenant, { workflowId: workflow.id, tenantId: String(record['_id']), ...override });
  return { _id: String(record['_id']) };
}

const anyId = expect.stringMatching(/^[0-9a-f]{24}$/) as string;

describe('effective', () => {
  it('should be as the workflow without a tenant and without an override', async () => {
    const workflow = await workflowThatIs(true);
    const record = await createTenant(session);
    expect(await overrides.effective(tenant, workflow)).toEqual({ active: true });
    expect(await overrides.effective(tenant, workflow, { _id: String(record['_id']) })).toEqual({ active: true });
  });

  it.each([
    [true, false],
    [false, true],
  ])('should turn a workflow that is %p into one that is %p for its tenant', async (own, active) => {
    const workflow = await workflowThatIs(own);
    const record = await overriding(workflow, { active });
    expect(await overrides.effective(tenant, workflow, record)).toEqual({ id: anyId, active, decidesActive: true });
  });

  it('should leave the workflow on when only channels are overridden, and name only those', async () => {
    const workflow = await workflowThatIs(true);
    const record = await overriding(workflow, { preferenceSettings: { email: false, sms: null } });
    expect(await overrides.effective(tenant, workflow, record)).toEqual({
      id: anyId,
      active: true,
      preferenceSettings: { email: false },
    });
  });
});
