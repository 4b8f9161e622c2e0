import { samplePayload } from './sample-payload.js';

describe('samplePayload', () => {
  it('has a value of the type of each variable', () => {
    expect(
      samplePayload([
        { name: 'order.items.name', type: 'String' },
        { name: 'order.items', type: 'Array' },
        { name: 'order.id', type: 'String' },
        { name: 'isGift', type: 'Boolean' },
      ]),
    ).toEqual({ order: { items: [{ name: 'name' }], id: 'id' }, isGift: true });
  });

  it('prefers the default values of the templates', () => {
    expect(samplePayload([{ name: 'a.b', type: 'String' }], [{ name: 'a.b', defaultValue: 'stored' }])).toEqual({
      a: { b: 'stored' },
    });
  });

  it('does not reach beyond the object', () => {
    samplePayload([{ name: '__proto__.polluted', type: 'String' }, { name: 'constructor.prototype.polluted' }]);
    expect({}).not.toHaveProperty('polluted');
  });
});
