import { isDoc, setOwn, type Doc } from '../bson/codec.js';
import { isTrue } from '../bson/values.js';
import { failedToParse, notSupported, StoreError } from '../errors.js';
import { valueAtPath } from '../bson/paths.js';
import { assertArity } from './arity.js';
import { ARRAY_FUNCTIONS } from './array-functions.js';
import { CONVERSIONS } from './conversions.js';
import { DATE_FUNCTIONS } from './date-functions.js';
import { LIBRARY_FUNCTIONS } from './library-functions.js';
import { LIST_FUNCTIONS } from './list-functions.js';
import { TEXT_AND_DATE_FUNCTIONS } from './text-and-date-functions.js';
import { VALUE_FUNCTIONS } from './value-functions.js';

/** What an expression sees: the document and the variables in force (names without `$$`). */
export interface Scope {
  root: unknown;
  variables: Readonly<Doc>;
}

export type Expression = (scope: Scope) => unknown;

/** A function of evaluated arguments; `undefined` stands for a missing value. */
export type ValueFunction = (args: unknown[]) => unknown;

const systemVariable = (name: string, scope: Scope): unknown => {
  if (name === 'ROOT') return scope.root;
  if (name === 'REMOVE') return undefined;
  if (Object.hasOwn(scope.variables, name)) return scope.variables[name];
  if (name === 'CURRENT') return scope.root;
  if (name === 'NOW') return new Date();
  throw new StoreError('FailedToParse', `Use of undefined variable: ${name}`, {}, 17276);
};

/** Compiles an expression; operators that are not listed in the README are refused by name. */
export function compileExpression(source: unknown): Expression {
  if (typeof source === 'string' && source.startsWith('$')) return compilePath(source);
  if (Array.isArray(source)) {
    const items = source.map(compileExpression);
    return (scope) => items.map((item) => item(scope) ?? null);
  }
  if (!isDoc(source)) return () => source;
  const names = Object.keys(source);
  const [first] = names;
  if (first?.startsWith('$')) {
    if (names.length > 1)
      throw new StoreError(
        'Location15983',
        'an object representing an expression must have exactly one field',
        {},
        15983,
      );
    return compileOperator(first, source[first]);
  }
  const fields = Object.entries(source).map(([name, value]) => ({ name, value: compileExpression(value) }));
  return (scope) => {
    const out: Doc = {};
    for (const { name, value } of fields) {
      const result = value(scope);
      if (result !== undefined) setOwn(out, name, result);
    }
    return out;
  };
}

function compilePath(source: string): Expression {
  if (!source.startsWith('$$')) {
    const parts = source.slice(1).split('.');
    if (parts.some((part) => part === '')) throw failedToParse(`'${source}' is not a valid field path`);
    return (scope) => valueAtPath(scope.root, parts);
  }
  const [name = '', ...parts] = source.slice(2).split('.');
  return (scope) => {
    const value = systemVariable(name, scope);
    return parts.length === 0 ? value : valueAtPath(value, parts);
  };
}

type Compiler = (argument: unknown) => Expression;

const list = (argument: unknown): Expression[] =>
  (Array.isArray(argument) ? argument : [argument]).map(compileExpression);

function fieldsOf(
  operator: string,
  argument: unknown,
  required: string[],
  optional: string[] = [],
): Record<string, unknown> {
  if (!isDoc(argument)) throw failedToParse(`${operator} only supports an object as its argument`);
  for (const name of Object.keys(argument)) {
    if (!required.includes(name) && !optional.includes(name))
      throw failedToParse(`Unrecognized parameter to ${operator}: ${name}`);
  }
  for (const name of required)
    if (!(name in argument)) throw failedToParse(`Missing '${name}' parameter to ${operator}`);
  return argument;
}

function overArray(operator: string, input: unknown): unknown[] | null {
  if (input === null || input === undefined) return null;
  if (!Array.isArray(input)) throw new StoreError('Location28650', `input to ${operator} must be an array`, {}, 28650);
  return input as unknown[];
}

/** Operators that decide which of their arguments are evaluated, and with which variables. */
const SYNTAX: Record<string, Compiler> = {
  $literal: (argument) => () => argument,
  $expr: compileExpression,
  $and: (argument) => {
    const items = list(argument);
    return (scope) => items.every((item) => isTrue(item(scope)));
  },
  $or: (argument) => {
    const items = list(argument);
    return (scope) => items.some((item) => isTrue(item(scope)));
  },
  $cond: (argument) => {
    const parts = Array.isArray(argument) ? (argument as unknown[]) : Object.values(orderedCond(argument));
    if (parts.length !== 3) throw failedToParse('Expression $cond takes exactly 3 arguments');
    const [test, yes, no] = parts.map(compileExpression) as [Expression, Expression, Expression];
    return (scope) => (isTrue(test(scope)) ? yes(scope) : no(scope));
  },
  $ifNull: (argument) => {
    const items = list(argument);
    if (items.length < 2) throw failedToParse('$ifNull needs at least two arguments');
    return (scope) => {
      let value: unknown;
      for (const item of items) {
        value = item(scope);
        if (value !== null && value !== undefined) return value;
      }
      return value;
    };
  },
  $switch: (argument) => {
    const { branches, default: fallback } = fieldsOf('$switch', argument, ['branches'], ['default']);
    const cases = (branches as Doc[]).map((branch) => ({
      test: compileExpression(branch.case),
      then: compileExpression(branch.then),
    }));
    const otherwise = fallback === undefined ? undefined : compileExpression(fallback);
    return (scope) => {
      const hit = cases.find(({ test }) => isTrue(test(scope)));
      if (hit) return hit.then(scope);
      if (!otherwise)
        throw new StoreError(
          'Location40066',
          '$switch could not find a matching branch for an input, and no default was specified.',
          {},
          40066,
        );
      return otherwise(scope);
    };
  },
  $let: (argument) => {
    const { vars, in: body } = fieldsOf('$let', argument, ['vars', 'in']);
    const bindings = Object.entries(vars as Doc).map(([name, value]) => ({ name, value: compileExpression(value) }));
    const inner = compileExpression(body);
    return (scope) =>
      inner({
        ...scope,
        variables: {
          ...scope.variables,
          ...Object.fromEntries(bindings.map(({ name, value }) => [name, value(scope)])),
        },
      });
  },
  $map: (argument) => {
    const { input, as = 'this', in: body } = fieldsOf('$map', argument, ['input', 'in'], ['as']);
    const [items, inner] = [compileExpression(input), compileExpression(body)];
    return (scope) =>
      overArray('$map', items(scope))?.map((item) => inner(bind(scope, as as string, item)) ?? null) ?? null;
  },
  $filter: (argument) => {
    const { input, as = 'this', cond, limit } = fieldsOf('$filter', argument, ['input', 'cond'], ['as', 'limit']);
    if (limit !== undefined) throw notSupported('$filter with a limit');
    const [items, test] = [compileExpression(input), compileExpression(cond)];
    return (scope) =>
      overArray('$filter', items(scope))?.filter((item) => isTrue(test(bind(scope, as as string, item)))) ?? null;
  },
  $reduce: (argument) => {
    const { input, initialValue, in: body } = fieldsOf('$reduce', argument, ['input', 'initialValue', 'in']);
    const [items, initial, inner] = [input, initialValue, body].map(compileExpression) as [
      Expression,
      Expression,
      Expression,
    ];
    return (scope) => {
      const array = overArray('$reduce', items(scope));
      if (!array) return null;
      return array.reduce(
        (value, item) => inner({ ...scope, variables: { ...scope.variables, value, this: item } }),
        initial(scope),
      );
    };
  },
};

const bind = (scope: Scope, name: string, value: unknown): Scope => ({
  ...scope,
  variables: { ...scope.variables, [name]: value },
});

function orderedCond(argument: unknown): Doc {
  const { if: test, then, else: otherwise } = fieldsOf('$cond', argument, ['if', 'then', 'else']);
  return { test, then, otherwise };
}

function compileOperator(name: string, argument: unknown): Expression {
  const syntax = Object.hasOwn(SYNTAX, name) ? SYNTAX[name] : undefined;
  if (syntax) return syntax(argument);
  const call = functionOf(name);
  if (call) {
    const args = isDoc(argument) && Object.keys(argument).length === 0 ? [] : list(argument);
    assertArity(name, args.length);
    const zoned = isDoc(argument) && 'timezone' in argument;
    return (scope) => {
      const values = args.map((arg) => arg(scope));
      // a missing field leaves no trace in a document, but a time zone that is missing is not the same as none asked for
      if (zoned && isDoc(values[0])) values[0].timezone ??= null;
      return call(values);
    };
  }
  throw new StoreError(
    'InvalidPipelineOperator',
    `Unrecognized expression '${name}', or not supported by the embedded store; use other expressions, or compute the value in the program`,
    {},
    168,
  );
}

const TABLES = [
  VALUE_FUNCTIONS,
  CONVERSIONS,
  ARRAY_FUNCTIONS,
  LIST_FUNCTIONS,
  TEXT_AND_DATE_FUNCTIONS,
  DATE_FUNCTIONS,
  LIBRARY_FUNCTIONS,
];

function functionOf(name: string): ValueFunction | undefined {
  for (const table of TABLES) if (Object.hasOwn(table, name)) return table[name];
  return undefined;
}
