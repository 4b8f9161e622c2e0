import type { Schemas } from '../api/client.js';

type Variable = Schemas['TriggerVariableResponse'];
type Defaults = readonly Pick<Schemas['TemplateVariableDto'], 'name' | 'defaultValue'>[];
type Json = Record<string, unknown>;

/** Names that would reach beyond the object. */
const REFUSED = new Set(['__proto__', 'constructor', 'prototype']);
const DAYS_AHEAD = 3;
const DAY_MS = 86_400_000;

/** What the last part of a name says about its value. The first that fits counts. */
const BY_NAME: readonly (readonly [RegExp, unknown])[] = [
  [/^(is|has|can)[A-Z_]/, true],
  [/mail$/i, 'ada@example.com'],
  [/(url|link|href)$/i, 'https://example.com/orders/4711'],
  [/phone/i, '+15550100'],
  [/currency$/i, 'EUR'],
  [/(amount|price|total|sum|cost|balance)$/i, 49.9],
  [/^(days|hours|minutes|weeks|months|percent)$|(days|hours|minutes|count|quantity|percent)$/i, 3],
  [/time$/i, '10:00'],
  [/(plan|tier)(name)?$/i, 'Pro'],
  [/(company|organi[sz]ation|team)(name)?$/i, 'Acme'],
  [/city$/i, 'Berlin'],
  [/country$/i, 'Germany'],
  [/name$/i, 'Ada'],
  [/(id|number|no|code|reference)$/i, '4711'],
];
const DATE = /(date|day|deadline)$|[a-z_](At|On|Until|_at|_on|_until)$|^(at|on|until|due)$/;

/**
 * A payload with a value for each variable, to begin with.
 * @param defaults of the templates, which are used where they are known
 */
export function samplePayload(variables: readonly Variable[], defaults: Defaults = [], now = new Date()): Json {
  const known = new Map(defaults.map(({ name, defaultValue }) => [name, defaultValue]));
  const sample: Json = {};
  // Parents first, so that a list exists before its fields.
  for (const variable of variables.toSorted((one, other) => one.name.length - other.name.length)) {
    put(sample, variable.name.split('.'), known.get(variable.name) ?? valueOf(variable, now));
  }
  return sample;
}

function valueOf({ name, type }: Variable, now: Date): unknown {
  if (type === 'Boolean') return true;
  if (type === 'Array') return [];
  const last = name.split('.').at(-1) ?? name;
  if (DATE.test(last)) return new Date(now.getTime() + DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10);
  const found = BY_NAME.find(([words]) => words.test(last));
  return found === undefined ? last : found[1];
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
