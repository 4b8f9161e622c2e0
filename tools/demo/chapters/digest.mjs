const ORDERS = [51, 52, 53];
const WINDOW_S = 2;

/** Many events, one message. */
export const digest = {
  title: 'A digest',
  about: `Three events within ${WINDOW_S} seconds make one mail, not three.`,
  async tell({ call, arrived }, told) {
    const workflow = await createWorkflow(call, told);
    const since = performance.now();
    await call({
      title: 'Three orders are shipped.',
      method: 'POST',
      path: '/v1/events/trigger/bulk',
      body: {
        events: ORDERS.map((number) => ({
          name: workflow.triggers[0].identifier,
          to: told.subscriberId,
          payload: { order: { number } },
          overrides: { email: { integrationIdentifier: told.mail } },
        })),
      },
      status: 201,
      expect: (rows) =>
        rows.length === ORDERS.length && rows.every(({ status }) => status === 'processed')
          ? undefined
          : `expected ${ORDERS.length} events to be processed`,
      show: ['acknowledged', 'status', 'transactionId'],
    });
    told.digest = { workflowId: workflow._id };
    await arrived({
      title: 'The one mail.',
      at: told.catchers.mail,
      match: ({ subject }) => subject === `${ORDERS.length} parcels are on their way`,
      since,
      expect: ({ to, text }) => {
        const numbers = [...text.matchAll(/Order (\d+)/g)].map(([, number]) => Number(number)).sort();
        if (to !== 'ada@example.com') return `expected it to go to ada@example.com, not to ${to}`;
        return String(numbers) === String(ORDERS) ? undefined : `expected the orders ${ORDERS}, got ${numbers}`;
      },
      show: ['subject', 'from', 'to', 'text'],
    });
  },
};

function createWorkflow(call, told) {
  return call({
    section: '4.4',
    title: 'A digest step, and a mail that lists what it has gathered.',
    method: 'POST',
    path: '/v1/workflows',
    body: {
      name: `Parcels ${told.run}`,
      notificationGroupId: told.group,
      active: true,
      steps: [
        {
          template: { type: 'digest', content: '' },
          metadata: { type: 'regular', amount: WINDOW_S, unit: 'seconds' },
        },
        {
          template: {
            type: 'email',
            subject: '{{step.total_count}} parcels are on their way',
            contentType: 'customHtml',
            content: '<ul>{{#each step.events}}<li>Order {{order.number}}</li>{{/each}}</ul>',
          },
        },
      ],
    },
    status: 201,
    expect: { active: true, 'steps.length': 2, 'steps.0.metadata.unit': 'seconds' },
    show: ['_id', 'triggers'],
  });
}
