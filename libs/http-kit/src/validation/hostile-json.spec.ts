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

  it.each([
    ['{"a":"\\ud800"}', 'a must be valid Unicode'],
    ['{"a":["x\\udc00y"]}', 'a.0 must be valid Unicode'],
    ['{"a":{"\\ud800":1}}', 'a has a key that is no valid Unicode'],
    ['{"\\u0000":1}', 'the body has a key with a null character'],
  ])('should find that %s cannot be stored', (json, fault) => {
    expect(findHostileJson(JSON.parse(json))).toBe(fault);
  });

  it('should let characters of two halves be', () => {
    expect(findHostileJson({ '\u{1F4A9}': '\u{1F4A9}' })).toBeUndefined();
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
