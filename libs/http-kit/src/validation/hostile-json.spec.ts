import { findHostileJson, findOperatorKeys } from './hostile-json.js';

const nested = (depth: number): unknown => JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth)) as unknown;

describe('findHostileJson', () => {
  it.each([undefined, null, 1, 'text', [], {}, { a: [{ b: { 'dotted.key': 1, $gt: 1 } }] }])(
    'should let %p be',
    (body) => {
      expect(findHostileJson(body)).toBeUndefined();
    },
  );

  it.each([
    ['{"__proto__":{"admin":true}}', '__proto__'],
    ['{"a":[{"constructor":1}]}', 'a.0.constructor'],
    ['{"a":{"prototype":null}}', 'a.prototype'],
  ])('should find %s with its path', (json, path) => {
    expect(findHostileJson(JSON.parse(json))).toBe(`${path} is not allowed as a key`);
  });

  it('should let 64 levels be and no more', () => {
    expect(findHostileJson(nested(64))).toBeUndefined();
    expect(findHostileJson(nested(65))).toContain('nested deeper than 64 levels');
  });

  it('should not run out of stack', () => {
    expect(findHostileJson(nested(5_000))).toContain('nested deeper');
  });

  it('should find a body with masses of entries', () => {
    expect(findHostileJson(Array.from({ length: 200_001 }, () => 0))).toContain('more than 200000');
  });
});

describe('findOperatorKeys', () => {
  it('should find each key that begins with $, with its path', () => {
    expect(findOperatorKeys({ $where: 1, a: { b: [{ $gt: '' }] }, c$: 1 }, 'data')).toEqual([
      'data.$where',
      'data.a.b.0.$gt',
    ]);
  });

  it.each(['$text', 5, null, undefined])('should find none in %p', (value) => {
    expect(findOperatorKeys(value, 'data')).toEqual([]);
  });
});
