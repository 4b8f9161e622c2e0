import type { ConditionGroup } from '#libs/conditions';
import { conditionsOf, ruleOf, type StepNames } from './json-logic.js';

const names: StepNames = {
  uuidOf: (stepId) => (stepId === 'bell' ? 'uuid-of-bell' : undefined),
  stepIdOf: (uuid) => (uuid === 'uuid-of-bell' ? 'bell' : undefined),
};
const total = { var: 'payload.order.total' };
const plan = { var: 'subscriber.data.plan' };
const child = (operator: string, value?: unknown) => ({
  on: 'payload',
  field: 'order.total',
  operator,
  ...(value !== undefined && { value }),
});
const one = (condition: object, more: object = {}) => [{ ...more, value: 'AND', children: [condition] }];

/** Rules that conditions can say, and the conditions. Both ways but for the last column, which is the rule that comes back. */
const SAYABLE: [string, object, object[], object?][] = [
  ['equality', { '==': [total, 5] }, one(child('EQUAL', 5))],
  ['inequality', { '!=': [total, 'x'] }, one(child('NOT_EQUAL', 'x'))],
  ['order', { '>=': [total, 5] }, one(child('LARGER_EQUAL', 5))],
  ['a variable on the right', { '<': [5, total] }, one(child('LARGER', 5)), { '>': [total, 5] }],
  ['one of several', { in: [total, ['a', 'b']] }, one(child('IN', ['a', 'b']))],
  ['none of several', { '!': { in: [total, ['a', 'b']] } }, one(child('NOT_IN', ['a', 'b']))],
  ['a part of a text', { in: ['east', total] }, one(child('IN', 'east'))],
  ['two bounds', { '<=': [1, total, 9] }, one(child('BETWEEN', [1, 9]))],
  ['a value that is there', { '!=': [total, null] }, one(child('IS_DEFINED'))],
  [
    'a value that is missing',
    { '==': [total, null] },
    one(child('IS_DEFINED'), { isNegated: true }),
    { '!': { '!=': [total, null] } },
  ],
  ['another variable', { '==': [total, { var: 'payload.limit' }] }, one(child('EQUAL', '{{payload.limit}}'))],
  [
    'a subscriber',
    { '==': [plan, 'pro'] },
    one({ on: 'subscriber', field: 'data.plan', operator: 'EQUAL', value: 'pro' }),
  ],
  [
    'a tenant',
    { '==': [{ var: 'context.tenant.id' }, 'acme'] },
    one({ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'acme' }),
  ],
  [
    'an earlier step',
    { '==': [{ var: 'steps.bell.read' }, false] },
    one({ on: 'previousStep', step: 'uuid-of-bell', stepType: 'unread' }),
  ],
  [
    'all of several',
    { and: [{ '>': [total, 5] }, { '==': [plan, 'pro'] }] },
    [
      {
        value: 'AND',
        children: [child('LARGER', 5), { on: 'subscriber', field: 'data.plan', operator: 'EQUAL', value: 'pro' }],
      },
    ],
  ],
  [
    'one of several groups',
    { or: [{ '==': [total, 1] }, { '==': [total, 2] }] },
    [...one(child('EQUAL', 1)), ...one(child('EQUAL', 2))],
  ],
  [
    'a choice within a group',
    { and: [{ or: [{ '==': [total, 1] }, { '==': [total, 2] }] }, { '!=': [total, null] }] },
    [1, 2].map((value) => ({ value: 'AND', children: [child('EQUAL', value), child('IS_DEFINED')] })),
    { or: [1, 2].map((value) => ({ and: [{ '==': [total, value] }, { '!=': [total, null] }] })) },
  ],
  [
    'the opposite of a group',
    { '!': { and: [{ '==': [total, 1] }, { '!=': [total, 2] }] } },
    [...one(child('NOT_EQUAL', 1)), ...one(child('EQUAL', 2))],
    { or: [{ '!=': [total, 1] }, { '==': [total, 2] }] },
  ],
];

describe('conditionsOf', () => {
  it.each(SAYABLE)('should say %s', (_case, rule, groups) => {
    expect(conditionsOf(rule as Record<string, unknown>, names)).toEqual(groups);
  });

  it.each([
    ['a comparison of values', { '==': [1, 1] }],
    ['an operator that conditions lack', { startsWith: [total, 'a'] }],
    ['an unknown root', { '==': [{ var: 'env.KEY' }, 1] }],
    ['what a step has handed on', { '>': [{ var: 'steps.digest.eventCount' }, 1] }],
    ['a step that is not there', { '==': [{ var: 'steps.gone.read' }, true] }],
    ['a text with a comma', { in: ['a,b', total] }],
    ['a negated order among others', { and: [{ '!': { '>': [total, 1] } }, { '==': [plan, 'pro'] }] }],
    ['two operators at once', { '==': [total, 1], '!=': [total, 2] }],
    ['a whole source', { '==': [{ var: 'payload' }, 1] }],
    ['no rules', { and: [] }],
    ['a text in the place of rules', { and: 'x' }],
    [
      'too many combinations',
      { and: Array.from({ length: 7 }, () => ({ or: [{ '==': [total, 1] }, { '==': [total, 2] }] })) },
    ],
  ])('should not say %s', (_case, rule) => {
    expect(conditionsOf(rule as Record<string, unknown>, names)).toBeUndefined();
  });
});

describe('ruleOf', () => {
  it.each(SAYABLE)('should bring back %s', (_case, rule, groups, back = rule) => {
    expect(ruleOf(groups as ConditionGroup[], names)).toEqual(back);
  });

  it.each([
    ['a webhook', { on: 'webhook', webhookUrl: 'https://example.com', field: 'a', operator: 'EQUAL', value: 1 }],
    ['a time', { on: 'isOnlineInLast', value: 5, timeOperator: 'minutes' }],
    ['a pattern', child('LIKE', 'a%')],
  ])('should not bring back %s', (_case, condition) => {
    expect(ruleOf(one(condition) as ConditionGroup[], names)).toBeUndefined();
  });
});
