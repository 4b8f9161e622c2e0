import { Int32, Long, Timestamp } from 'bson';
import { isDoc, type Doc } from '../bson/codec.js';
import { arithmetic, isNumeric } from '../bson/numbers.js';
import { compareValues } from '../bson/values.js';
import { badValue, StoreError, typeMismatch } from '../errors.js';
import { isIndexPart } from '../bson/paths.js';
import { ARRAY_OPERATORS, fieldsOfOperator } from './arrays.js';
import { getAt, isPositional, resolvePositions, setAt, unsetAt, type Positions } from './paths.js';

/** One operator on one path, in the order in which it is applied. */
interface Change {
  operator: string;
  path: string[];
  argument: unknown;
}

const OPERATORS = new Set([
  '$set',
  '$unset',
  '$inc',
  '$mul',
  '$min',
  '$max',
  '$rename',
  '$currentDate',
  '$setOnInsert',
  '$bit',
  ...Object.keys(ARRAY_OPERATORS),
]);

/** An update with operators, parsed and checked once for all documents that it is applied to. */
export interface OperatorUpdate {
  changes: Change[];
  /** Top-level fields that it may change, to know which indexes are concerned. */
  usedFilters: Set<string>;
}

export function parseOperators(update: Doc): OperatorUpdate {
  const changes: Change[] = [];
  for (const [operator, argument] of Object.entries(update)) {
    if (!OPERATORS.has(operator)) {
      throw new StoreError(
        'FailedToParse',
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    for (const [path, value] of fieldsOfOperator(operator, argument)) {
      changes.push({ operator, path: checkedPath(path), argument: value });
      if (operator === '$rename')
        changes.push({ operator: '$renameTarget', path: checkedPath(renameTarget(path, value)), argument: path });
    }
  }
  const names = changes.map(({ path }) => path);
  assertNoConflicts(names);
  changes.sort((a, b) => comparePaths(a.path, b.path));
  const usedFilters = new Set(
    names
      .flat()
      .filter((part) => part.startsWith('$[') && part !== '$[]')
      .map((part) => part.slice(2, -1)),
  );
  return { changes, usedFilters };
}

function renameTarget(path: string, value: unknown): string {
  if (typeof value !== 'string') throw badValue("The 'to' field for $rename must be a string");
  if ([path, value].some((name) => name.split('.').some(isPositional)))
    throw badValue('The source and the target field of $rename may not be dynamic');
  return value;
}

function checkedPath(path: string): string[] {
  const parts = path.split('.');
  parts.forEach((part, index) => {
    if (part === '')
      throw new StoreError(
        'EmptyFieldName',
        `The update path '${path}' contains an empty field name, which is not allowed.`,
      );
    if (part.startsWith('$') && !/^\$(\[\w*\])?$/.test(part)) {
      throw new StoreError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${part}' in '${path}' is not allowed in the context of an update's replacement document.`,
      );
    }
    if (index === 0 && part.startsWith('$'))
      throw badValue(`Cannot have positional (i.e. '${part}') element in the first position in path '${path}'`);
  });
  return parts;
}

/** Two changes of one path, or of a path and something inside it, have no defined order. */
function assertNoConflicts(paths: string[][]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const whole = path.join('.');
    for (let length = 1; length <= path.length; length++) {
      const prefix = path.slice(0, length).join('.');
      if (seen.get(prefix) === prefix || (length === path.length && seen.has(prefix))) {
        throw new StoreError(
          'ConflictingUpdateOperators',
          `Updating the path '${whole}' would create a conflict at '${prefix}'`,
        );
      }
    }
    for (let length = 1; length < path.length; length++)
      seen.set(path.slice(0, length).join('.'), seen.get(path.slice(0, length).join('.')) ?? '');
    seen.set(whole, whole);
  }
}

/** New fields appear in the order of their names, numbers by value, as MongoDB 5 and later adds them. */
function comparePaths(a: string[], b: string[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [x, y] = [a[i] as string, b[i] as string];
    if (x === y) continue;
    if (isIndexPart(x) && isIndexPart(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return a.length - b.length;
}

/** Applies a parsed update to a decoded document in place. */
export function applyOperators(doc: Doc, update: OperatorUpdate, positions: Positions, inserting: boolean): void {
  const changes = update.changes.filter(({ operator }) => inserting || operator !== '$setOnInsert');
  const resolved = withoutPositions(doc, changes, positions);
  const renamed = new Map<string, unknown>();
  for (const { operator, path, argument } of resolved) {
    if (operator === '$rename') renamed.set(path.join('.'), takeForRename(doc, path, argument as string));
  }
  for (const { operator, path } of resolved) {
    if (operator === '$rename') unsetAt(doc, path);
  }
  for (const { operator, path, argument } of resolved) {
    if (operator === '$rename') continue;
    if (operator === '$renameTarget') {
      const value = renamed.get(argument as string);
      if (value !== undefined) setAt(doc, path, value);
      continue;
    }
    applyOne(doc, operator, path, argument);
  }
}

/** The changes with concrete paths. All positions are those of the document as it was before any of the changes. */
function withoutPositions(doc: Doc, changes: Change[], positions: Positions): Change[] {
  const resolved = changes.flatMap((change) =>
    resolvePositions(doc, change.path, positions).map((path) => ({ ...change, path })),
  );
  if (changes.some(({ path }) => path.some(isPositional))) assertNoConflicts(resolved.map(({ path }) => path));
  return resolved;
}

function takeForRename(doc: Doc, path: string[], to: string): unknown {
  for (const parts of [path, to.split('.')]) {
    for (let length = 1; length < parts.length; length++) {
      if (Array.isArray(getAt(doc, parts.slice(0, length))))
        throw badValue('The source and target field of $rename cannot be an array element');
    }
  }
  return getAt(doc, path);
}

function applyOne(doc: Doc, operator: string, path: string[], argument: unknown): void {
  const name = path.join('.');
  const current = getAt(doc, path);
  switch (operator) {
    case '$set':
    case '$setOnInsert':
      return setAt(doc, path, argument);
    case '$unset':
      return unsetAt(doc, path);
    case '$inc':
    case '$mul':
      return setAt(doc, path, calculate(operator, current, argument, name));
    case '$min':
    case '$max': {
      const order = current === undefined ? 0 : compareValues(argument, current);
      if (current === undefined || (operator === '$min' ? order < 0 : order > 0)) setAt(doc, path, argument);
      return;
    }
    case '$currentDate':
      return setAt(doc, path, currentDate(argument));
    case '$bit':
      return setAt(doc, path, bitwise(current, argument, name));
    default: {
      const change = ARRAY_OPERATORS[operator]?.(current, argument, name);
      if (change !== undefined) setAt(doc, path, change);
    }
  }
}

function calculate(operator: string, current: unknown, argument: unknown, name: string): unknown {
  const verb = operator === '$inc' ? 'increment' : 'multiply';
  if (!isNumeric(argument)) throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${name}: ...}`);
  if (current !== undefined && !isNumeric(current)) {
    throw typeMismatch(`Cannot apply ${operator} to a value of non-numeric type. The field '${name}' has another type`);
  }
  if (current === undefined) return operator === '$inc' ? argument : arithmetic('multiply', argument, new Int32(0));
  return arithmetic(operator === '$inc' ? 'add' : 'multiply', current, argument);
}

function currentDate(argument: unknown): unknown {
  if (argument === true || (isDoc(argument) && argument.$type === 'date')) return new Date();
  if (isDoc(argument) && argument.$type === 'timestamp')
    return new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
  throw badValue("$currentDate takes true, {$type: 'date'} or {$type: 'timestamp'}");
}

function bitwise(current: unknown, argument: unknown, name: string): unknown {
  if (!isDoc(argument) || Object.keys(argument).length === 0)
    throw badValue(`The $bit modifier needs a document {field: {and|or|xor: #}} for '${name}'`);
  if (current !== undefined && !(current instanceof Int32) && !(current instanceof Long)) {
    throw badValue(`Cannot apply $bit to a value of non-integral type in '${name}'`);
  }
  let result = current instanceof Long ? current.toBigInt() : BigInt(current?.value ?? 0);
  let long = current instanceof Long;
  for (const [operator, operand] of Object.entries(argument)) {
    if (!(operand instanceof Int32) && !(operand instanceof Long))
      throw badValue('The $bit modifier field must be an Integer(32/64 bit)');
    const bits = operand instanceof Long ? operand.toBigInt() : BigInt(operand.value);
    long ||= operand instanceof Long;
    if (operator === 'and') result &= bits;
    else if (operator === 'or') result |= bits;
    else if (operator === 'xor') result ^= bits;
    else throw badValue(`The $bit modifier only supports 'and', 'or', and 'xor', not '${operator}'`);
  }
  return long ? Long.fromBigInt(result) : new Int32(Number(result));
}
