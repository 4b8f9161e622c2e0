import { samplePayload } from './sample-payload.js';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('samplePayload', () => {
  it('has a value of the type of each variable', () => {
    expect(
      samplePayload([
        { name: 'order.items.title', type: 'String' },
        { name: 'order.items', type: 'Array' },
        { name: 'order.note', type: 'String' },
        { name: 'isGift', type: 'Boolean' },
      ]),
    ).toEqual({ order: { items: [{ title: 'title' }], note: 'note' }, isGift: true });
  });

  it.each([
    ['days', 3],
    ['plan', 'Pro'],
    ['trialEndsAt', '2026-03-04'],
    ['order.date', '2026-03-04'],
    ['invoice_url', 'https://example.com/orders/4711'],
    ['order.total', 49.9],
    ['order.id', '4711'],
    ['firstName', 'Ada'],
    ['email', 'ada@example.com'],
    ['comment', 'comment'],
    ['format', 'format'],
  ])('has a value for %s that makes sense', (name, expected) => {
    const [only] = Object.values(samplePayload([{ name: name.split('.').at(-1) ?? name, type: 'String' }], [], NOW));
    expect(only).toBe(expected);
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
