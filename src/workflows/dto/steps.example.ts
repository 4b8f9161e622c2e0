/** A step of each kind that needs an explanation, for the OpenAPI document; it can be sent as it is. */
export const STEPS_EXAMPLE = [
  {
    name: 'Wait for further orders',
    template: { type: 'digest' },
    metadata: { type: 'regular', amount: 5, unit: 'minutes', digestKey: 'customer.id' },
  },
  {
    name: 'Tell the customer',
    template: {
      type: 'in_app',
      content: 'Hello {{subscriber.firstName}}, order {{order.number}} is on its way',
      cta: { type: 'redirect', data: { url: '/orders/{{order.number}}' } },
    },
    filters: [
      {
        isNegated: false,
        type: 'BOOLEAN',
        value: 'AND',
        children: [{ on: 'payload', field: 'order.total', operator: 'LARGER', value: '0' }],
      },
    ],
  },
];
