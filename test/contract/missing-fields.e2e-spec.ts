import { createActiveWorkflow } from '../factories/workflow.factory.js';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { TestApp } from '../harness/index.js';
import { showIntegration } from '../../src/channels/integrations/integration.response.js';
import type { Integration } from '../../src/channels/integrations/integration.schema.js';
import { NotificationGroupsService } from '../../src/content/notification-groups/index.js';
import { showWorkflowOverride } from '../../src/content/workflow-overrides/workflow-override.response.js';
import type { WorkflowOverride } from '../../src/content/workflow-overrides/workflow-override.schema.js';
import type { ChannelSwitches } from '../../src/content/workflows/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createInbox } from '../factories/message.factory.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi();

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[0-9a-f]{24}$/) as string;

describe('a deleted workflow', () => {
  it('should be shown with when and by whom it was deleted, where a message still embeds it', async () => {
    const inbox = await createInbox(api, await api.session());
    const [id = ''] = await inbox.deliver({});
    const path = `${inbox.path}/messages/${id}/actions/primary`;
    const before = dataOf(await inbox.session.post(path, { status: 'pending' }).expect(201))['template'] as Json;
    expect(Object.keys(before)).not.toEqual(expect.arrayContaining(['deletedAt']));
    expect(before).toMatchObject({ deleted: false });
    await inbox.session.delete(`/v1/workflows/${inbox.workflow._id}`).expect(200);
    const { template } = dataOf(await inbox.session.post(path, { status: 'done' }).expect(201));
    expect(template).toMatchObject({ _id: inbox.workflow._id, deleted: true, deletedAt: ISO, deletedBy: ID });
  });
});

describe('deleted integrations and overrides', () => {
  // No route answers them; the response classes are given what the store keeps of them.
  const storedRow = async <T>(model: string, _environmentId: string): Promise<T> => {
    const rows = api.app.get<Model<T>>(getModelToken(model));
    const row = await rows.findOne({ _environmentId, deleted: true }).lean().exec();
    if (row === null) throw new Error(`no deleted ${model} is stored`);
    return row;
  };

  it('should have deletedAt and deletedBy', async () => {
    const session = await api.session();
    const made = await dataOf(session.post('/v1/integrations', { providerId: 'nodemailer', channel: 'email' }), 201);
    expect(made).not.toHaveProperty('deletedAt');
    await session.delete(`/v1/integrations/${String(made['_id'])}`).expect(200);
    const row = await storedRow<Integration>('Integration', session.environmentId);
    expect(showIntegration(row, { row, credentials: {}, primary: false, priority: 0 })).toMatchObject({
      deleted: true,
      deletedAt: expect.any(Date) as Date,
      deletedBy: ID,
    });

    const workflow = await createActiveWorkflow(session);
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    const pair = { workflowId: workflow._id, tenantId: 'acme' };
    const override = await dataOf(session.post('/v1/workflow-overrides', pair), 200);
    await session.delete(`/v1/workflow-overrides/${String(override['_id'])}`).expect(200);
    const effective = { active: true, preferenceSettings: workflow['preferenceSettings'] as ChannelSwitches };
    const deleted = await storedRow<WorkflowOverride>('WorkflowOverride', session.environmentId);
    expect(showWorkflowOverride(deleted, effective)).toMatchObject({
      deleted: true,
      deletedAt: expect.any(Date) as Date,
      deletedBy: ID,
    });
  });
});

describe('the first group of Production', () => {
  it('should point at that of Development, which points at none', async () => {
    const [development, production] = await api.siblings();
    const [general] = await dataOf<Json[]>(development.get('/v1/notification-groups'), 200);
    const [copy] = await dataOf<Json[]>(production.get('/v1/notification-groups'), 200);
    expect(general).toMatchObject({ name: 'General' });
    expect(general).not.toHaveProperty('_parentId');
    expect(copy).toMatchObject({ name: 'General', _parentId: general?.['_id'] });
  });

  it('should get the pointer at the next start where it was made without', async () => {
    const [development, production] = await api.siblings();
    const groups = api.app.get<Model<Json>>(getModelToken('NotificationGroup'));
    const filter = { _environmentId: production.environmentId, isDefault: true };
    await groups.updateOne(filter, { $unset: { _parentId: 1 } });
    const { organizationId, environmentId } = production;
    const service = api.app.get(NotificationGroupsService);
    await service.ensureDefault({ owner: { organizationId, environmentId }, parentId: development.environmentId });
    const [general] = await dataOf<Json[]>(development.get('/v1/notification-groups'), 200);
    expect(await dataOf<Json[]>(production.get('/v1/notification-groups'), 200)).toMatchObject([
      { _parentId: general?.['_id'] },
    ]);
  });

  it('should have a pointer in the groups of its own that are created later no more than there', async () => {
    const [, production] = await api.siblings();
    const made = await dataOf(production.post('/v1/notification-groups', { name: 'Billing' }), 201);
    expect(made).not.toHaveProperty('_parentId');
  });
});

describe('deprecated of a new workflow', () => {
  it.each([true, 'yes', 5, {}, [], null])('should be taken as %j and change nothing', async (deprecated) => {
    const session = await api.session();
    const workflow = await createActiveWorkflow(session, { deprecated });
    expect(workflow).not.toHaveProperty('deprecated');
    expect(workflow).toMatchObject({ active: true });
  });
});

describe('notificationGroup of a new workflow', () => {
  const bodyWith = async (more: object): Promise<[Awaited<ReturnType<TestApp['session']>>, Json]> => {
    const session = await api.session();
    const [group] = await dataOf<Json[]>(session.get('/v1/notification-groups'), 200);
    return [session, { name: 'Order shipped', notificationGroupId: group?.['_id'], steps: [], ...more }];
  };

  it.each(['text', 5, true, [[]], [{ name: 'General' }]])('should be refused as %j', async (notificationGroup) => {
    const [session, body] = await bodyWith({ notificationGroup });
    expect(await faultsOf(session.post('/v1/workflows', body))).toEqual(['notificationGroup must be an object']);
  });

  it.each([{}, { name: 5 }, { name: 'General', anything: [1] }, null, undefined])(
    'should be taken and ignored as %j without a blueprint',
    async (notificationGroup) => {
      const [session, body] = await bodyWith({ notificationGroup });
      const made = await dataOf(session.post('/v1/workflows', body), 201);
      expect(made['_notificationGroupId']).toBe(body['notificationGroupId']);
    },
  );

  it.each([{}, { name: 5 }, { name: ' ' }, { name: 'x'.repeat(256) }, { name: 'a\0' }])(
    'should be refused as %j with a blueprint',
    async (notificationGroup) => {
      const [session, body] = await bodyWith({ notificationGroup, blueprintId: 'order-shipped' });
      expect(await faultsOf(session.post('/v1/workflows', body))).toEqual([
        expect.stringMatching(/^notificationGroup\.name must/),
      ]);
    },
  );
});
