import fc from 'fast-check';
import { ConditionBudgetError } from './condition.errors.js';
import { evaluateConditions } from './evaluate-conditions.js';
import { listOf, MAX_LIST_TEXT, MAX_MEMBERS, Members } from './members.js';
import { compare } from './operators.js';
import { isEqual } from './values.js';

const plain = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    'true',
    '',
    '0',
    '1',
    '-0',
    '1e0',
    'a',
    '2020-01-01',
    '2020-01-01T00:00:00Z',
    '2020',
  ),
  fc.constantFrom(0, -0, 1, 1.5, 2020, ['a'], [1], {}),
  fc.string({ maxLength: 2 }),
  fc.integer({ min: -2, max: 2 }),
);

describe('Members', () => {
  it('should find what a look at each member would find', () => {
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 6 }), plain, (list, item) => {
        expect(new Members(list).has(item)).toBe(list.some((member) => isEqual(member, item)));
      }),
      { seed: 7, numRuns: 3_000 },
    );
  });

  it('should refuse lists that are too long to be compared', () => {
    expect(listOf(Array.from({ length: MAX_MEMBERS }, () => 1))).toHaveLength(MAX_MEMBERS);
    expect(() => listOf(Array.from({ length: MAX_MEMBERS + 1 }, () => 1))).toThrow(ConditionBudgetError);
    expect(() => listOf(','.repeat(MAX_LIST_TEXT + 1))).toThrow(/100,001 characters as a list; the maximum is 100,000/);
  });
});

describe('comparisons of hostile size', () => {
  const values = Array.from({ length: 1_000 }, (_, index) => `value-${index}`);
  const text = 'value-x,'.repeat(12_000);

  it.each(['ANY_IN', 'ALL_IN', 'IN', 'NOT_IN'] as const)(
    'should compare 1,000 values with a long text by %s',
    (operator) => {
      const before = process.cpuUsage();
      for (let time = 0; time < 20; time += 1) compare(operator, text, values);
      expect(process.cpuUsage(before).user / 20_000).toBeLessThan(400);
    },
  );

  it.each(['LIKE', 'NOT_LIKE', 'IN'] as const)('should refuse to search megabytes by %s', (operator) => {
    expect(() => compare(operator, 'a'.repeat(2_000_000), 'b')).toThrow(ConditionBudgetError);
    expect(() => compare(operator, 'a'.repeat(200_000), 'b'.repeat(20_000))).toThrow(ConditionBudgetError);
  });

  it.each(['LARGER', 'BETWEEN', 'SMALLER_EQUAL'] as const)(
    'should take no time for a long number by %s',
    (operator) => {
      const before = process.cpuUsage();
      compare(operator, `${'1'.repeat(100_000)}x`, [1, 2]);
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(400);
    },
  );

  it('should let others have their turn between conditions, and end with an error', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const children = Array.from({ length: 100 }, () => ({ field: 'text', operator: 'ANY_IN' as const, value: values }));
    const groups = Array.from({ length: 50 }, () => ({ value: 'AND' as const, children }));
    const context = { variables: { payload: { text } }, now: new Date(0), renderValue: (template: string) => template };
    await expect(evaluateConditions(groups, context)).rejects.toThrow('The conditions take longer than 2000 ms');
    isOver = true;
    expect(turns).toBeGreaterThan(20);
  });
});
