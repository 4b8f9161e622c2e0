import { createRequire } from 'node:module';
import type { Context, evalExpr as Evaluate } from 'mingo/core';
import { isDoc, setOwn, type Doc } from '../bson/codec.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { notSupported, StoreError } from '../errors.js';
import type { ValueFunction } from './expressions.js';

/** Functions that the expression library computes as MongoDB does, on plain values of which it gets no other kinds. */
const NAMES = [
  '$abs',
  '$ceil',
  '$divide',
  '$exp',
  '$floor',
  '$ln',
  '$log',
  '$log10',
  '$mod',
  '$pow',
  '$round',
  '$sqrt',
  '$trunc',
  '$concat',
  '$ltrim',
  '$rtrim',
  '$trim',
  '$split',
  '$strLenCP',
  '$strLenBytes',
  '$strcasecmp',
  '$substrCP',
  '$year',
  '$month',
  '$dayOfMonth',
  '$dayOfWeek',
  '$dayOfYear',
  '$hour',
  '$minute',
  '$second',
  '$millisecond',
  '$dateToString',
  '$dateDiff',
  '$dateTrunc',
] as const;

interface Library {
  evaluate: typeof Evaluate;
  context: Context;
}

let library: Library | undefined;

/** Loaded with the first use: a server that is asked for no expression starts without it. */
function load(): Library {
  if (library) return library;
  const require = createRequire(import.meta.url);
  const { evalExpr, Context: ContextClass } = require('mingo/core') as {
    evalExpr: typeof Evaluate;
    Context: typeof Context;
  };
  const expression = require('mingo/operators/expression') as Record<string, never>;
  const operators = Object.fromEntries(NAMES.map((name) => [name, expression[name] as never]));
  library = { evaluate: evalExpr, context: ContextClass.init({ expression: operators }) };
  return library;
}

/** Plain JavaScript for the library; numbers that would lose digits are refused. */
function plain(value: unknown): unknown {
  if (isNumeric(value)) {
    const number = numberOf(value);
    if (typeof number !== 'number') throw notSupported('computing with Decimal128 or with integers beyond 2^53');
    return number;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (!isDoc(value)) return value;
  const out: Doc = {};
  for (const [name, inner] of Object.entries(value)) setOwn(out, name, plain(inner));
  return out;
}

const DATE_PARTS = new Set<string>([
  '$year',
  '$month',
  '$dayOfMonth',
  '$dayOfWeek',
  '$dayOfYear',
  '$hour',
  '$minute',
  '$second',
  '$millisecond',
]);

/** Where the library answers differently from MongoDB: the right answer, or a refusal; undefined where it may be asked. */
function mended(name: string, args: unknown[]): { value: unknown } | undefined {
  const [argument] = args;
  if (DATE_PARTS.has(name)) {
    const date = isDoc(argument) ? argument.date : argument;
    return date === null || date === undefined ? { value: null } : undefined;
  }
  if (!isDoc(argument)) return undefined;
  const { timezone, format } = argument;
  const zoned = timezone !== undefined && timezone !== null && timezone !== 'UTC' && timezone !== 'GMT';
  if ((name === '$dateTrunc' || name === '$dateDiff') && zoned) throw notSupported(`${name} with a time zone`);
  if (name === '$dateToString' && typeof format === 'string' && /%[U%]/.test(format))
    throw notSupported('%U and %% in a date format');
  return undefined;
}

/** Arguments are handed over as variables, so that no string in them is taken for a field path. */
function call(name: string): ValueFunction {
  return (args) => {
    const known = mended(name, args);
    if (known) return known.value;
    const { evaluate, context } = load();
    // the library wants the number of digits also where MongoDB assumes none
    if (args.length === 1 && (name === '$round' || name === '$trunc')) args.push(0);
    const variables: Record<string, unknown> = {};
    const names = args.map((arg, index) => reference(plain(arg), `a${index}`, variables));
    try {
      return evaluate({}, { [name]: names.length === 1 ? names[0] : names }, {
        context,
        variables,
      } as never);
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      throw new StoreError('BadValue', `${name}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  };
}

function reference(value: unknown, name: string, variables: Record<string, unknown>): unknown {
  if (isDoc(value) && !(value instanceof RegExp)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, reference(inner, `${name}_${key}`, variables)]),
    );
  }
  variables[name] = value;
  return `$$${name}`;
}

export const LIBRARY_FUNCTIONS: Record<string, ValueFunction> = Object.fromEntries(
  NAMES.map((name) => [name, call(name)]),
);
