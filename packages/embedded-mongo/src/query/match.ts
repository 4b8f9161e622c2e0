import { Binary, BSONRegExp, Decimal128, Double, ObjectId } from 'bson';
import { isDoc, type Doc } from '../bson/codec.js';
import { isNumeric, numberOf, truncated } from '../bson/numbers.js';
import { compareValues, equalValues, KIND, kindOf, textOf, typeCode, typeName } from '../bson/values.js';
import { notSupported } from '../errors.js';
import type { Collation } from '../bson/collation.js';
import type { CompareOp, Leaf, Node, RegexCondition } from './ast.js';
import { someAtPath } from '../bson/paths.js';

export type Predicate = (doc: Doc) => boolean;

/** Turns a parsed filter into a test of decoded documents. */
export function compile(node: Node): Predicate {
  switch (node.type) {
    case 'and': {
      const tests = node.nodes.map(compile);
      return (doc) => tests.every((test) => test(doc));
    }
    case 'or': {
      const tests = node.nodes.map(compile);
      return (doc) => tests.some((test) => test(doc));
    }
    case 'nor': {
      const tests = node.nodes.map(compile);
      return (doc) => !tests.some((test) => test(doc));
    }
    case 'not': {
      const test = compile(node.node);
      return (doc) => !test(doc);
    }
    case 'expr':
      return node.test;
    case 'size':
    case 'elemMatch': {
      const test = valueTest(node);
      return (doc) => someAtPath(doc, node.path, test, false);
    }
    default: {
      const test = valueTest(node);
      return (doc) => someAtPath(doc, node.path, test);
    }
  }
}

/** The test that one element of an array must pass for `$elemMatch`. */
export function elementTest(leaf: Leaf & { type: 'elemMatch' }): (item: unknown) => boolean {
  const test = compile(leaf.node);
  if (leaf.values) return (item) => test({ '': Array.isArray(item) ? new Opaque(item) : item });
  return (item) => (isDoc(item) ? test(item) : Array.isArray(item) && test(Object.fromEntries(item.entries())));
}

/** Keeps an array element from being entered: `$elemMatch: {$gt: 1}` looks at the elements themselves only. */
class Opaque {
  constructor(readonly items: unknown[]) {}

  get _bsontype(): string {
    return 'Opaque';
  }
}

const opened = (value: unknown): unknown => (value instanceof Opaque ? value.items : value);

/** The test that one value reached by the leaf's path must pass. */
export function valueTest(leaf: Leaf): (value: unknown) => boolean {
  switch (leaf.type) {
    case 'compare':
      return comparison(leaf.op, leaf.value, leaf.collation);
    case 'in':
      return leaf.collation ? collatedMembership(leaf, leaf.collation) : membership(leaf.values, leaf.regexes);
    case 'regex':
      return (value) => matchesRegex(value, leaf.regex);
    case 'exists':
      return (value) => value !== undefined;
    case 'kind':
      return (value) => value !== undefined && leaf.codes.has(typeCode(typeName(opened(value))) ?? 0);
    case 'mod':
      return (value) => isModulo(value, leaf.divisor, leaf.remainder);
    case 'bits':
      return (value) => hasBits(value, leaf.mask, leaf.how);
    case 'size':
      return (value) => Array.isArray(opened(value)) && (opened(value) as unknown[]).length === leaf.size;
    case 'elemMatch': {
      const test = elementTest(leaf);
      return (value) => Array.isArray(opened(value)) && (opened(value) as unknown[]).some(test);
    }
  }
}

function comparison(op: CompareOp, operand: unknown, collation?: Collation): (value: unknown) => boolean {
  const kind = kindOf(operand);
  if (kind === KIND.Null) {
    const matches = op === 'eq' || op === 'lte' || op === 'gte';
    return (value) => matches && (value === null || value === undefined);
  }
  const everything = kind === KIND.MinKey || kind === KIND.MaxKey;
  const holds = ORDER_TEST[op];
  const nan = kind === KIND.Number && Number.isNaN(Number(numberOf(operand) ?? 0));
  return (reached) => {
    // every value, a missing one included, lies between the smallest and the greatest key
    if (reached === undefined) return everything && op !== 'eq' && op.startsWith(kind === KIND.MinKey ? 'gt' : 'lt');
    const value = opened(reached);
    if (everything) return op === 'eq' ? kindOf(value) === kind : holds(compareValues(value, operand));
    if (kindOf(value) !== kind) return false;
    if (kind === KIND.Number && op !== 'eq') {
      const valueNan = Number.isNaN(Number(numberOf(value) ?? 0));
      if (nan || valueNan) return nan && valueNan && (op === 'lte' || op === 'gte');
    }
    return holds(compareValues(value, operand, collation?.compare));
  };
}

const ORDER_TEST: Record<CompareOp, (order: number) => boolean> = {
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

function collatedMembership(
  { values, regexes }: Leaf & { type: 'in' },
  { compare }: Collation,
): (value: unknown) => boolean {
  return (reached) => {
    const value = opened(reached) ?? null;
    return (
      values.some((item) => compareValues(item, value, compare) === 0) ||
      regexes.some((regex) => matchesRegex(value ?? undefined, regex))
    );
  };
}

/** From so many values on, a look-up by key beats comparing one by one. */
const MANY = 16;

function membership(values: unknown[], regexes: RegexCondition[]): (value: unknown) => boolean {
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const rest = values.filter((value) => typeof value !== 'string');
  const missing = rest.some((value) => value === null);
  const keys =
    rest.length > MANY && rest.every((value) => value instanceof ObjectId) ? new Set(rest.map(String)) : undefined;
  const among = (value: unknown): boolean =>
    keys ? value instanceof ObjectId && keys.has(value.toHexString()) : rest.some((item) => equalValues(item, value));
  return (reached) => {
    if (reached === undefined || reached === null) return missing;
    const value = opened(reached);
    if (typeof value === 'string') return texts.has(value) || regexes.some((regex) => matchesRegex(value, regex));
    return among(value) || regexes.some((regex) => matchesRegex(value, regex));
  };
}

function matchesRegex(value: unknown, { source, compiled }: RegexCondition): boolean {
  if (value instanceof BSONRegExp) return value.pattern === source.pattern && value.options === source.options;
  return value !== undefined && kindOfText(value) && compiled.test(textOf(value));
}

const kindOfText = (value: unknown): boolean =>
  typeof value === 'string' || (value as { _bsontype?: unknown } | null)?._bsontype === 'BSONSymbol';

function integerOf(value: unknown): bigint | undefined {
  if (!isNumeric(value)) return undefined;
  const number = numberOf(value);
  if (number === undefined) return truncated(value as Decimal128);
  if (typeof number === 'bigint') return number;
  return Number.isFinite(number) ? BigInt(Math.trunc(number)) : undefined;
}

function isModulo(value: unknown, divisor: bigint, remainder: bigint): boolean {
  const integer = integerOf(value);
  return integer !== undefined && integer % divisor === remainder;
}

/** The bits of an integer, or of a byte string from its first byte on; no other value has any. */
function bitsOf(value: unknown): bigint | undefined {
  if (value instanceof Binary) return BigInt(`0x00${Buffer.from(value.value()).reverse().toString('hex')}`);
  if (value instanceof Decimal128) throw notSupported('a bit test of a Decimal128');
  const integer = integerOf(value);
  if (integer === undefined || integer < -(2n ** 63n) || integer >= 2n ** 63n) return undefined;
  return value instanceof Double && !Number.isInteger(value.value) ? undefined : integer;
}

function hasBits(value: unknown, mask: bigint, how: string): boolean {
  const stored = bitsOf(value);
  if (stored === undefined) return false;
  const bits = stored & mask;
  if (how === '$bitsAllSet') return bits === mask;
  if (how === '$bitsAnySet') return bits !== 0n;
  if (how === '$bitsAllClear') return bits === 0n;
  return bits !== mask;
}
