import { jest } from '@jest/globals';
import { ConditionTemplateError, ConditionWebhookError } from './condition.errors.js';
import type { Condition, ConditionGroup } from './condition.schema.js';
import { evaluateConditions } from './evaluate-conditions.js';
import type { ConditionContext, PreviousStepState } from './evaluation.types.js';

const NOW = new Date('2024-05-01T12:00:00Z');
const MESSAGE: PreviousStepState = { exists: true, seen: false, read: false, opened: false };

const context: ConditionContext = {
  variables: {
    payload: { total: 20, order: { items: [{ sku: 'x' }] }, 'dotted.key': 'd' },
    subscriber: { locale: 'de', data: { plan: 'pro' } },
    tenant: { identifier: 'acme', data: { tier: 2 } },
  },
  now: NOW,
  renderValue: (template) => template.replace('{{limit}}', '20'),
  webhook: () => Promise.resolve({ user: { vip: true } }),
};

const PASSING: Condition = { on: 'payload', field: 'total', operator: 'EQUAL', value: '20' };
const FAILING: Condition = { on: 'payload', field: 'total', operator: 'EQUAL', value: '21' };
const WEBHOOK: Condition = {
  on: 'webhook',
  field: 'user.vip',
  operator: 'EQUAL',
  value: 'true',
  webhookUrl: 'https://x.io',
};

async function passes(groups: ConditionGroup[], changes: Partial<ConditionContext> = {}): Promise<boolean> {
  return (await evaluateConditions(groups, { ...context, ...changes })).passed;
}

function group(children: Condition[], rest: Partial<ConditionGroup> = {}): ConditionGroup {
  return { value: 'AND', children, ...rest };
}

describe('evaluateConditions', () => {
  describe('when there is nothing to evaluate', () => {
    it.each([[undefined], [null], [[]], [[group([])]], [[group([], { isNegated: true })]]])(
      'should pass %j',
      async (groups) => {
        expect(await evaluateConditions(groups, context)).toEqual({ passed: true, conditions: [] });
      },
    );
  });

  describe('when conditions are joined', () => {
    it.each<[string, ConditionGroup[], boolean]>([
      ['AND of true and true', [group([PASSING, PASSING])], true],
      ['AND of true and false', [group([PASSING, FAILING])], false],
      ['OR of false and true', [group([FAILING, PASSING], { value: 'OR' })], true],
      ['OR of false and false', [group([FAILING, FAILING], { value: 'OR' })], false],
      ['one child without a joining word', [{ children: [PASSING] }], true],
      ['two children without a joining word', [{ children: [PASSING, PASSING] }], false],
      ['a negated AND that passes', [group([PASSING, PASSING], { isNegated: true })], false],
      ['a negated OR that fails', [group([FAILING, FAILING], { value: 'OR', isNegated: true })], true],
      ['several groups of which the last passes', [group([FAILING]), group([PASSING])], true],
      ['several groups of which none passes', [group([FAILING]), group([FAILING])], false],
    ])('should evaluate %s', async (_, groups, passed) => {
      expect(await passes(groups)).toBe(passed);
    });

    it('should stop after the first group that passes', async () => {
      const result = await evaluateConditions([group([PASSING]), group([FAILING])], context);
      expect(result.conditions).toHaveLength(1);
    });
  });

  describe('when a condition reads data', () => {
    it.each<[Condition, boolean]>([
      [{ on: 'payload', field: 'order.items.0.sku', operator: 'EQUAL', value: 'x' }, true],
      [{ field: 'order.items.0.sku', operator: 'EQUAL', value: 'x' }, true],
      [{ field: 'order.items.0.sku', operator: 'EQUAL', value: 'y' }, false],
      [{ on: 'payload', field: 'dotted.key', operator: 'EQUAL', value: 'd' }, true],
      [{ on: 'payload', field: 'order.missing.deep', operator: 'IS_DEFINED' }, false],
      [{ on: 'payload', field: 'constructor.name', operator: 'IS_DEFINED' }, false],
      [{ on: 'payload', field: 'toString', operator: 'IS_DEFINED' }, false],
      [{ on: 'payload', field: '__proto__', operator: 'IS_DEFINED' }, false],
      [{ on: 'payload', field: 'total', operator: 'LARGER_EQUAL', value: '{{limit}}' }, true],
      [{ on: 'payload', field: 'total', operator: 'IN', value: ['{{limit}}', '5'] }, true],
      [{ on: 'subscriber', field: 'data.plan', operator: 'EQUAL', value: 'pro' }, true],
      [{ on: 'subscriber', field: 'data.plan', operator: 'NOT_EQUAL', value: 'pro' }, false],
      [{ on: 'tenant', field: 'data.tier', operator: 'LARGER', value: '1' }, true],
    ])('should evaluate %j', async (child, passed) => {
      expect(await passes([group([child])])).toBe(passed);
    });

    it('should treat an absent root as missing values', async () => {
      const child: Condition = { on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'acme' };
      expect(await passes([group([child])], { variables: {} })).toBe(false);
    });

    it('should leave a record with the labels of the trail', async () => {
      const { conditions } = await evaluateConditions([group([{ ...FAILING, value: '{{limit}}1' }])], context);
      expect(conditions).toEqual([
        { filter: 'Payload', field: 'total', expected: '201', actual: '20', operator: 'EQUAL', passed: false },
      ]);
    });

    it('should cut long values in records', async () => {
      const variables = { payload: { total: 'x'.repeat(5000) } };
      const { conditions } = await evaluateConditions([group([PASSING])], { ...context, variables });
      expect(conditions[0]?.actual).toHaveLength(501);
    });

    it('should throw a ConditionTemplateError when a value cannot be rendered', async () => {
      const renderValue = (): string => {
        throw new Error('no such helper');
      };
      const child: Condition = { ...PASSING, value: '{{shout}}' };
      const evaluation = evaluateConditions([group([child])], { ...context, renderValue });
      await expect(evaluation).rejects.toThrow(ConditionTemplateError);
      await expect(evaluation).rejects.toThrow('no such helper');
    });
  });

  describe('when a condition asks a webhook', () => {
    it.each<[string, ConditionGroup, boolean, number]>([
      ['alone', group([WEBHOOK]), true, 1],
      ['after a passing AND, although named first', group([WEBHOOK, PASSING]), true, 1],
      ['not after a failing AND', group([WEBHOOK, FAILING]), false, 0],
      ['not after a passing OR', group([WEBHOOK, PASSING], { value: 'OR' }), true, 0],
      ['after a failing OR', group([WEBHOOK, FAILING], { value: 'OR' }), true, 1],
      ['only once in an OR', group([WEBHOOK, WEBHOOK], { value: 'OR' }), true, 1],
      ['only once in an AND that fails', group([{ ...WEBHOOK, value: 'false' }, WEBHOOK]), false, 1],
    ])('should ask %s', async (_, conditions, passed, calls) => {
      const webhook = jest.fn(() => Promise.resolve({ user: { vip: true } }));
      expect(await passes([conditions], { webhook })).toBe(passed);
      expect(webhook).toHaveBeenCalledTimes(calls);
    });

    it('should turn a failure into a ConditionWebhookError that keeps its cause', async () => {
      const cause = new Error('connect ECONNREFUSED');
      const evaluation = evaluateConditions([group([WEBHOOK])], { ...context, webhook: () => Promise.reject(cause) });
      await expect(evaluation).rejects.toBeInstanceOf(ConditionWebhookError);
      await expect(evaluation).rejects.toMatchObject({ cause });
    });

    it('should throw a ConditionWebhookError where webhooks cannot be asked', async () => {
      const evaluation = evaluateConditions([group([WEBHOOK])], { ...context, webhook: undefined });
      await expect(evaluation).rejects.toThrow(ConditionWebhookError);
    });

    it.each([['text'], [null], [[]], [5]])('should not pass on the odd reply %j', async (reply) => {
      expect(await passes([group([WEBHOOK])], { webhook: () => Promise.resolve(reply) })).toBe(false);
    });
  });

  describe('when a condition is about being online', () => {
    const minutesAgo = (minutes: number): string => new Date(NOW.getTime() - minutes * 60_000).toISOString();

    it.each<[string, Record<string, unknown>, unknown, boolean]>([
      ['online and wanted so', { isOnline: true }, true, true],
      ['online and not wanted so', { isOnline: true }, false, false],
      ['offline and wanted so', { isOnline: false }, 'false', true],
      ['offline by its last time', { lastOnlineAt: minutesAgo(5) }, false, true],
      ['never seen, wanted online', {}, true, false],
      ['never seen, wanted offline', {}, false, false],
    ])('should judge a subscriber that is %s', async (_, subscriber, value, passed) => {
      expect(await passes([group([{ on: 'isOnline', value }])], { variables: { subscriber } })).toBe(passed);
    });

    it.each<[string, Record<string, unknown>, Partial<Condition>, boolean]>([
      ['online now', { isOnline: true, lastOnlineAt: minutesAgo(99) }, { value: 5 }, true],
      ['within the time', { lastOnlineAt: minutesAgo(4) }, { value: 5 }, true],
      ['within the last whole unit', { lastOnlineAt: minutesAgo(5.9) }, { value: '5' }, true],
      ['outside the time', { lastOnlineAt: minutesAgo(6) }, { value: 5 }, false],
      ['within hours', { lastOnlineAt: minutesAgo(119) }, { value: 1, timeOperator: 'hours' }, true],
      ['outside days', { lastOnlineAt: minutesAgo(3 * 1440) }, { value: 2, timeOperator: 'days' }, false],
      ['a Date of the store', { lastOnlineAt: new Date(minutesAgo(1)) }, { value: 5 }, true],
      ['in the future', { lastOnlineAt: minutesAgo(-10) }, { value: 5 }, false],
      ['never', {}, { value: 5 }, false],
    ])('should judge a subscriber last online %s', async (_, subscriber, rest, passed) => {
      const child: Condition = { on: 'isOnlineInLast', timeOperator: 'minutes', ...rest };
      expect(await passes([group([child])], { variables: { subscriber } })).toBe(passed);
    });
  });

  describe('when a condition is about an earlier step', () => {
    it.each<[NonNullable<Condition['stepType']>, Partial<PreviousStepState>, boolean]>([
      ['seen', { seen: true }, true],
      ['seen', { read: true }, true],
      ['seen', { opened: true }, true],
      ['seen', {}, false],
      ['unseen', {}, true],
      ['unseen', { seen: true }, false],
      ['read', { seen: true }, false],
      ['read', { read: true }, true],
      ['read', { opened: true }, true],
      ['unread', { seen: true }, true],
      ['unread', { opened: true }, false],
      ['read', { exists: false }, true],
      ['unread', { exists: false }, true],
    ])('should judge %s of a message that is %j', async (stepType, state, passed) => {
      const previousStep = jest.fn(() => Promise.resolve({ ...MESSAGE, ...state }));
      const child: Condition = { on: 'previousStep', step: 'uuid-1', stepType };
      expect(await passes([group([child])], { previousStep })).toBe(passed);
      expect(previousStep).toHaveBeenCalledWith('uuid-1');
    });
  });

  describe('when records are labelled', () => {
    it.each<[Condition, string]>([
      [{ on: 'payload', field: 'a', operator: 'EQUAL', value: '1' }, 'Payload'],
      [{ on: 'tenant', field: 'a', operator: 'EQUAL', value: '1' }, 'Tenant'],
      [{ on: 'subscriber', field: 'a', operator: 'EQUAL', value: '1' }, 'Subscriber'],
      [WEBHOOK, 'Webhook'],
      [{ on: 'isOnline', value: true }, 'Is online'],
      [{ on: 'isOnlineInLast', value: 1, timeOperator: 'days' }, 'Last time was online'],
      [{ on: 'previousStep', step: 'x', stepType: 'seen' }, 'Previous step'],
    ])('should name %j', async (child, label) => {
      const { conditions } = await evaluateConditions([group([child])], context);
      expect(conditions.map(({ filter }) => filter)).toEqual([label]);
    });
  });
});
