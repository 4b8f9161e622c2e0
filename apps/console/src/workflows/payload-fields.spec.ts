import { payloadFields, valueAt, withValue } from './payload-fields.js';

describe('the fields of a payload', () => {
  it('are for values that are neither lists nor parts of one', () => {
    expect(
      payloadFields([
        { name: 'order.items', type: 'Array' },
        { name: 'order.items.name', type: 'String' },
        { name: 'order' },
        { name: 'order.firstName', type: 'String' },
        { name: 'is_gift', type: 'Boolean' },
      ]),
    ).toEqual([
      { path: ['order', 'firstName'], label: 'Order first name', isBoolean: false },
      { path: ['is_gift'], label: 'Is gift', isBoolean: true },
    ]);
  });

  it('read and change one value', () => {
    const payload = { order: { id: '1', total: 20 }, other: true };
    expect(valueAt(payload, ['order', 'id'])).toBe('1');
    expect(valueAt(payload, ['order', 'id', 'more'])).toBeUndefined();
    expect(withValue(payload, ['order', 'id'], '2')).toEqual({ order: { id: '2', total: 20 }, other: true });
    expect(withValue({}, ['order', 'id'], '2')).toEqual({ order: { id: '2' } });
  });

  it.each([
    ['30.5', 30.5],
    ['', ''],
    ['3 days', '3 days'],
  ])('keep a number as a number: %j', (text, expected) => {
    expect(withValue({ total: 20 }, ['total'], text)).toEqual({ total: expected });
  });
});
