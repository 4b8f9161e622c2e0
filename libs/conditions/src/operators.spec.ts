import type { ConditionOperator } from './condition.schema.js';
import { compare } from './operators.js';

type Row = [operator: ConditionOperator, actual: unknown, expected: unknown, passed: boolean];

const DAY = '2024-03-10';
const NOON = '2024-03-10T12:00:00Z';

const TABLE: Record<string, Row[]> = {
  'equality after a cast': [
    ['EQUAL', 'a', 'a', true],
    ['EQUAL', 'a', 'A', false],
    ['EQUAL', 5, '5', true],
    ['EQUAL', 5, '5.0', true],
    ['EQUAL', 5, 'five', false],
    ['EQUAL', 0, '', false],
    ['EQUAL', '5', 5, true],
    ['EQUAL', true, 'true', true],
    ['EQUAL', true, 'yes', false],
    ['EQUAL', false, 'false', true],
    ['EQUAL', false, 'anything', true],
    ['EQUAL', null, null, true],
    ['EQUAL', undefined, 'a', false],
    ['EQUAL', undefined, undefined, true],
    ['EQUAL', 7n, '7', true],
    ['EQUAL', ['a'], ['a'], true],
    ['EQUAL', ['a'], 'a', false],
    ['EQUAL', NOON, '2024-03-10T13:00:00+01:00', true],
    ['EQUAL', new Date(NOON), NOON, true],
    ['NOT_EQUAL', 5, '5', false],
    ['NOT_EQUAL', 5, '6', true],
    ['NOT_EQUAL', undefined, 'a', true],
  ],
  'order of numbers': [
    ['LARGER', 10, '9', true],
    ['LARGER', 10, 10, false],
    ['LARGER_EQUAL', 10, '10', true],
    ['SMALLER', 9, '10', true],
    ['SMALLER', 10, '10', false],
    ['SMALLER_EQUAL', 10, '10', true],
    ['SMALLER_EQUAL', 11, '10', false],
    ['LARGER', -1.5, '-2', true],
    ['LARGER', 10, 'x', false],
    ['SMALLER', 10, 'x', false],
    ['LARGER', '10', '9', true],
    ['LARGER', 10n, '9', true],
    ['LARGER_EQUAL', undefined, '1', false],
    ['SMALLER', null, '1', false],
    ['SMALLER', {}, '1', false],
    ['SMALLER', true, '1', false],
    ['LARGER', 1, '', false],
  ],
  'order of text and dates': [
    ['LARGER', 'b', 'a', true],
    ['SMALLER', 'a', 'b', true],
    ['LARGER', 'a10', 'a9', false],
    ['LARGER', NOON, DAY, true],
    ['SMALLER', DAY, NOON, true],
    ['LARGER_EQUAL', NOON, '2024-03-10T13:00:00+01:00', true],
    ['SMALLER', '2024-03-10T12:00:00', '2024-03-10T12:00:01Z', true],
    ['LARGER', new Date(NOON), DAY, true],
    ['SMALLER', new Date(NOON), '2024-03-11', true],
    ['SMALLER', '2024-13-01', '2024-13-02', true],
  ],
  ranges: [
    ['BETWEEN', 5, [1, 10], true],
    ['BETWEEN', 1, '1,10', true],
    ['BETWEEN', 10, '1, 10', true],
    ['BETWEEN', 11, [1, 10], false],
    ['BETWEEN', 5, [10, 1], false],
    ['BETWEEN', 'm', 'a,z', true],
    ['BETWEEN', NOON, [DAY, '2024-03-11'], true],
    ['BETWEEN', 5, [1], false],
    ['BETWEEN', undefined, [1, 10], false],
    ['NOT_BETWEEN', 11, [1, 10], true],
    ['NOT_BETWEEN', 5, '1,10', false],
    ['NOT_BETWEEN', undefined, [1, 10], true],
  ],
  membership: [
    ['IN', ['a', 'b'], 'a', true],
    ['IN', ['a', 'b'], 'c', false],
    ['IN', [1, 2], '2', true],
    ['IN', [true], 'true', true],
    ['IN', 'a', ['a', 'b'], true],
    ['IN', 'a', 'a,b', true],
    ['IN', 'c', 'a, b', false],
    ['IN', 2, '1, 2', true],
    ['IN', 2, [1, 3], false],
    ['IN', 'premium-plus', 'premium', true],
    ['IN', ['a', 'b'], ['b', 'c'], true],
    ['IN', ['a', 'b'], 'b,c', true],
    ['IN', ['x,y'], 'x,y', true],
    ['IN', undefined, 'a', false],
    ['IN', 'a', null, false],
    ['NOT_IN', ['a'], 'b', true],
    ['NOT_IN', ['a'], 'a', false],
    ['NOT_IN', undefined, 'a', true],
    ['ANY_IN', ['a', 'b'], 'b,c', true],
    ['ANY_IN', ['a', 'b'], ['c', 'd'], false],
    ['ANY_IN', 'a,b', 'b', true],
    ['ANY_IN', 3, '1,2,3', true],
    ['ANY_IN', undefined, 'a', false],
    ['ALL_IN', ['a', 'b', 'c'], 'a,b', true],
    ['ALL_IN', ['a'], 'a,b', false],
    ['ALL_IN', 'a,b', ['b', 'a'], true],
    ['ALL_IN', [1, 2], ['1', '2'], true],
    ['ALL_IN', ['a'], '', false],
    ['ALL_IN', undefined, 'a', false],
  ],
  likeness: [
    ['LIKE', 'Hello World', 'world', true],
    ['LIKE', 'Hello World', 'moon', false],
    ['LIKE', 'Hello World', 'hello%', true],
    ['LIKE', 'Hello World', '%hello', false],
    ['LIKE', 'Hello World', '*lo*or*', true],
    ['LIKE', 'Hello World', 'h%d', true],
    ['LIKE', 'aba', 'ab%ba', false],
    ['LIKE', 'a.c', 'a.c%', true],
    ['LIKE', 'abc', 'a.c%', false],
    ['LIKE', 'anything', '%', true],
    ['LIKE', 12345, '34', true],
    ['LIKE', undefined, 'a', false],
    ['LIKE', ['a'], 'a', false],
    ['NOT_LIKE', 'Hello', 'moon', true],
    ['NOT_LIKE', 'Hello', 'ELL', false],
    ['NOT_LIKE', undefined, 'a', true],
  ],
  presence: [
    ['IS_DEFINED', 'a', undefined, true],
    ['IS_DEFINED', false, undefined, true],
    ['IS_DEFINED', 0, 'ignored', true],
    ['IS_DEFINED', '', undefined, true],
    ['IS_DEFINED', null, undefined, false],
    ['IS_DEFINED', undefined, undefined, false],
  ],
};

/** Processor time, which a busy machine does not stretch as it does the clock. */
function cpuMs(): number {
  return process.cpuUsage().user / 1000;
}

describe('compare', () => {
  describe.each(Object.entries(TABLE))('when it is about %s', (_, rows) => {
    it.each(rows)('should judge %s %p %p as %p', (operator, actual, expected, passed) => {
      expect(compare(operator, actual, expected)).toBe(passed);
    });
  });

  describe('when a pattern is made to take long', () => {
    it('should answer quickly', () => {
      const start = cpuMs();
      expect(compare('LIKE', 'a'.repeat(100_000), `${'a*'.repeat(2400)}b`)).toBe(false);
      expect(cpuMs() - start).toBeLessThan(500);
    });
  });
});
