import { isSystemVariable } from './extract-trigger-variables.js';
import { TemplateError } from './template-error.js';
import type { TemplateVariable } from './template-words.js';
import type { VariableType } from './template.types.js';

type Data = Readonly<Record<string, unknown>>;

const TYPE_WORDS: Readonly<Record<VariableType, string>> = { String: 'Value', Array: 'Array', Boolean: 'Boolean' };
const FORBIDDEN_SEGMENTS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Missing or of a wrong type, each as `name (Value|Array|Boolean)`. Default values count as present; system variables
 * are never required.
 */
export function missingVariables(variables: readonly TemplateVariable[], data: Data): string[] {
  return variables
    .filter(
      ({ required, name, defaultValue }) => required === true && !isSystemVariable(name) && !isUsable(defaultValue),
    )
    .filter(({ name, type }) => !isOfType(readPath(data, name), type))
    .map(({ name, type }) => `${name} (${TYPE_WORDS[type]})`);
}

/** Returns a copy. */
export function withVariableDefaults(variables: readonly TemplateVariable[], data: Data): Data {
  return variables.reduce<Data>((result, { name, defaultValue }) => {
    const isNeeded = isUsable(defaultValue) && readPath(result, name) === undefined;
    return isNeeded ? setPath(result, name.split('.'), defaultValue) : result;
  }, data);
}

/** @throws {TemplateError} that names every missing required variable */
export function applyVariables(variables: readonly TemplateVariable[], data: Data): Data {
  const missing = missingVariables(variables, data);
  if (missing.length > 0) throw new TemplateError(`required variables are missing: ${missing.join(', ')}`);
  return withVariableDefaults(variables, data);
}

/** Editors store an empty text for "no default". */
function isUsable(defaultValue: unknown): boolean {
  return defaultValue !== undefined && defaultValue !== null && defaultValue !== '';
}

function isOfType(value: unknown, type: VariableType): boolean {
  if (type === 'Array') return Array.isArray(value);
  return type === 'Boolean' ? typeof value === 'boolean' : typeof value === 'string' || typeof value === 'number';
}

function readPath(data: Data, path: string): unknown {
  let value: unknown = data;
  for (const segment of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

/** Returns a copy. A value on the way that is no object stays unchanged. */
function setPath(data: Data, [first, ...rest]: readonly string[], value: unknown): Data {
  if (first === undefined || FORBIDDEN_SEGMENTS.has(first)) return data;
  if (rest.length === 0) return { ...data, [first]: value };
  const inner = Object.hasOwn(data, first) ? data[first] : {};
  return isObject(inner) ? { ...data, [first]: setPath(inner, rest, value) } : data;
}

// Render threads load this file and should not load the validation library for one function.
function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
