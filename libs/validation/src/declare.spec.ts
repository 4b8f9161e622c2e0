import { z } from 'zod';
import { dataPath, dependent, faultsOf, flag, list, object, oneOf, rule, text, unchecked } from './declare.js';

describe('faultsOf', () => {
  describe('when a value is sound', () => {
    it('should list nothing', () => {
      expect(faultsOf(object({ a: text(3), b: flag().nullish() }), { a: 'abc', b: null, other: 1 }, 'x')).toEqual([]);
    });
  });

  describe('when a value is faulty', () => {
    it.each<[string, z.ZodType, unknown, string[]]>([
      ['a number as text', text(3), 5, ['x must be a string']],
      ['a long text', text(3), 'abcd', ['x must be at most 3 characters long']],
      ['a list as text, whatever its length', text(0), [1], ['x must be a string']],
      ['an unknown value', oneOf(['a', 'b']), 'c', ['x must be one of a, b']],
      ['a value that a fault does not suggest', oneOf(['a', 'b'], ['a']), 'c', ['x must be one of a']],
      ['a list as object', object({}), [], ['x must be an object']],
      ['a blank path', dataPath(9, 'must be a path'), ' ', ['x must be a path']],
      ['a path to a prototype', dataPath(20, 'must be a path'), 'a.__proto__', [expect.stringContaining('__proto__')]],
      ['several members', object({ a: text(1), b: flag() }), {}, ['x.a must be a string', 'x.b must be a boolean']],
    ])('should name %s', (_case, schema, value, faults) => {
      expect(faultsOf(schema, value, 'x')).toEqual(faults);
    });
  });
});

describe('list', () => {
  const limits = { max: 1_000, error: 'must be a list', wrongLength: 'must have at most 1000 entries' };

  it.each([
    ['no list', {}, ['x must be a list']],
    ['too many entries', Array(1_001).fill(1), ['x must have at most 1000 entries']],
    ['a faulty entry', ['a', 1], ['x.1 must be a string']],
  ])('should name %s', (_case, value, faults) => {
    expect(faultsOf(list(text(5), limits), value, 'x')).toEqual(faults);
  });

  it('should stop after a hundred faults', () => {
    expect(faultsOf(list(text(5), limits), Array(1_000).fill(1), 'x')).toHaveLength(100);
  });
});

describe('rule', () => {
  const schema = rule(object({ a: text(1) }), (value, report) => {
    if (value['own'] === true) report('must not be true', 'own');
  });

  it('should see members that the schema does not name, even if others are faulty', () => {
    expect(faultsOf(schema, { a: 1, own: true }, 'x')).toEqual(['x.a must be a string', 'x.own must not be true']);
  });

  it('should not be asked about what is no object', () => {
    expect(faultsOf(schema, 5, 'x')).toEqual(['x must be an object']);
  });
});

describe('dependent', () => {
  it('should check by the schema that the value asks for', () => {
    const schema = dependent(z.union([z.string(), z.number()]), (value) =>
      typeof value === 'number' ? z.literal(1, { error: 'must be 1' }) : text(1),
    );
    expect([faultsOf(schema, 2, 'x'), faultsOf(schema, 'ab', 'x'), faultsOf(schema, 1, 'x')]).toEqual([
      ['x must be 1'],
      ['x must be at most 1 characters long'],
      [],
    ]);
  });
});

describe('unchecked', () => {
  it('should let everything pass', () => {
    expect(faultsOf(object({ a: unchecked(z.string()) }), { a: 5 }, 'x')).toEqual([]);
  });
});
