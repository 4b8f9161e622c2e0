import { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'bson';
import { isDoc, type Doc } from './codec.js';
import { compareNumbers, isNumeric, numberOf } from './numbers.js';

/** Canonical type order of BSON comparison; the numbers are also the type bytes of index keys. */
export const KIND = {
  MinKey: 1,
  Undefined: 3,
  Null: 10,
  Number: 20,
  String: 30,
  Object: 40,
  Array: 50,
  Binary: 60,
  ObjectId: 70,
  Boolean: 80,
  Date: 90,
  Timestamp: 100,
  RegExp: 110,
  Code: 120,
  CodeWithScope: 130,
  MaxKey: 240,
} as const;

const BY_BSONTYPE: Record<string, number> = {
  Int32: KIND.Number,
  Double: KIND.Number,
  Long: KIND.Number,
  Decimal128: KIND.Number,
  ObjectId: KIND.ObjectId,
  Binary: KIND.Binary,
  Timestamp: KIND.Timestamp,
  BSONRegExp: KIND.RegExp,
  BSONSymbol: KIND.String,
  MinKey: KIND.MinKey,
  MaxKey: KIND.MaxKey,
};

/** The canonical kind of a decoded value; `undefined` stands for a missing field. */
export function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return KIND.String;
    case 'boolean':
      return KIND.Boolean;
    case 'number':
    case 'bigint':
      return KIND.Number;
    case 'undefined':
      return KIND.Undefined;
  }
  if (value === null) return KIND.Null;
  if (Array.isArray(value)) return KIND.Array;
  if (value instanceof Date) return KIND.Date;
  if (value instanceof Code) return value.scope ? KIND.CodeWithScope : KIND.Code;
  if (isDoc(value)) return KIND.Object;
  const kind = BY_BSONTYPE[(value as { _bsontype: string })._bsontype];
  if (kind === undefined) throw new TypeError('unknown BSON value');
  return kind;
}

export const isNullish = (value: unknown): boolean => value === null || value === undefined;

/** What counts as true in expressions, options and projections: everything but false, null, a missing value and zero. */
export const isTrue = (value: unknown): boolean =>
  isNumeric(value) ? Number(numberOf(value) ?? 1) !== 0 : value !== false && !isNullish(value);

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (value as { value: string }).value;

/**
 * Total order of BSON values, as MongoDB sorts: by kind, then by value.
 *
 * @param text how texts compare
 */
export function compareValues(a: unknown, b: unknown, text = compareText): number {
  const kind = kindOf(a);
  const other = kindOf(b);
  if (kind !== other) return kind - other;
  switch (kind) {
    case KIND.Number:
      return compareNumbers(a, b);
    case KIND.String:
      return text(textOf(a), textOf(b));
    case KIND.Object:
      return compareDocs(a as Doc, b as Doc, text);
    case KIND.Array:
      return compareArrays(a as unknown[], b as unknown[], text);
    case KIND.Boolean:
      return Number(a) - Number(b);
    case KIND.Date:
      return compareNumbers((a as Date).getTime(), (b as Date).getTime());
    case KIND.ObjectId:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case KIND.Binary:
      return compareBinary(a as Binary, b as Binary);
    case KIND.Timestamp:
      return (a as Timestamp).compare(b as Timestamp);
    case KIND.RegExp:
      return compareText(regexText(a as BSONRegExp), regexText(b as BSONRegExp));
    case KIND.Code:
    case KIND.CodeWithScope:
      return (
        compareText((a as Code).code, (b as Code).code) || compareDocs((a as Code).scope ?? {}, (b as Code).scope ?? {})
      );
    default:
      return 0;
  }
}

const regexText = (regex: BSONRegExp): string => `${regex.pattern}\0${regex.options}`;

/** Strings are ordered by their UTF-8 bytes, which differs from JavaScript's order beyond the basic plane. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  // eslint-disable-next-line no-control-regex -- plain ASCII on both sides is the common case and needs no encoding
  const ascii = /^[\x00-\x7f]*$/;
  if (ascii.test(a) && ascii.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function compareBinary(a: Binary, b: Binary): number {
  return a.length() - b.length() || a.sub_type - b.sub_type || Buffer.compare(a.value(), b.value());
}

/** Field by field in stored order: kind of the value, then name, then value; so `{a:1,b:2}` differs from `{b:2,a:1}`. */
function compareDocs(a: Doc, b: Doc, text = compareText): number {
  const left = Object.entries(a);
  const right = Object.entries(b);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const [nameA, valueA] = left[i] as [string, unknown];
    const [nameB, valueB] = right[i] as [string, unknown];
    const order = kindOf(valueA) - kindOf(valueB) || compareText(nameA, nameB) || compareValues(valueA, valueB, text);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareArrays(a: unknown[], b: unknown[], text: typeof compareText): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareValues(a[i], b[i], text);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

export const equalValues = (a: unknown, b: unknown): boolean => compareValues(a, b) === 0;

const TYPE_ALIASES: Record<string, number> = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
};
const ALIAS_OF = new Map(Object.entries(TYPE_ALIASES).map(([alias, code]) => [code, alias]));

/** The type code of a `$type` operand, or undefined when there is no such type. `number` is handled by the caller. */
export function typeCode(alias: unknown): number | undefined {
  if (typeof alias === 'string') return TYPE_ALIASES[alias];
  const code = isNumeric(alias) ? Number(alias) : Number.NaN;
  return ALIAS_OF.has(code) ? code : undefined;
}

/** The BSON type name of a value (`int`, `objectId`, ...), as `$type` in an expression gives it. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value instanceof Int32) return 'int';
  if (value instanceof Long && !(value instanceof Timestamp)) return 'long';
  if (value instanceof Double) return 'double';
  if (value instanceof Decimal128) return 'decimal';
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) <= 0x7fffffff ? 'int' : 'double';
  const names: Record<number, string> = {
    [KIND.Null]: 'null',
    [KIND.String]: typeof value === 'string' ? 'string' : 'symbol',
    [KIND.Object]: 'object',
    [KIND.Array]: 'array',
    [KIND.Binary]: 'binData',
    [KIND.ObjectId]: 'objectId',
    [KIND.Boolean]: 'bool',
    [KIND.Date]: 'date',
    [KIND.Timestamp]: 'timestamp',
    [KIND.RegExp]: 'regex',
    [KIND.Code]: 'javascript',
    [KIND.CodeWithScope]: 'javascriptWithScope',
    [KIND.MinKey]: 'minKey',
    [KIND.MaxKey]: 'maxKey',
    [KIND.Number]: 'long',
  };
  return names[kindOf(value)] ?? 'missing';
}
