import { createRequire } from 'node:module';
import { Decimal128, Int32, Long } from 'bson';
import type { Context, evalExpr as Evaluate } from 'mingo/core';
import { isDoc, setOwn, type Doc } from '../bson/codec.js';
import { decimalArithmetic, type DecimalRounding, roundDecimal } from '../bson/decimal.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { isNullish } from '../bson/values.js';
import { notSupported, StoreError } from '../errors.js';
import { inZone } from './date-functions.js';
import type { ValueFunction } from './expressions.js';

const DATE_PARTS = [
  '$year',
  '$month',
  '$dayOfMonth',
  '$dayOfWeek',
  '$dayOfYear',
  '$hour',
  '$minute',
  '$second',
  '$millisecond',
] as const;

/** Functions that the expression library computes as MongoDB does, on plain values of which it gets no other kinds. */
const NAMES = [
  ...DATE_PARTS,
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
  '$substrCP',
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

const fails = (code: number, message: string): never => {
  throw new StoreError(`Location${code}`, message, {}, code);
};

/** Numbers outside of a function's domain are errors, where the library answers NaN, Infinity or an empty text. */
function assertDomain(name: string, args: unknown[]): void {
  const [a, b, c] = args.map((arg) => (isNumeric(arg) ? Number(numberOf(arg)) : undefined));
  if (a === undefined && name !== '$substrCP') return;
  if (name === '$mod' && b === 0) fails(16610, "can't $mod by zero");
  if (name === '$ln' && Number(a) <= 0) fails(28766, "$ln's argument must be a positive number");
  if (name === '$log10' && Number(a) <= 0) fails(28761, "$log10's argument must be a positive number");
  if (name === '$log' && Number(a) <= 0) fails(28758, "$log's argument must be a positive number");
  if (name === '$log' && (Number(b) <= 0 || b === 1))
    fails(28759, "$log's base must be a positive number not equal to 1");
  if (name === '$substrCP' && (Number(b) < 0 || Number(c) < 0))
    fails(34452, '$substrCP: start and length must not be negative');
}

/** Where the library answers differently from MongoDB: the right answer, or a refusal; undefined where it may be asked. */
function mended(name: string, args: unknown[]): { value: unknown } | undefined {
  const decimal = decimalResult(name, args);
  if (decimal) return { value: decimal };
  assertDomain(name, args);
  const [argument, second] = args;
  if (name === '$split' && second === '') fails(40087, '$split requires a non-empty separator');
  if ((DATE_PARTS as readonly string[]).includes(name)) {
    const date = isDoc(argument) ? argument.date : argument;
    if (date === null || date === undefined) return { value: null };
  }
  if (!isDoc(argument)) return undefined;
  // a parameter that is given but null makes the result null; one that is not given has its default
  const isNull = (parameter: string): boolean => parameter in argument && argument[parameter] === null;
  if (['timezone', 'format', 'chars', 'unit'].some(isNull)) return { value: null };
  const { timezone, format } = argument;
  const zoned = timezone !== undefined && timezone !== 'UTC' && timezone !== 'GMT';
  if (name === '$dateDiff' && zoned) throw notSupported(`${name} with a time zone`);
  if (name === '$dateTrunc' && zoned) return { value: inZone(argument, (inUtc) => call(name)([inUtc])) };
  if (name === '$dateDiff' && (isNullish(argument.startDate) || isNullish(argument.endDate))) return { value: null };
  if (name === '$dateToString' && typeof format === 'string' && /%(?![YmdHMSLjuV])/.test(format))
    throw notSupported('other parts of a date format than %Y %m %d %H %M %S %L %j %u %V');
  return undefined;
}

const ROUNDINGS: Record<string, DecimalRounding> = {
  $abs: 'abs',
  $ceil: 'ceil',
  $floor: 'floor',
  $round: 'round',
  $trunc: 'trunc',
};

/** The library knows no decimals. */
function decimalResult(name: string, args: unknown[]): Decimal128 | undefined {
  const [a, b] = args;
  const rounding = Object.hasOwn(ROUNDINGS, name) ? ROUNDINGS[name] : undefined;
  if (rounding && a instanceof Decimal128)
    return roundDecimal(rounding, a, isNumeric(b) ? Number(numberOf(b)) : undefined);
  if (!(a instanceof Decimal128 || b instanceof Decimal128) || !isNumeric(a) || !isNumeric(b)) return undefined;
  if (name === '$divide') return decimalArithmetic('divide', a, b);
  return name === '$mod' ? decimalArithmetic('mod', a, b) : undefined;
}

const isWhole = (value: unknown): boolean => value instanceof Int32 || value instanceof Long;

/** The library computes with doubles, MongoDB with 64-bit integers where both operands are integers. */
function checked(name: string, args: unknown[], result: unknown): unknown {
  if (name === '$pow' && args.every(isWhole) && Math.abs(Number(result)) > Number.MAX_SAFE_INTEGER)
    throw notSupported('$pow of integers beyond 2^53');
  return result;
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
      const expression = { [name]: names.length === 1 ? names[0] : names };
      return checked(name, args, evaluate({}, expression, { context, variables } as never));
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
