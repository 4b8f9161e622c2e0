/** The same workflow, switched for one tenant. */
export const tenants = {
  title: 'One tenant is different',
  about: 'An override changes a workflow for one tenant, and for no other.',
  async tell({ call }, told) {
    told.tenant = await call({
      title: 'A tenant.',
      method: 'POST',
      path: '/v1/tenants',
      body: { identifier: `acme-${told.run}`, name: 'Acme', data: { region: 'eu' } },
      status: 201,
      expect: { identifier: `acme-${told.run}`, name: 'Acme' },
      show: ['_id', 'identifier', 'name', 'data'],
    });
    await call({
      section: '4.11',
      title: 'Acme does not want this workflow.',
      method: 'POST',
      path: '/v1/workflow-overrides',
      body: { workflowId: told.workflow._id, tenantId: told.tenant._id, active: false },
      status: 200,
      expect: { _workflowId: told.workflow._id, _tenantId: told.tenant._id, active: false },
      show: ['_id', '_workflowId', '_tenantId', 'active'],
    });
    await trigger(call, told, 'A trigger for Acme is refused, and says why.', 'trigger_not_active');
    await call({
      section: '4.10',
      title: 'Acme has changed its mind, for the app only.',
      method: 'PUT',
      path: `/v1/workflow-overrides/workflows/${told.workflow._id}/tenants/${told.tenant._id}`,
      body: { active: true, preferenceSettings: { in_app: true, email: false } },
      status: 200,
      expect: { active: true, 'preferenceSettings.in_app': true, 'preferenceSettings.email': false },
      show: ['_id', 'active', 'preferenceSettings'],
    });
  },
};

function trigger(call, told, title, status) {
  return call({
    title,
    method: 'POST',
    path: '/v1/events/trigger',
    body: {
      name: told.trigger,
      to: told.subscriberId,
      tenant: told.tenant.identifier,
      payload: { order: { number: 41 } },
    },
    status: 201,
    expect: { acknowledged: true, status },
    show: ['acknowledged', 'status'],
  });
}
