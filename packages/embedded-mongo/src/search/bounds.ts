import { BSONRegExp } from 'bson';
import { after, AFTER_NUMBER, encodeFields } from '../bson/keys.js';
import { isNumeric, numberOf } from '../bson/numbers.js';
import { KIND, kindOf } from '../bson/values.js';
import type { CompareOp, Leaf, Node } from '../query/ast.js';
import { literalPrefix } from '../bson/regex.js';

/** Encoded values `v` with `start <= v < end`; `point` when that is one value. */
export interface Interval {
  start: Buffer;
  end: Buffer;
  point: boolean;
  /** A number in descending order: greater decimals that begin like it lie before it. */
  isNumber?: boolean;
}

/** What a condition says about one indexed field. `exact`: the condition holds for exactly the values inside. */
export interface FieldBounds {
  intervals: Interval[];
  exact: boolean;
}

interface FieldFacts {
  /** The field gives several entries for some documents. */
  multi: boolean;
  sparse: boolean;
  limit: number;
}

const kindStart = (kind: number): Buffer => Buffer.from([kind]);

function encoded(value: unknown, limit: number): { bytes: Buffer; shortened: boolean } {
  return encodeFields([value], [1], limit);
}

function point(value: unknown, limit: number): Interval {
  const { bytes } = encoded(value, limit);
  return { start: bytes, end: beyond(value, bytes), point: true };
}

/** The end of what an encoded value begins: what comes after a number itself may be a decimal that is greater. */
const beyond = (value: unknown, bytes: Buffer): Buffer =>
  isNumeric(value) ? Buffer.concat([bytes, Buffer.from([AFTER_NUMBER])]) : after(bytes);

/** Values that an index entry stands for exactly; arrays are spread over entries. */
const indexable = (value: unknown): boolean => !Array.isArray(value) && !(value instanceof BSONRegExp);

/** Bounds of one condition on an indexed field, or undefined when the index does not help with it. */
export function boundsOf(node: Node, facts: FieldFacts): FieldBounds | undefined {
  switch (node.type) {
    case 'compare':
      if (node.collation) return undefined;
      return compareBounds(node.op, node.value, facts);
    case 'in':
      if (node.collation) return undefined;
      return inBounds(node, facts);
    case 'regex': {
      const prefix = literalPrefix(node.regex.source);
      if (prefix === undefined || Buffer.byteLength(prefix) > 100) return undefined;
      const start = Buffer.concat([kindStart(KIND.String), Buffer.from(prefix)]);
      const regexes = { start: kindStart(KIND.RegExp), end: kindStart(KIND.RegExp + 1), point: false };
      return { intervals: [{ start, end: after(start), point: false }, regexes], exact: false };
    }
    case 'not':
      if (node.node.type !== 'exists' || facts.sparse) return undefined;
      return { intervals: [point(null, facts.limit)], exact: false };
    default:
      return undefined;
  }
}

function inBounds(leaf: Leaf & { type: 'in' }, facts: FieldFacts): FieldBounds | undefined {
  if (leaf.regexes.length > 0 || leaf.values.some((value) => !indexable(value))) return undefined;
  if (facts.sparse && leaf.values.some((value) => value === null)) return undefined;
  const points = leaf.values.map((value) => point(value, facts.limit));
  points.sort((a, b) => Buffer.compare(a.start, b.start));
  const intervals = points.filter(
    (interval, index) => index === 0 || !interval.start.equals((points[index - 1] as Interval).start),
  );
  return { intervals, exact: !facts.multi || !leaf.values.some((value) => value === null) };
}

function compareBounds(op: CompareOp, value: unknown, facts: FieldFacts): FieldBounds | undefined {
  if (!indexable(value)) return undefined;
  const kind = kindOf(value);
  if (kind === KIND.Null) {
    if (facts.sparse || op === 'lt' || op === 'gt') return undefined;
    return { intervals: [point(null, facts.limit)], exact: !facts.multi };
  }
  if (op === 'eq') return { intervals: [point(value, facts.limit)], exact: true };
  if (kind === KIND.MinKey || kind === KIND.MaxKey || kind === KIND.Array) return undefined;
  if (isNumeric(value) && Number.isNaN(Number(numberOf(value)))) return undefined;
  const { bytes, shortened } = encoded(value, facts.limit);
  // a shortened key keeps only its beginning in order: everything that begins like it may lie on either side
  const edge = shortened ? bytes.subarray(0, bytes.length - 32) : bytes;
  // NaN is the lowest number but no range contains it
  const lowest = kind === KIND.Number ? after(encoded(Number.NaN, facts.limit).bytes) : kindStart(kind);
  const inclusive = op === 'lte' || op === 'gte' || shortened;
  const interval =
    op === 'lt' || op === 'lte'
      ? { start: lowest, end: inclusive ? beyond(value, edge) : edge, point: false }
      : { start: inclusive ? edge : beyond(value, edge), end: kindStart(kind + 1), point: false };
  return { intervals: [interval], exact: !shortened };
}

/** Values that lie inside both; only right when the field has one value per document. */
export function intersect(a: FieldBounds, b: FieldBounds): FieldBounds {
  const intervals: Interval[] = [];
  for (const x of a.intervals) {
    for (const y of b.intervals) {
      const start = Buffer.compare(x.start, y.start) >= 0 ? x.start : y.start;
      const end = Buffer.compare(x.end, y.end) <= 0 ? x.end : y.end;
      if (Buffer.compare(start, end) < 0) intervals.push({ start, end, point: x.point || y.point });
    }
  }
  return { intervals, exact: a.exact && b.exact };
}

/** The same values for a field that is stored in descending order, where every byte is turned round. */
export function inverted(intervals: Interval[]): Interval[] {
  const flip = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => ~byte & 0xff));
  return intervals
    .map(({ start, end, point: single }) =>
      single
        ? { start: flip(start), end: after(flip(start)), point: true, isNumber: start[0] === KIND.Number }
        : { start: after(flip(end)), end: after(flip(start)), point: false },
    )
    .reverse();
}
