import { z } from 'zod';
import { OPERATORS } from '#libs/plugins';
import {
  dataPath,
  dependent,
  described,
  documentAs,
  flag,
  isGiven,
  isObject,
  list,
  named,
  object,
  oneOf,
  type RawObject,
  type Report,
  rule,
} from '#libs/validation';
import { hasExpression } from './values.js';

export const MAX_GROUPS = 50;
export const MAX_CHILDREN = 100;
const MAX_LIST_LENGTH = 1000;
const MAX_FIELD_LENGTH = 255;
const MAX_VALUE_LENGTH = 5000;
const MAX_URL_LENGTH = 2048;
/** Total characters in one list of conditions. */
const MAX_EXPRESSION_LENGTH = 200_000;
/** Per value; an error response lists no more. */
const MAX_FAULTS = 100;

/** `ConditionRules.on` limits them. */
export const CONDITION_ON = [
  'payload',
  'subscriber',
  'tenant',
  'webhook',
  'isOnline',
  'isOnlineInLast',
  'previousStep',
  'steps',
] as const;
export type ConditionOn = (typeof CONDITION_ON)[number];

/** The type names Herald's only; plugins add others. */
export const CONDITION_OPERATORS = OPERATORS.after([
  'LARGER',
  'SMALLER',
  'LARGER_EQUAL',
  'SMALLER_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'ALL_IN',
  'ANY_IN',
  'NOT_IN',
  'BETWEEN',
  'NOT_BETWEEN',
  'LIKE',
  'NOT_LIKE',
  'IN',
  'IS_DEFINED',
]);
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

const GROUP_TYPES = ['BOOLEAN', 'TEXT', 'DATE', 'NUMBER', 'STATEMENT', 'LIST', 'MULTI_LIST', 'GROUP'] as const;
const GROUP_VALUES = ['AND', 'OR'] as const;

const TIME_OPERATORS = ['minutes', 'hours', 'days'] as const;
export type TimeOperator = (typeof TIME_OPERATORS)[number];

const PREVIOUS_STEP_TYPES = ['read', 'unread', 'seen', 'unseen'] as const;

const members = {
  on: described(oneOf(CONDITION_ON), {
    description: 'Source that the condition reads. Default: the payload.',
    example: 'payload',
  }),
  field: described(dataPath(MAX_FIELD_LENGTH, 'must be a non-empty string'), {
    description: 'Path, with dots, in the source that `on` names or in the JSON response of the webhook.',
    example: 'order.total',
  }),
  operator: described(oneOf(CONDITION_OPERATORS), {
    description: 'Comparison operator.',
    example: 'LARGER',
  }),
  value: described(
    documentAs(
      z.union([z.string(), z.number(), z.boolean(), z.array(z.unknown())]) as z.ZodType<unknown>,
      z.unknown().optional(),
    ),
    {
      description:
        'Value to compare with; texts can contain template expressions. A list for `ALL_IN`, `ANY_IN`, `NOT_IN` and `BETWEEN`.',
      example: '50',
      nullable: true,
    },
  ),
  webhookUrl: described(
    z.string({ error: 'must be an http or https URL' }).refine(isWebUrl, 'must be an http or https URL'),
    {
      description: 'With `webhook`: the URL whose response is read.',
    },
  ),
  timeOperator: described(oneOf(TIME_OPERATORS), { description: 'With `isOnlineInLast`: the unit of the value.' }),
  step: described(
    z
      .string({ error: 'must be the uuid of an earlier step' })
      .refine(isStepName, 'must be the uuid of an earlier step'),
    {
      description: 'With `previousStep`: the `uuid` of an earlier step.',
    },
  ),
  stepType: described(oneOf(PREVIOUS_STEP_TYPES), {
    description: 'With `previousStep`: the state that the message of that step must have.',
  }),
};

export const condition = named(
  'ConditionDto',
  object(members).partial(),
  'One comparison. `on` determines which fields are required.',
);
export type Condition = z.infer<typeof condition>;

export const CONDITION_KEYS: readonly string[] = Object.keys(members);

function groupOf(child: z.ZodType<Condition>) {
  const group = object({
    isNegated: described(flag().nullish(), { description: 'Inverts the result of the group.' }),
    type: described(oneOf(GROUP_TYPES).nullish(), {
      description: 'Hint for editors; has no effect on evaluation.',
      example: 'BOOLEAN',
    }),
    value: described(oneOf(GROUP_VALUES).nullish(), {
      description: 'Whether all conditions must pass or at least one.',
      example: 'AND',
    }),
    children: described(
      list(child, {
        max: MAX_CHILDREN,
        error: 'must be an array',
        wrongLength: `must contain at most ${MAX_CHILDREN} conditions`,
      }),
      { description: 'The conditions.' },
    ),
  });
  return rule(group, ({ value, children }, report) => {
    const needsValue = Array.isArray(children) && children.length > 1 && !isGiven(value);
    if (needsValue) report(`must be one of ${GROUP_VALUES.join(', ')}`, 'value');
  });
}

/** Joined by `value`. Of several groups, one must pass. */
export const conditionGroup = named('ConditionGroupDto', groupOf(condition), 'Conditions, combined by `value`.');
export type ConditionGroup = z.infer<typeof conditionGroup>;

export interface ConditionRules {
  readonly on: readonly [ConditionOn, ...ConditionOn[]];
  /** Fault of a Handlebars expression. Without this function, values are not parsed. */
  readonly templateFault?: (template: string) => string | undefined;
}

/** Null and undefined mean "no conditions". */
export function conditionGroups({
  on,
  templateFault,
}: ConditionRules): z.ZodOptional<z.ZodNullable<z.ZodType<ConditionGroup[]>>> {
  const kinds = new Map<unknown, z.ZodType>(on.map((kind) => [kind, conditionOn(kind, templateFault)]));
  const unknownKind = object({ on: oneOf(on) });
  const child = dependent(condition, (value) => {
    if (!isObject(value)) return ANY_OBJECT;
    return isGiven(value['children']) ? NESTED_GROUP : (kinds.get(value['on'] ?? 'payload') ?? unknownKind);
  });
  const limits = {
    max: MAX_GROUPS,
    error: 'must be an array of condition groups',
    wrongLength: `must contain at most ${MAX_GROUPS} groups`,
  };
  const groups = list(groupOf(child), limits);
  const documented = z.array(on.every(isComparison) ? comparisonGroup(on) : conditionGroup).max(MAX_GROUPS);
  return dependent(documented, (value) => (hasTooMuchText(value) ? TOO_MUCH_TEXT : groups)).nullish();
}

/** Needs only `on`, `field` and `operator`. A condition on the payload may omit `on`. */
function isComparison(on: ConditionOn): boolean {
  return on === 'subscriber' || on === 'tenant';
}

/** For the document, where each condition is a plain comparison. */
function comparisonGroup(on: ConditionRules['on']): z.ZodType<ConditionGroup> {
  const comparison = object({
    on: described(oneOf(on), { description: 'What the condition reads.', example: on[0] }),
    field: described(members.field, { description: 'Dotted path in what `on` names.', example: 'data.plan' }),
    operator: members.operator,
    value: described(members.value, {
      description: 'What to compare with. A list for `ALL_IN`, `ANY_IN`, `NOT_IN` and `BETWEEN`.',
      example: '50',
      nullable: true,
    }),
  });
  return groupOf(comparison);
}

const ANY_OBJECT = object({});
const NESTED_GROUP = object({ children: z.undefined({ error: 'is not allowed: groups cannot be nested' }) });
const TOO_MUCH_TEXT = z.never({
  error: `must hold at most ${MAX_EXPRESSION_LENGTH} characters of values with expressions`,
});

function conditionOn(on: ConditionOn, templateFault: ConditionRules['templateFault']): z.ZodType {
  switch (on) {
    case 'isOnline':
      return object({ value: z.literal([true, false, 'true', 'false'], { error: 'must be a boolean' }) });
    case 'isOnlineInLast':
      return object({
        value: z.unknown().refine(isAmount, 'must be a number of 0 or more'),
        timeOperator: members.timeOperator,
      });
    case 'previousStep':
      return object({ step: members.step, stepType: members.stepType });
    default: {
      const { webhookUrl, field, operator, value } = members;
      const comparison = object({ ...(on === 'webhook' && { webhookUrl }), field, operator, value });
      return rule(comparison, (sent, report) => checkComparison(sent, templateFault, report));
    }
  }
}

function checkComparison(
  { operator, value }: RawObject,
  templateFault: ConditionRules['templateFault'],
  report: Report,
): void {
  if (!CONDITION_OPERATORS.some((known) => known === operator) || operator === 'IS_DEFINED') return;
  if (value === undefined) return report('is required', 'value');
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  if (items.length > MAX_LIST_LENGTH) {
    report(`must contain at most ${MAX_LIST_LENGTH} items`, 'value');
  } else if (Array.isArray(value)) {
    items
      .flatMap((item, index) => (scalarFault(item, templateFault) === undefined ? [] : [index]))
      .slice(0, MAX_FAULTS)
      .forEach((index) => report(scalarFault(items[index], templateFault) ?? '', 'value', index));
  } else {
    const fault = scalarFault(value, templateFault);
    if (fault !== undefined) report(fault, 'value');
  }
  const isRange = operator === 'BETWEEN' || operator === 'NOT_BETWEEN';
  if (isRange && !isPair(value)) {
    report('must hold two bounds, as an array of two or as text like "1,10"', 'value');
  }
}

function scalarFault(value: unknown, templateFault: ConditionRules['templateFault']): string | undefined {
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return undefined;
  if (typeof value !== 'string') return 'must be a string, number, boolean, null or a list of these';
  if (value.length > MAX_VALUE_LENGTH) return `must be at most ${MAX_VALUE_LENGTH} characters long`;
  const fault = hasExpression(value) ? templateFault?.(value) : undefined;
  return fault === undefined ? undefined : `is not a valid template: ${fault}`;
}

/** Text with an expression is known only after rendering. */
function isPair(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 2;
  return hasExpression(value) || (typeof value === 'string' && value.split(',').length === 2);
}

function isAmount(value: unknown): boolean {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0;
}

function isStepName(step: string): boolean {
  return step.trim() !== '' && step.length <= MAX_FIELD_LENGTH;
}

function isWebUrl(url: string): boolean {
  const protocol = url.length <= MAX_URL_LENGTH && URL.canParse(url) ? new URL(url).protocol : undefined;
  return protocol === 'http:' || protocol === 'https:';
}

/** Counted before any expression is parsed. Too many groups are rejected for their number. */
function hasTooMuchText(groups: unknown): boolean {
  if (!Array.isArray(groups) || groups.length > MAX_GROUPS) return false;
  let length = 0;
  for (const group of groups as unknown[]) {
    const children: unknown = isObject(group) ? group['children'] : undefined;
    for (const child of Array.isArray(children) ? (children as unknown[]).slice(0, MAX_CHILDREN) : []) {
      const value = isObject(child) ? child['value'] : undefined;
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (hasExpression(item)) length += item.length;
      }
    }
  }
  return length > MAX_EXPRESSION_LENGTH;
}
