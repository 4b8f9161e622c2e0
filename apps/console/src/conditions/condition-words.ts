import { operatorLabel } from '../activity/time-line.js';
import type { Schemas } from '../api/client.js';

type Group = Pick<Schemas['ConditionGroupDto'], 'isNegated' | 'value'> & {
  readonly children: readonly Schemas['ConditionDto'][];
};

/** A condition as a sentence: `subject` and `value` are texts of the workflow, `words` are ours. */
export interface ConditionWords {
  readonly subject: string;
  readonly words: string;
  readonly value: string;
}

export interface GroupWords {
  /** What joins the conditions. */
  readonly joint: 'and' | 'or';
  readonly isNegated: boolean;
  readonly conditions: readonly ConditionWords[];
}

/**
 * Groups of conditions, of which one must pass. Groups without conditions always pass.
 * @param stepName names an earlier step by its uuid
 * @returns nothing if everything passes
 */
export function groupWords(groups: readonly Group[] | undefined, stepName?: (uuid: string) => string): GroupWords[] {
  const filled = (groups ?? []).map(({ children, isNegated, value }) => ({
    joint: value === 'OR' ? ('or' as const) : ('and' as const),
    isNegated: isNegated === true,
    conditions: children.map((condition) => conditionWords(condition, stepName)),
  }));
  return filled.some(({ conditions }) => conditions.length === 0) ? [] : filled;
}

function conditionWords(condition: Schemas['ConditionDto'], stepName = (uuid: string) => uuid): ConditionWords {
  const {
    on = 'payload',
    field = '',
    operator = 'EQUAL',
    value,
    timeOperator,
    step = '',
    stepType,
    webhookUrl,
  } = condition;
  switch (on) {
    case 'isOnline':
      return { subject: 'the subscriber', words: isTrue(value) ? 'is online' : 'is not online', value: '' };
    case 'isOnlineInLast':
      return {
        subject: 'the subscriber',
        words: 'was online in the last',
        value: `${textOf(value)} ${timeOperator ?? ''}`,
      };
    case 'previousStep':
      return { subject: `the message of ${stepName(step)}`, words: `is ${stepType ?? ''}`, value: '' };
    case 'webhook':
      return {
        subject: `${field} in the response of ${webhookUrl ?? ''}`,
        words: operatorLabel(operator),
        value: valueOf(operator, value),
      };
    default:
      return { subject: `${on}.${field}`, words: operatorLabel(operator), value: valueOf(operator, value) };
  }
}

const isTrue = (value: unknown): boolean => value === true || value === 'true';
const valueOf = (operator: string, value: unknown): string => (operator === 'IS_DEFINED' ? '' : textOf(value));

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => textOf(one)).join(', ');
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
