import type { Novu } from '@novu/node';
import { legacyClient, pageOf, refusalOf, resultOf, type Shown } from '../support/legacy-client.js';
import { useHerald } from '../support/herald.js';

interface ShownWorkflow extends Shown {
  triggers: { identifier: string }[];
}

describe('legacy client: workflows', () => {
  const api = useHerald();
  let novu: Novu;
  let groupId: string;

  beforeEach(async () => {
    novu = legacyClient(api, await api.session());
    const [general] = await resultOf<Shown[]>(novu.notificationGroups.get());
    groupId = general?._id ?? '';
  });

  const step = { name: 'Tell', template: { type: 'in_app', content: 'Order {{order.id}}' } };
  const create = async (name = 'Order shipped'): Promise<ShownWorkflow> =>
    resultOf(
      novu.notificationTemplates.create({
        name,
        notificationGroupId: groupId,
        tags: ['orders'],
        description: 'Tells that an order is on its way',
        active: false,
        critical: true,
        preferenceSettings: { email: true, sms: false, in_app: true, chat: true, push: true },
        steps: [step as never],
        data: { owner: 'shop' },
      }),
      201,
    );

  describe('notificationTemplates', () => {
    it('should create a workflow and show it by id and by trigger', async () => {
      const made = await create();
      expect(made).toMatchObject({
        name: 'Order shipped',
        active: false,
        draft: true,
        critical: true,
        tags: ['orders'],
        preferenceSettings: { sms: false, email: true },
        steps: [{ name: 'Tell', template: { type: 'in_app', content: 'Order {{order.id}}' } }],
        data: { owner: 'shop' },
        _notificationGroupId: groupId,
      });
      expect(made.triggers).toMatchObject([
        { type: 'event', identifier: 'order-shipped', variables: [{ name: 'order.id' }] },
      ]);
      expect(await resultOf(novu.notificationTemplates.getOne(made._id))).toEqual(made);
      expect(await resultOf(novu.notificationTemplates.getOne('order-shipped'))).toMatchObject({ _id: made._id });
    });

    it('should list the workflows newest first', async () => {
      const ids = [await create('One'), await create('Two'), await create('Three')].map(({ _id }) => _id);
      const page = await pageOf<Shown>(novu.notificationTemplates.getAll(0, 2));
      expect(page).toMatchObject({ page: 0, pageSize: 2, totalCount: 3 });
      expect(page.data.map(({ _id }) => _id)).toEqual([ids[2], ids[1]]);
      expect(page.data[0]).toMatchObject({ notificationGroup: { name: 'General' } });
      expect((await pageOf<Shown>(novu.notificationTemplates.getAll())).data).toHaveLength(3);
    });

    it('should change a workflow and keep what is not said', async () => {
      const made = await create();
      const changed = await resultOf<ShownWorkflow>(
        novu.notificationTemplates.update(made._id, { name: 'Order delayed', notificationGroupId: groupId }),
      );
      expect(changed).toMatchObject({
        name: 'Order delayed',
        description: made['description'],
        triggers: made.triggers,
      });
    });

    it('should switch a workflow on and delete it', async () => {
      const { _id } = await create();
      const active = await resultOf(novu.notificationTemplates.updateStatus(_id, true));
      expect(active).toMatchObject({ active: true, draft: false });
      expect(await resultOf(novu.notificationTemplates.delete(_id))).toBe(true);
      expect(await refusalOf(novu.notificationTemplates.getOne(_id))).toMatchObject({ status: 404 });
    });
  });

  describe('notificationGroups', () => {
    it('should create, list, show, rename and delete a group', async () => {
      const made = await resultOf<Shown>(novu.notificationGroups.create('Marketing'), 201);
      expect(made).toMatchObject({ name: 'Marketing', id: made._id });
      expect((await resultOf<Shown[]>(novu.notificationGroups.get())).map(({ name }) => name)).toEqual([
        'General',
        'Marketing',
      ]);
      expect(await resultOf(novu.notificationGroups.getOne(made._id))).toEqual(made);
      const renamed = await resultOf(novu.notificationGroups.update(made._id, { name: 'Growth' }));
      expect(renamed).toMatchObject({ _id: made._id, name: 'Growth' });
      const answer = await resultOf(novu.notificationGroups.delete(made._id));
      expect(answer).toEqual({ acknowledged: true, status: 'deleted' });
      expect(await refusalOf(novu.notificationGroups.getOne(made._id))).toMatchObject({ status: 404 });
    });
  });

  describe('workflowOverrides', () => {
    let workflowId: string;
    let tenantId: string;
    beforeEach(async () => {
      workflowId = (await create())._id;
      tenantId = (await resultOf<Shown>(novu.tenants.create('acme', { name: 'Acme' }), 201))._id;
    });
    const preferenceSettings = { email: false, sms: true, in_app: true, chat: true, push: true };

    it('should create an override and show it by id and by pair', async () => {
      const made = await resultOf<Shown>(
        novu.workflowOverrides.create({ workflowId, tenantId, active: false, preferenceSettings }),
      );
      expect(made).toMatchObject({ _workflowId: workflowId, _tenantId: tenantId, active: false, preferenceSettings });
      expect(await resultOf(novu.workflowOverrides.getOneById(made._id))).toEqual(made);
      expect(await resultOf(novu.workflowOverrides.getOneByTenantIdandWorkflowId(workflowId, tenantId))).toEqual(made);
      const page = await pageOf<Shown>(novu.workflowOverrides.list());
      expect(page).toMatchObject({ page: 0, pageSize: 10, hasMore: false, data: [{ _id: made._id }] });
      expect((await pageOf(novu.workflowOverrides.list(1, 1))).data).toEqual([]);
    });

    it('should change an override by id and by pair, and delete it', async () => {
      const { _id } = await resultOf<Shown>(
        novu.workflowOverrides.create({ workflowId, tenantId, preferenceSettings }),
      );
      expect(await resultOf(novu.workflowOverrides.updateOneById(_id, { active: true }))).toMatchObject({
        active: true,
        preferenceSettings,
      });
      const byPair = await resultOf(
        novu.workflowOverrides.updateOneByTenantIdandWorkflowId(workflowId, tenantId, {
          preferenceSettings: { email: true },
        }),
      );
      expect(byPair).toMatchObject({ active: true, preferenceSettings: { ...preferenceSettings, email: true } });
      expect(await resultOf(novu.workflowOverrides.delete(_id))).toBe(true);
      expect(await refusalOf(novu.workflowOverrides.getOneById(_id))).toMatchObject({ status: 404 });
    });
  });
});
