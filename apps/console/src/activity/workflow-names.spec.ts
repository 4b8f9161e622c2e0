import { workflowNames } from './workflow-names.js';

const workflow = (_id: string, name: string, identifier: string): Parameters<typeof workflowNames>[0][number] => ({
  _id,
  name,
  triggers: [{ identifier }],
});

describe('workflowNames', () => {
  const all = [workflow('1', 'Order', 'order'), workflow('2', 'Order', 'order-x1'), workflow('3', 'Parcel', 'parcel')];
  const nameOf = workflowNames(all);

  it('should tell two of one name apart, and leave others as they are', () => {
    expect(all.map(nameOf)).toEqual(['Order (order)', 'Order (order-x1)', 'Parcel']);
    expect(nameOf({ _id: '4', name: 'Order' })).toBe('Order');
  });
});
