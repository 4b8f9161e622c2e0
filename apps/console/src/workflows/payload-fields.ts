import type { Schemas } from '../api/client.js';

type Variable = Schemas['TriggerVariableResponse'];
type Json = Record<string, unknown>;

/** A value of the payload that has a field of its own. */
export interface PayloadField {
  /** Path in the payload. */
  readonly path: readonly string[];
  readonly label: string;
  readonly isBoolean: boolean;
}

/** Of the values that are neither lists nor parts of one: those are written as JSON. */
export function payloadFields(variables: readonly Variable[]): PayloadField[] {
  const lists = variables.filter(({ type }) => type === 'Array').map(({ name }) => `${name}.`);
  const parents = new Set(variables.flatMap(({ name }) => parentsOf(name)));
  return variables
    .filter(({ name, type }) => type !== 'Array' && !parents.has(name) && !lists.some((list) => name.startsWith(list)))
    .map(({ name, type }) => ({ path: name.split('.'), label: labelOf(name), isBoolean: type === 'Boolean' }));
}

function parentsOf(name: string): string[] {
  const parts = name.split('.');
  return parts.slice(1).map((_part, at) => parts.slice(0, at + 1).join('.'));
}

/** @returns `order.firstName` as `Order first name` */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[._-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function valueAt(payload: Json, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), payload);
}

/** A copy with another value. What was a number stays one, as long as the text is one. */
export function withValue(payload: Json, path: readonly string[], value: string | boolean): Json {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const child = payload[name];
    return { ...payload, [name]: withValue(isObject(child) ? child : {}, rest, value) };
  }
  const isNumber = typeof payload[name] === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
  return { ...payload, [name]: isNumber ? Number(value) : value };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
