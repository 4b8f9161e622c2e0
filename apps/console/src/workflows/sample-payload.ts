import type { Schemas } from '../api/client.js';

type Variable = Schemas['TriggerVariableResponse'];
type Defaults = readonly Pick<Schemas['TemplateVariableDto'], 'name' | 'defaultValue'>[];
type Json = Record<string, unknown>;

/** Names that would reach beyond the object. */
const REFUSED = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * A payload with a value for each variable, to begin with.
 * @param defaults of the templates, which are used where they are known
 */
export function samplePayload(variables: readonly Variable[], defaults: Defaults = []): Json {
  const known = new Map(defaults.map(({ name, defaultValue }) => [name, defaultValue]));
  const sample: Json = {};
  // Parents first, so that a list exists before its fields.
  for (const variable of variables.toSorted((one, other) => one.name.length - other.name.length)) {
    put(sample, variable.name.split('.'), known.get(variable.name) ?? valueOf(variable));
  }
  return sample;
}

function valueOf({ name, type }: Variable): unknown {
  if (type === 'Boolean') return true;
  return type === 'Array' ? [] : (name.split('.').at(-1) ?? name);
}

function put(target: Json, [name = '', ...rest]: string[], value: unknown): void {
  if (REFUSED.has(name)) return;
  const found = target[name];
  if (rest.length === 0) {
    if (found === undefined) target[name] = value;
    return;
  }
  if (Array.isArray(found)) {
    const first = isObject(found[0]) ? found[0] : {};
    found[0] = first;
    return put(first, rest, value);
  }
  const child = isObject(found) ? found : {};
  target[name] = child;
  put(child, rest, value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
