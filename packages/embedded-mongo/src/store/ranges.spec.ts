import { inOrder } from './ranges.js';

describe('inOrder', () => {
  const read = (keys: string, reverse: boolean): string =>
    [
      ...inOrder(
        [...keys].map((key) => ({ key: Buffer.from(key), value: Buffer.alloc(0) })),
        { start: Buffer.from('b'), end: Buffer.from('f'), reverse },
        (key, what) => new Error(`${key.toString()} ${what}`),
      ),
    ]
      .map(({ key }) => key.toString())
      .join('');

  it('should give what is in order, from the start on or down from below the end', () => {
    expect([read('bce', false), read('', false), read('edb', true)]).toEqual(['bce', '', 'edb']);
  });

  it.each([
    ['a', false, 'a'],
    ['bcb', false, 'b'],
    ['bb', false, 'b'],
    ['f', true, 'f'],
    ['ede', true, 'e'],
    ['ee', true, 'e'],
  ])('should refuse what a swapped page has: %s, reverse %s', (keys, reverse, wrong) => {
    expect(() => read(keys, reverse)).toThrow(`${wrong} is out of order`);
  });
});
