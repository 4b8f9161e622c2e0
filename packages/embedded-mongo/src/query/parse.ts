import { BSONRegExp, type Binary, type BSONSymbol, Long } from 'bson';
import { isDoc, toInteger, type Doc } from '../bson/codec.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { isTrue, KIND, kindOf, typeCode } from '../bson/values.js';
import { badValue, BY_GEOHASH, BY_REGEX, failedToParse, notSupported } from '../errors.js';
import { compileExpression } from '../expressions/expressions.js';
import type { CompareOp, Node, RegexCondition } from './ast.js';
import { compileRegex } from '../bson/regex.js';

const COMPARE: Record<string, CompareOp> = { $eq: 'eq', $lt: 'lt', $lte: 'lte', $gt: 'gt', $gte: 'gte' };

/** Parses a filter; an operator that is not known is refused by name. `variables` are those of a command's `let`. */
export function parseFilter(filter: unknown, variables: Doc = {}): Node {
  if (filter === undefined) return { type: 'and', nodes: [] };
  if (!isDoc(filter)) throw badValue('a filter must be a document');
  const nodes: Node[] = [];
  for (const [key, value] of Object.entries(filter)) {
    if (key.startsWith('$')) nodes.push(...parseTop(key, value, variables));
    else nodes.push(...parseField(key.split('.'), value, variables));
  }
  return nodes.length === 1 ? (nodes[0] as Node) : { type: 'and', nodes };
}

function parseTop(key: string, value: unknown, variables: Doc): Node[] {
  switch (key) {
    case '$and':
    case '$or':
    case '$nor': {
      if (!Array.isArray(value) || value.length === 0) throw badValue(`${key} argument must be a non-empty array`);
      const nodes = value.map((item) => {
        if (!isDoc(item)) throw badValue(`${key} argument's entries must be objects`);
        return parseFilter(item, variables);
      });
      if (key === '$or' && nodes.length === 1) return nodes;
      return [{ type: key.slice(1) as 'and' | 'or' | 'nor', nodes }];
    }
    case '$expr': {
      const expression = compileExpression(value);
      return [{ type: 'expr', test: (doc) => isTrue(expression({ root: doc, variables })) }];
    }
    case '$comment':
      return [];
    case '$text':
      throw notSupported(key, BY_REGEX);
    case '$where':
      throw notSupported(key, 'use $expr with the operators of expressions');
    case '$jsonSchema':
      throw notSupported(key, 'use $type and $exists for each field');
    case '$sampleRate':
      throw notSupported(key, 'use the stage $sample');
    default:
      throw badValue(
        `unknown top level operator: ${key}. If you have a field name that starts with a '$' symbol, use $getField or rename it.`,
      );
  }
}

const isOperatorDoc = (value: unknown): value is Doc =>
  isDoc(value) && (Object.keys(value)[0] ?? '').startsWith('$') && !isReference(value);

/** `{$ref, $id}` documents are values, not operators. */
const isReference = (value: Doc): boolean => '$ref' in value || '$id' in value;

function parseField(path: string[], value: unknown, variables: Doc): Node[] {
  if (value instanceof BSONRegExp) return [{ type: 'regex', path, regex: regexOf(value) }];
  if (!isOperatorDoc(value)) return [{ type: 'compare', op: 'eq', path, value: operand(value) }];
  return Object.entries(value).flatMap(([operator, argument]) =>
    parseOperator(path, operator, argument, value, variables),
  );
}

/** The deprecated BSON type undefined has no place in a comparison. */
function operand(value: unknown): unknown {
  if (value === undefined) throw badValue('cannot compare to undefined');
  return value;
}

function parseOperator(path: string[], operator: string, argument: unknown, siblings: Doc, variables: Doc): Node[] {
  const compare = COMPARE[operator];
  if (compare) {
    if (argument instanceof BSONRegExp && compare !== 'eq')
      throw badValue(`Can't have RegEx as arg to predicate over field '${path.join('.')}'.`);
    return [{ type: 'compare', op: compare, path, value: operand(argument) }];
  }
  switch (operator) {
    case '$ne':
      if (argument instanceof BSONRegExp) throw badValue("Can't have regex as arg to $ne.");
      return [{ type: 'not', node: { type: 'compare', op: 'eq', path, value: operand(argument) } }];
    case '$in':
      return [parseIn(path, argument, '$in')];
    case '$nin':
      return [{ type: 'not', node: parseIn(path, argument, '$nin') }];
    case '$exists':
      return [isTrue(argument) ? { type: 'exists', path } : { type: 'not', node: { type: 'exists', path } }];
    case '$type':
      return [parseType(path, argument)];
    case '$regex':
      return [parseRegex(path, argument, siblings.$options)];
    case '$options':
      if (!('$regex' in siblings)) throw badValue('$options needs a $regex');
      return [];
    case '$not':
      return [{ type: 'not', node: parseNot(path, argument, variables) }];
    case '$size':
      return [parseSize(path, argument)];
    case '$mod':
      return [parseMod(path, argument)];
    case '$all':
      return parseAll(path, argument, variables);
    case '$elemMatch':
      return [parseElemMatch(path, argument, variables)];
    case '$bitsAllSet':
    case '$bitsAnySet':
    case '$bitsAllClear':
    case '$bitsAnyClear':
      return [{ type: 'bits', path, how: operator, mask: bitMask(argument) }];
    case '$comment':
      return [];
    case '$geoWithin':
    case '$geoIntersects':
    case '$near':
    case '$nearSphere':
      throw notSupported(operator, BY_GEOHASH);
    default:
      throw badValue(`unknown operator: ${operator}`);
  }
}

function parseIn(path: string[], argument: unknown, name: string): Node {
  if (!Array.isArray(argument)) throw badValue(`${name} needs an array`);
  const regexes: RegexCondition[] = [];
  const values: unknown[] = [];
  for (const item of argument as unknown[]) {
    if (item instanceof BSONRegExp) regexes.push(regexOf(item));
    else if (isOperatorDoc(item)) throw badValue(`cannot nest $ under ${name}`);
    else values.push(operand(item));
  }
  return { type: 'in', path, values, regexes };
}

function parseType(path: string[], argument: unknown): Node {
  const list = Array.isArray(argument) ? (argument as unknown[]) : [argument];
  if (list.length === 0) throw failedToParse('$type must match at least one type');
  const codes = new Set<number>();
  for (const item of list) {
    if (item === 'number') [1, 16, 18, 19].forEach((code) => codes.add(code));
    else {
      const code = typeCode(item);
      if (code === undefined) throw badValue(`Unknown type name alias or code: ${String(item)}`);
      codes.add(code);
    }
  }
  return { type: 'kind', path, codes };
}

const regexOf = (source: BSONRegExp): RegexCondition => ({
  source,
  compiled: compileRegex(source.pattern, source.options),
});

function parseRegex(path: string[], argument: unknown, options: unknown): Node {
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  if (argument instanceof BSONRegExp) {
    if (options !== undefined && argument.options !== '') throw badValue('options set in both $regex and $options');
    return { type: 'regex', path, regex: regexOf(new BSONRegExp(argument.pattern, options ?? argument.options)) };
  }
  if (typeof argument !== 'string') throw badValue('$regex has to be a string');
  // the flags are checked before the class sees them, which sorts and accepts any
  compileRegex(argument, options ?? '');
  return { type: 'regex', path, regex: regexOf(new BSONRegExp(argument, options ?? '')) };
}

function parseNot(path: string[], argument: unknown, variables: Doc): Node {
  if (argument instanceof BSONRegExp) return { type: 'regex', path, regex: regexOf(argument) };
  if (!isDoc(argument) || Object.keys(argument).length === 0) throw badValue('$not needs a regex or a document');
  if (!isOperatorDoc(argument)) throw badValue('$not cannot be used with a plain value; use $ne');
  return { type: 'and', nodes: parseField(path, argument, variables) };
}

function parseSize(path: string[], argument: unknown): Node {
  const size = isNumeric(argument) ? toInteger(argument, '$size') : Number.NaN;
  if (!(size >= 0)) throw failedToParse('$size must be a whole number that is not negative');
  return { type: 'size', path, size };
}

function parseMod(path: string[], argument: unknown): Node {
  if (!Array.isArray(argument) || argument.length !== 2) throw badValue('malformed mod, needs an array of two numbers');
  const [divisor, remainder] = (argument as unknown[]).map((item) => {
    if (!isNumeric(item)) throw badValue('malformed mod, divisor and remainder must be numbers');
    const number = numberOf(item);
    if (number === undefined) throw notSupported('$mod with a Decimal128');
    if (typeof number === 'number' && !Number.isFinite(number))
      throw badValue('malformed mod, divisor and remainder must be finite');
    return typeof number === 'bigint' ? number : BigInt(Math.trunc(number));
  }) as [bigint, bigint];
  if (divisor === 0n) throw badValue('divisor cannot be 0');
  return { type: 'mod', path, divisor, remainder };
}

function parseAll(path: string[], argument: unknown, variables: Doc): Node[] {
  if (!Array.isArray(argument)) throw badValue('$all needs an array');
  if (argument.length === 0) return [{ type: 'or', nodes: [] }];
  return (argument as unknown[]).map((item) => {
    if (isDoc(item) && '$elemMatch' in item) return parseElemMatch(path, item.$elemMatch, variables);
    if (isOperatorDoc(item)) throw badValue('no $ expressions in $all');
    if (item instanceof BSONRegExp) return { type: 'regex', path, regex: regexOf(item) };
    return { type: 'compare', op: 'eq', path, value: operand(item) };
  });
}

const LOGICAL = new Set(['$and', '$or', '$nor', '$expr', '$comment', '$where', '$text', '$jsonSchema']);

function parseElemMatch(path: string[], argument: unknown, variables: Doc): Node {
  if (!isDoc(argument)) throw badValue('$elemMatch needs an Object');
  const values = isOperatorDoc(argument) && !LOGICAL.has(Object.keys(argument)[0] as string);
  // a value condition is matched against `{value: element}` through a one-part path that no array can be entered by
  const node: Node = values
    ? { type: 'and', nodes: parseField([''], argument, variables) }
    : parseFilter(argument, variables);
  return { type: 'elemMatch', path, node, values };
}

function bitMask(argument: unknown): bigint {
  if (Array.isArray(argument)) {
    return (argument as unknown[]).reduce<bigint>((mask, position) => {
      const bit = toInteger(position, 'bit position');
      if (bit < 0) throw badValue('bit positions must not be negative');
      return mask | (1n << BigInt(bit));
    }, 0n);
  }
  if (isNumeric(argument)) {
    const mask = argument instanceof Long ? argument.toBigInt() : BigInt(toInteger(argument, 'bit mask'));
    if (mask < 0n) throw badValue('bit masks must not be negative');
    return mask;
  }
  if (kindOf(argument) === KIND.Binary) throw notSupported('a binary bit mask');
  throw badValue(`a bit mask must be a number or positions, not ${typeof (argument as BSONSymbol | Binary)}`);
}
