import type { Condition, ConditionGroup } from '#libs/conditions';
import { isObject, type RawObject } from '#libs/validation';

/** Steps by the name that rules use, and the `uuid` by which conditions do. */
export interface StepNames {
  uuidOf(stepId: string): string | undefined;
  stepIdOf(uuid: string): string | undefined;
}

/** One condition, or its opposite. */
interface Literal {
  readonly condition: Condition;
  readonly isNegated: boolean;
}
/** Of which all must pass. */
type Term = readonly Literal[];

const MAX_GROUPS = 50;
/** Of one `and` or `or`, as of one group. */
const MAX_PARTS = 100;
const OPPOSITES: Readonly<Record<string, string>> = {
  EQUAL: 'NOT_EQUAL',
  NOT_EQUAL: 'EQUAL',
  IN: 'NOT_IN',
  NOT_IN: 'IN',
  BETWEEN: 'NOT_BETWEEN',
  NOT_BETWEEN: 'BETWEEN',
};
const COMPARISONS: Readonly<Record<string, string>> = {
  '==': 'EQUAL',
  '===': 'EQUAL',
  '!=': 'NOT_EQUAL',
  '!==': 'NOT_EQUAL',
  '>': 'LARGER',
  '>=': 'LARGER_EQUAL',
  '<': 'SMALLER',
  '<=': 'SMALLER_EQUAL',
};
const TURNED: Readonly<Record<string, string>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' };

/**
 * JSON-Logic as conditions of a step: groups of which one must pass.
 * @returns undefined if conditions cannot say it
 */
export function conditionsOf(rule: RawObject, names: StepNames): ConditionGroup[] | undefined {
  const terms = termsOf(rule, false, names);
  if (terms === undefined || terms.length > MAX_GROUPS) return undefined;
  const groups = terms.map((term): ConditionGroup | undefined => {
    const children = term.map(({ condition }) => condition);
    if (!term.some(({ isNegated }) => isNegated)) return { value: 'AND', children };
    // Only a whole group can be negated.
    return term.length === 1 ? { isNegated: true, value: 'AND', children } : undefined;
  });
  return groups.includes(undefined) ? undefined : (groups as ConditionGroup[]);
}

function termsOf(rule: unknown, isNegated: boolean, names: StepNames): Term[] | undefined {
  const [operator, sent] = onlyMember(rule) ?? [];
  if (operator === undefined) return undefined;
  const values = Array.isArray(sent) ? (sent as unknown[]) : [sent];
  if (operator === '!') return values.length === 1 ? termsOf(values[0], !isNegated, names) : undefined;
  if (operator === 'and' || operator === 'or') {
    if (values.length > MAX_PARTS) return undefined;
    const parts = values.map((part) => termsOf(part, isNegated, names));
    if (parts.length === 0 || parts.includes(undefined)) return undefined;
    const known = parts as Term[][];
    // By De Morgan, a negated `and` is an `or`.
    const terms = (operator === 'or') !== isNegated ? known.flat() : crossed(known);
    return terms !== undefined && terms.length <= MAX_GROUPS ? terms : undefined;
  }
  // What is missing is no opposite of its own.
  if (COMPARISONS[operator] === 'EQUAL' && values[1] === null)
    return termsOf({ '!=': [values[0], null] }, !isNegated, names);
  const condition = conditionOf(operator, values, names);
  return condition && [[literal(condition, isNegated)]];
}

function crossed(parts: readonly (readonly Term[])[]): Term[] | undefined {
  let all: Term[] = [[]];
  for (const terms of parts) {
    all = all.flatMap((before) => terms.map((term) => [...before, ...term]));
    if (all.length > MAX_GROUPS) return undefined;
  }
  return all;
}

function literal(condition: Condition, isNegated: boolean): Literal {
  const opposite = OPPOSITES[condition.operator ?? ''];
  if (!isNegated || opposite === undefined) return { condition, isNegated };
  return { condition: { ...condition, operator: opposite } as Condition, isNegated: false };
}

function conditionOf(operator: string, values: readonly unknown[], names: StepNames): Condition | undefined {
  const [first, second, third] = values;
  if (operator === 'in') return inclusion(first, second);
  if (operator === '<=' && values.length === 3) return between(first, second, third);
  if (values.length !== 2 || COMPARISONS[operator] === undefined) return undefined;
  if (varIn(first) === undefined && varIn(second) !== undefined)
    return conditionOf(TURNED[operator] ?? operator, [second, first], names);
  const isEqual = COMPARISONS[operator] === 'EQUAL';
  const state = isEqual || COMPARISONS[operator] === 'NOT_EQUAL' ? stepState(first, second, isEqual, names) : undefined;
  if (state !== undefined) return state;
  const place = placeOf(first);
  if (place === undefined) return undefined;
  if (second === null) return COMPARISONS[operator] === 'NOT_EQUAL' ? condition(place, 'IS_DEFINED') : undefined;
  const value = valueOf(second);
  return value === undefined ? undefined : condition(place, COMPARISONS[operator], value);
}

interface Place {
  readonly on: 'payload' | 'subscriber' | 'tenant';
  readonly field: string;
}

function condition({ on, field }: Place, operator: string, value?: unknown): Condition {
  return { on, field, operator, ...(value !== undefined && { value }) } as Condition;
}

/** Whether one of several, or whether a text is in another one. */
function inclusion(wanted: unknown, within: unknown): Condition | undefined {
  if (Array.isArray(within)) {
    const place = placeOf(wanted);
    const values = (within as unknown[]).map(valueOf);
    return place === undefined || values.includes(undefined) ? undefined : condition(place, 'IN', values);
  }
  const place = placeOf(within);
  // Conditions read a comma as the end of a value.
  if (place === undefined || typeof wanted !== 'string' || wanted === '' || wanted.includes(',')) return undefined;
  return condition(place, 'IN', wanted);
}

function between(low: unknown, middle: unknown, high: unknown): Condition | undefined {
  const place = placeOf(middle);
  const bounds = [low, high].map(valueOf);
  return place === undefined || bounds.includes(undefined) ? undefined : condition(place, 'BETWEEN', bounds);
}

/** `steps.<stepId>.read` and `.seen`. */
function stepState(first: unknown, wanted: unknown, isEqual: boolean, names: StepNames): Condition | undefined {
  const [root, stepId = '', state, ...more] = varIn(first)?.split('.') ?? [];
  if (root !== 'steps' || (state !== 'read' && state !== 'seen') || more.length > 0) return undefined;
  const uuid = names.uuidOf(stepId);
  if (uuid === undefined || typeof wanted !== 'boolean') return undefined;
  return { on: 'previousStep', step: uuid, stepType: wanted === isEqual ? state : `un${state}` };
}

const ROOTS: Readonly<Record<string, Place['on']>> = { payload: 'payload', subscriber: 'subscriber' };

function placeOf(side: unknown): Place | undefined {
  const name = varIn(side);
  const [root = '', ...path] = name?.split('.') ?? [];
  const on = Object.hasOwn(ROOTS, root) ? ROOTS[root] : undefined;
  if (on !== undefined) return path.length === 0 ? undefined : { on, field: path.join('.') };
  const [type, ...rest] = path;
  if (root !== 'context' || type !== 'tenant' || rest.length === 0) return undefined;
  return { on: 'tenant', field: rest[0] === 'id' && rest.length === 1 ? 'identifier' : rest.join('.') };
}

function varIn(side: unknown): string | undefined {
  const [operator, name] = onlyMember(side) ?? [];
  return operator === 'var' && typeof name === 'string' && name !== '' ? name : undefined;
}

/** What a condition compares with: a value, or another variable by an expression. */
function valueOf(side: unknown): string | number | boolean | undefined {
  if (typeof side === 'string' || typeof side === 'number' || typeof side === 'boolean') return side;
  const place = placeOf(side);
  return place && `{{${place.on}.${place.field}}}`;
}

function onlyMember(value: unknown): [string, unknown] | undefined {
  const entries = isObject(value) ? Object.entries(value) : [];
  return entries.length === 1 ? entries[0] : undefined;
}

/**
 * Conditions of a step as JSON-Logic.
 * @returns undefined if it cannot say them
 */
export function ruleOf(groups: readonly ConditionGroup[], names: StepNames): RawObject | undefined {
  const rules = groups.map((group) => groupRule(group, names));
  if (rules.includes(undefined)) return undefined;
  return rules.length === 1 ? rules[0] : { or: rules };
}

function groupRule({ children, value, isNegated }: ConditionGroup, names: StepNames): RawObject | undefined {
  const rules = children.map((child) => childRule(child, names));
  if (rules.length === 0 || rules.includes(undefined)) return undefined;
  const all = rules.length === 1 ? rules[0] : { [value === 'OR' ? 'or' : 'and']: rules };
  return isNegated === true ? { '!': all } : all;
}

const SIGNS: Readonly<Record<string, string>> = {
  EQUAL: '==',
  NOT_EQUAL: '!=',
  LARGER: '>',
  LARGER_EQUAL: '>=',
  SMALLER: '<',
  SMALLER_EQUAL: '<=',
};

function childRule(
  { on = 'payload', field = '', operator, value, ...child }: Condition,
  names: StepNames,
): RawObject | undefined {
  if (on === 'previousStep') {
    const stepId = names.stepIdOf(child.step ?? '');
    if (stepId === undefined) return undefined;
    const isNegated = child.stepType?.startsWith('un') === true;
    const state = child.stepType?.replace(/^un/, '') ?? 'seen';
    return { '==': [{ var: `steps.${stepId}.${state}` }, !isNegated] };
  }
  if (on === 'isOnline') return { '==': [{ var: 'subscriber.isOnline' }, value === true || value === 'true'] };
  if (on !== 'payload' && on !== 'subscriber' && on !== 'tenant') return undefined;
  const path = on === 'tenant' ? `context.tenant.${field === 'identifier' ? 'id' : field}` : `${on}.${field}`;
  return comparisonRule({ var: path }, operator ?? 'EQUAL', value);
}

function comparisonRule(place: RawObject, operator: string, value: unknown): RawObject | undefined {
  const sign = SIGNS[operator];
  if (sign !== undefined) return { [sign]: [place, variableIn(value)] };
  if (operator === 'IS_DEFINED') return { '!=': [place, null] };
  const isList = Array.isArray(value);
  const included = isList ? { in: [place, value] } : { in: [value, place] };
  const isText = typeof value === 'string' && !value.includes(',');
  if (operator === 'IN') return isList || isText ? included : undefined;
  if (operator === 'NOT_IN') return isList || isText ? { '!': included } : undefined;
  if (!isList || value.length !== 2) return undefined;
  const within = { '<=': [value[0] as unknown, place, value[1] as unknown] };
  return operator === 'BETWEEN' ? within : operator === 'NOT_BETWEEN' ? { '!': within } : undefined;
}

const VARIABLE = /^\{\{\s*((?:payload|subscriber)\.[\w.]+)\s*\}\}$/;

function variableIn(value: unknown): unknown {
  const name = typeof value === 'string' ? VARIABLE.exec(value)?.[1] : undefined;
  return name === undefined ? value : { var: name };
}
