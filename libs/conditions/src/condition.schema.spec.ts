import fc from 'fast-check';
import { faultsOf } from '#libs/validation';
import {
  CONDITION_ON,
  CONDITION_OPERATORS,
  conditionGroups,
  type ConditionRules,
  MAX_CHILDREN,
  MAX_GROUPS,
} from './condition.schema.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_120 });

const PATH = 'steps.1.filters';
const CHILD = { on: 'payload', field: 'order.total', operator: 'LARGER', value: '10' };

function validate(groups: unknown, on: ConditionRules['on'] = CONDITION_ON): string[] {
  return faultsOf(conditionGroups({ on }), groups, PATH);
}

function validateChild(child: unknown): string[] {
  return validate([{ value: 'AND', children: [child] }]);
}

describe('conditionGroups', () => {
  describe('when the conditions are sound', () => {
    it.each([
      ['absent', undefined],
      ['null', null],
      ['empty', []],
      ['a group without children', [{ value: 'AND', children: [] }]],
      ['one child without AND or OR', [{ children: [CHILD] }]],
      ['every key of a group', [{ isNegated: true, type: 'GROUP', value: 'OR', children: [CHILD, CHILD] }]],
    ])('should accept %s', (_, groups) => {
      expect(validate(groups)).toEqual([]);
    });

    it.each([
      ['a webhook', { ...CHILD, on: 'webhook', webhookUrl: 'https://example.com/check' }],
      ['isOnline', { on: 'isOnline', value: true }],
      ['isOnline as text', { on: 'isOnline', value: 'false' }],
      ['isOnlineInLast', { on: 'isOnlineInLast', value: 5, timeOperator: 'minutes' }],
      ['isOnlineInLast as text', { on: 'isOnlineInLast', value: '5', timeOperator: 'days' }],
      ['previousStep', { on: 'previousStep', step: 'a-uuid', stepType: 'unread' }],
      ['a list', { ...CHILD, operator: 'ANY_IN', value: ['a', 1, true, null] }],
      ['bounds as a list', { ...CHILD, operator: 'BETWEEN', value: [1, 10] }],
      ['bounds as text', { ...CHILD, operator: 'NOT_BETWEEN', value: '1,10' }],
      ['no value for IS_DEFINED', { on: 'tenant', field: 'data.plan', operator: 'IS_DEFINED' }],
    ])('should accept %s', (_, child) => {
      expect(validateChild(child)).toEqual([]);
    });

    it.each(CONDITION_OPERATORS)('should know the operator %s', (operator) => {
      expect(validateChild({ ...CHILD, operator, value: '1,2' })).toEqual([]);
    });
  });

  describe('when a group is faulty', () => {
    it.each([
      ['not an array', { value: 'AND' }, 'steps.1.filters must be an array of condition groups'],
      ['a text as group', ['AND'], 'steps.1.filters.0 must be an object'],
      ['isNegated as text', [{ isNegated: 'true', children: [] }], 'steps.1.filters.0.isNegated must be a boolean'],
      ['an unknown type', [{ type: 'X', children: [] }], /^steps\.1\.filters\.0\.type must be one of BOOLEAN, /],
      ['no children', [{ value: 'AND' }], 'steps.1.filters.0.children must be an array'],
      ['an unknown value', [{ value: 'XOR', children: [] }], 'steps.1.filters.0.value must be one of AND, OR'],
      ['two children without value', [{ children: [CHILD, CHILD] }], 'steps.1.filters.0.value must be one of AND, OR'],
      ['too many groups', Array(MAX_GROUPS + 1).fill({ children: [] }), /at most 50 groups/],
      ['too many children', [{ value: 'OR', children: Array(MAX_CHILDREN + 1).fill(CHILD) }], /at most 100 conditions/],
    ])('should name %s', (_, groups, fault) => {
      expect(validate(groups)).toEqual([fault instanceof RegExp ? expect.stringMatching(fault) : fault]);
    });
  });

  describe('when a child is faulty', () => {
    it.each([
      ['no object', null, ' must be an object'],
      ['an unknown on', { ...CHILD, on: 'moon' }, '.on must be one of payload, subscriber,'],
      ['an unknown operator', { ...CHILD, operator: 'NEAR' }, '.operator must be one of LARGER, SMALLER,'],
      ['a missing operator', { on: 'payload', field: 'a', value: 1 }, '.operator must be one of'],
      ['a missing value', { on: 'payload', field: 'a', operator: 'EQUAL' }, '.value is required'],
      ['an empty field', { ...CHILD, field: ' ' }, '.field must be a non-empty string'],
      ['a prototype in the field', { ...CHILD, field: 'a.__proto__.b' }, '.field must not contain __proto__'],
      ['an object as value', { ...CHILD, value: { $gt: '' } }, '.value must be a string, number, boolean, null or'],
      ['an object in a list', { ...CHILD, value: ['a', {}] }, '.value.1 must be a string, number'],
      ['three bounds', { ...CHILD, operator: 'BETWEEN', value: [1, 2, 3] }, '.value must hold two bounds'],
      ['one bound', { ...CHILD, operator: 'NOT_BETWEEN', value: '5' }, '.value must hold two bounds'],
      [
        'a file as webhook',
        { ...CHILD, on: 'webhook', webhookUrl: 'file:///etc/passwd' },
        '.webhookUrl must be an http',
      ],
      ['isOnline of a number', { on: 'isOnline', value: 1 }, '.value must be a boolean'],
      ['a negative time', { on: 'isOnlineInLast', value: -1, timeOperator: 'days' }, '.value must be a number of 0 or'],
      [
        'an unknown time unit',
        { on: 'isOnlineInLast', value: 1, timeOperator: 'years' },
        '.timeOperator must be one of',
      ],
      ['no step', { on: 'previousStep', stepType: 'seen' }, '.step must be the uuid of an earlier step'],
      ['an unknown step type', { on: 'previousStep', step: 'x', stepType: 'opened' }, '.stepType must be one of read'],
      ['a nested group', { value: 'OR', children: [CHILD] }, '.children is not allowed: groups cannot be nested'],
    ])('should name %s with its path', (_, child, fault) => {
      const faults = validateChild(child);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toContain(`steps.1.filters.0.children.0${fault}`);
    });

    it('should list all faults at once', () => {
      const children = [{ on: 'payload', field: '', operator: 'EQUAL' }, { on: 'isOnlineInLast' }];
      expect(validate([{ value: 'AND', children }])).toHaveLength(4);
    });

    it('should refuse an "on" that the place does not allow', () => {
      expect(validate([{ children: [CHILD] }], ['tenant'])).toEqual([
        'steps.1.filters.0.children.0.on must be one of tenant',
      ]);
    });

    it('should ask for "on" only where the payload cannot be meant', () => {
      const child = { ...CHILD, on: undefined };
      expect(validate([{ children: [child] }])).toEqual([]);
      expect(validate([{ children: [child] }], ['tenant'])).toEqual([
        'steps.1.filters.0.children.0.on must be one of tenant',
      ]);
    });

    it('should pass on what is wrong with a template in a value', () => {
      const rules = {
        on: CONDITION_ON,
        templateFault: (text: string) => (text.includes('{{}}') ? 'empty' : undefined),
      };
      const children = [
        { ...CHILD, value: '{{}}' },
        { ...CHILD, value: '{{a}}' },
      ];
      expect(faultsOf(conditionGroups(rules), [{ value: 'AND', children }], 'filters')).toEqual([
        'filters.0.children.0.value is not a valid template: empty',
      ]);
    });
  });

  describe('when it is given anything at all', () => {
    it('should answer with a bounded list of texts that begin with the path', () => {
      const anything = fc.anything({ withNullPrototype: true, withDate: true, withMap: true, withBigInt: true });
      const group = fc.record({ isNegated: anything, type: anything, value: anything, children: fc.array(anything) });
      fc.assert(
        fc.property(fc.oneof(anything, fc.array(fc.oneof(group, anything))), (groups) => {
          const faults = validate(groups);
          return faults.length <= 100 && faults.every((fault) => fault.startsWith(PATH));
        }),
      );
    });
  });
});
