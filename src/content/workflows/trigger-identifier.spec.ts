import { triggerIdentifier } from './trigger-identifier.js';

describe('triggerIdentifier', () => {
  it.each([
    ['Order shipped', 'order-shipped'],
    ['  Grüße & more_things. ', 'grusse-and-morethings'],
    ['Заказ', 'zakaz'],
    ['100 %', '100-percent'],
  ])('should make a slug of %j', (name, slug) => {
    expect(triggerIdentifier(name, false)).toBe(slug);
  });

  it('should put a suffix behind a slug that is taken', () => {
    expect(triggerIdentifier('test', true)).toMatch(/^test-[a-z0-9]{8}$/);
    expect(triggerIdentifier('test', true)).not.toBe(triggerIdentifier('test', true));
  });

  it.each(['通知', '', '...', '🎉'])('should be a short id for %j', (name) => {
    expect(triggerIdentifier(name, false)).toMatch(/^[a-z0-9]{8}$/);
  });

  it.each(['variables', 'deadbeefdeadbeefdeadbeef'])(
    'should not be what a path takes for something else: %s',
    (name) => {
      expect(triggerIdentifier(name, false)).toMatch(new RegExp(`^${name}-[a-z0-9]{8}$`));
    },
  );

  it('should be no longer than an identifier may be', () => {
    expect(triggerIdentifier('%'.repeat(255), true).length).toBeLessThanOrEqual(255);
  });
});
