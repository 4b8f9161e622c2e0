/** What is sent: a feed and a workflow with an in-app step. */
export const workflow = {
  title: 'A workflow',
  about: 'What happens when an order is shipped: a message in the app, with a button.',
  async tell({ call }, told) {
    const groups = await call({
      section: '4.8',
      title: 'Workflows are sorted into groups; every environment starts with one.',
      method: 'GET',
      path: '/v1/notification-groups',
      status: 200,
      expect: (rows) => (rows.some(({ name }) => name === 'General') ? undefined : 'expected the group General'),
      show: ['_id', 'name'],
    });
    told.group = groups.find(({ name }) => name === 'General')._id;
    const feed = await call({
      section: '4.3',
      title: 'A feed for what concerns orders.',
      method: 'POST',
      path: '/v1/feeds',
      body: { name: `Orders ${told.run}` },
      status: 201,
      expect: { name: `Orders ${told.run}`, identifier: `Orders ${told.run}` },
      show: ['_id', 'name', 'identifier'],
    });
    told.feed = feed;
    await createWorkflow(call, told);
    await call({
      section: '4.5',
      title: 'A description is added. What is not sent stays as it is.',
      method: 'PUT',
      path: `/v1/workflows/${told.workflow._id}`,
      body: {
        name: `Order shipped ${told.run}`,
        notificationGroupId: told.group,
        description: 'Tells the buyer that the parcel is on its way.',
        tags: ['orders', 'demo'],
      },
      status: 200,
      expect: { description: 'Tells the buyer that the parcel is on its way.', 'steps.length': 1, active: true },
      show: ['_id', 'name', 'description', 'tags', 'active'],
    });
  },
};

async function createWorkflow(call, told) {
  told.workflow = await call({
    section: '4.4',
    title: 'One in-app step, with a template and a button.',
    method: 'POST',
    path: '/v1/workflows',
    body: {
      name: `Order shipped ${told.run}`,
      notificationGroupId: told.group,
      active: true,
      tags: ['orders'],
      preferenceSettings: { email: false },
      steps: [{ name: 'In the app', template: inAppTemplate(told.feed._id) }],
    },
    status: 201,
    expect: { active: true, draft: false, 'triggers.0.type': 'event', 'notificationGroup.name': 'General' },
    show: ['_id', 'name', 'triggers', 'active', 'preferenceSettings'],
  });
  told.trigger = told.workflow.triggers[0].identifier;
}

function inAppTemplate(feedId) {
  return {
    type: 'in_app',
    content: 'Hello {{subscriber.firstName}}, your order {{order.number}} is on its way.',
    feedId,
    cta: {
      type: 'redirect',
      data: { url: '/orders/{{order.number}}' },
      action: { buttons: [{ type: 'primary', content: 'Track it', resultContent: 'Tracked' }] },
    },
  };
}
