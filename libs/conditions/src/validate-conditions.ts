import {
  CONDITION_OPERATORS,
  GROUP_TYPES,
  GROUP_VALUES,
  PREVIOUS_STEP_TYPES,
  TIME_OPERATORS,
} from './condition.types.js';

export const MAX_GROUPS = 50;
export const MAX_CHILDREN = 100;
export const MAX_LIST_LENGTH = 1000;
export const MAX_FIELD_LENGTH = 255;
export const MAX_VALUE_LENGTH = 5000;
/** Characters of values with expressions, in all conditions of one place together. */
export const MAX_EXPRESSION_TEXT = 200_000;
/** Faults beyond this number are not listed. */
const MAX_FAULTS = 100;

/** Keys that reach into JavaScript's object machinery rather than into data. */
const FORBIDDEN_SEGMENTS = new Set(['__proto__', 'constructor', 'prototype']);

export interface ConditionRules {
  /** The values of `on` that are allowed in this place. */
  on: readonly string[];
  /** Says what is wrong with a Handlebars expression in a value, or nothing. Without it, values are not parsed. */
  templateFault?: (template: string) => string | undefined;
}

type Faults = string[];
type RawObject = Record<string, unknown>;

/**
 * Lists every fault of condition groups as sent by a client; each text begins with the path of the faulty part.
 * `undefined` and `null` mean "no conditions". Never throws, whatever it is given.
 */
export function validateConditions(groups: unknown, path: string, rules: ConditionRules): string[] {
  if (groups === undefined || groups === null) return [];
  if (!Array.isArray(groups)) return [`${path} must be an array of condition groups`];
  if (groups.length > MAX_GROUPS) return [`${path} must contain at most ${MAX_GROUPS} groups`];
  if (expressionText(groups) > MAX_EXPRESSION_TEXT) {
    return [`${path} must hold at most ${MAX_EXPRESSION_TEXT} characters of values with expressions`];
  }
  const faults: Faults = [];
  groups.forEach((group: unknown, index) => checkGroup(group, `${path}.${index}`, rules, faults));
  return faults.slice(0, MAX_FAULTS);
}

/** Counted before any is parsed. */
function expressionText(groups: readonly unknown[]): number {
  let length = 0;
  for (const group of groups) {
    const children: unknown = isObject(group) ? group.children : undefined;
    for (const child of Array.isArray(children) ? (children as unknown[]).slice(0, MAX_CHILDREN) : []) {
      const value = isObject(child) ? child.value : undefined;
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (typeof item === 'string' && item.includes('{{')) length += item.length;
      }
    }
  }
  return length;
}

function checkGroup(group: unknown, path: string, rules: ConditionRules, faults: Faults): void {
  if (!isObject(group)) {
    faults.push(`${path} must be an object`);
    return;
  }
  if (isGiven(group.isNegated) && typeof group.isNegated !== 'boolean') {
    faults.push(`${path}.isNegated must be a boolean`);
  }
  if (isGiven(group.type)) checkOneOf(group.type, GROUP_TYPES, `${path}.type`, faults);
  const { children } = group;
  if (!Array.isArray(children)) {
    faults.push(`${path}.children must be an array`);
    return;
  }
  if (isGiven(group.value) || children.length > 1) checkOneOf(group.value, GROUP_VALUES, `${path}.value`, faults);
  if (children.length > MAX_CHILDREN) {
    faults.push(`${path}.children must contain at most ${MAX_CHILDREN} conditions`);
    return;
  }
  children.forEach((child: unknown, index) => checkCondition(child, `${path}.children.${index}`, rules, faults));
}

function checkCondition(condition: unknown, path: string, rules: ConditionRules, faults: Faults): void {
  if (!isObject(condition)) {
    faults.push(`${path} must be an object`);
    return;
  }
  if (isGiven(condition.children)) {
    faults.push(`${path}.children is not allowed: groups cannot be nested`);
    return;
  }
  const on = condition.on ?? 'payload';
  if (!checkOneOf(on, rules.on, `${path}.on`, faults)) return;
  switch (on) {
    case 'isOnline':
      return checkOnline(condition, path, faults);
    case 'isOnlineInLast':
      return checkOnlineInLast(condition, path, faults);
    case 'previousStep':
      return checkPreviousStep(condition, path, faults);
    case 'webhook':
      checkUrl(condition.webhookUrl, `${path}.webhookUrl`, faults);
      return checkComparison(condition, path, rules, faults);
    default:
      return checkComparison(condition, path, rules, faults);
  }
}

function checkOnline({ value }: RawObject, path: string, faults: Faults): void {
  if (typeof value === 'boolean' || value === 'true' || value === 'false') return;
  faults.push(`${path}.value must be a boolean`);
}

function checkOnlineInLast({ value, timeOperator }: RawObject, path: string, faults: Faults): void {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) {
    faults.push(`${path}.value must be a number of 0 or more`);
  }
  checkOneOf(timeOperator, TIME_OPERATORS, `${path}.timeOperator`, faults);
}

function checkPreviousStep({ step, stepType }: RawObject, path: string, faults: Faults): void {
  if (typeof step !== 'string' || step.trim() === '' || step.length > MAX_FIELD_LENGTH) {
    faults.push(`${path}.step must be the uuid of an earlier step`);
  }
  checkOneOf(stepType, PREVIOUS_STEP_TYPES, `${path}.stepType`, faults);
}

function checkComparison(condition: RawObject, path: string, rules: ConditionRules, faults: Faults): void {
  checkField(condition.field, `${path}.field`, faults);
  const { operator, value } = condition;
  if (!checkOneOf(operator, CONDITION_OPERATORS, `${path}.operator`, faults)) return;
  if (operator === 'IS_DEFINED') return;
  if (value === undefined) {
    faults.push(`${path}.value is required`);
    return;
  }
  checkValue(value, `${path}.value`, rules, faults);
  const isRange = operator === 'BETWEEN' || operator === 'NOT_BETWEEN';
  if (isRange && !isPair(value)) {
    faults.push(`${path}.value must hold two bounds, as an array of two or as text like "1,10"`);
  }
}

function checkField(field: unknown, path: string, faults: Faults): void {
  if (typeof field !== 'string' || field.trim() === '') {
    faults.push(`${path} must be a non-empty string`);
  } else if (field.length > MAX_FIELD_LENGTH) {
    faults.push(`${path} must be at most ${MAX_FIELD_LENGTH} characters long`);
  } else if (field.split('.').some((segment) => FORBIDDEN_SEGMENTS.has(segment))) {
    faults.push(`${path} must not contain __proto__, constructor or prototype`);
  }
}

function checkValue(value: unknown, path: string, rules: ConditionRules, faults: Faults): void {
  if (!Array.isArray(value)) return checkScalar(value, path, rules, faults);
  if (value.length > MAX_LIST_LENGTH) {
    faults.push(`${path} must contain at most ${MAX_LIST_LENGTH} items`);
    return;
  }
  value.forEach((item: unknown, index) => checkScalar(item, `${path}.${index}`, rules, faults));
}

function checkScalar(value: unknown, path: string, rules: ConditionRules, faults: Faults): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'string') {
    faults.push(`${path} must be a string, number, boolean, null or a list of these`);
  } else if (value.length > MAX_VALUE_LENGTH) {
    faults.push(`${path} must be at most ${MAX_VALUE_LENGTH} characters long`);
  } else if (value.includes('{{')) {
    const fault = rules.templateFault?.(value);
    if (fault !== undefined) faults.push(`${path} is not a valid template: ${fault}`);
  }
}

/** Text with an expression is only known to be a pair once it is rendered. */
function isPair(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 2;
  return typeof value === 'string' && (value.includes('{{') || value.split(',').length === 2);
}

function checkUrl(url: unknown, path: string, faults: Faults): void {
  const parsed = typeof url === 'string' && url.length <= 2048 && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return;
  faults.push(`${path} must be an http or https URL`);
}

function checkOneOf(value: unknown, allowed: readonly string[], path: string, faults: Faults): boolean {
  if (typeof value === 'string' && allowed.includes(value)) return true;
  faults.push(`${path} must be one of ${allowed.join(', ')}`);
  return false;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
