import { readPath } from './read-path.js';

describe('readPath', () => {
  const data = { order: { items: [{ sku: 'x' }] }, 'dotted.key': 'd', dotted: { key: 'inner' }, empty: null };

  it.each([
    ['order.items.0.sku', 'x'],
    ['dotted.key', 'd'],
    ['empty', null],
    ['empty.more', undefined],
    ['order.missing.deep', undefined],
    ['order.items.length.x', undefined],
    ['constructor.name', undefined],
    ['__proto__', undefined],
  ])('should find at %s %j', (path, found) => {
    expect(readPath(data, path)).toEqual(found);
  });

  it.each([[undefined], [null], ['text'], [5]])('should find nothing in %j', (root) => {
    expect(readPath(root, 'length')).toBeUndefined();
  });
});
