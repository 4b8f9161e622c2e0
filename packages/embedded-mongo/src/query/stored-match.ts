import { Decimal128, MaxKey, MinKey } from 'bson';
import { FieldLocator, MISSING, Place, resolve, someItem, THROUGH_ARRAY } from '../bson/fields.js';
import { compareStored, encodeWhole } from '../bson/keys.js';
import { numberOf } from '../bson/numbers.js';
import { isIndexPart } from '../bson/paths.js';
import { KIND, kindOf } from '../bson/values.js';
import { fieldsOf, type CompareOp, type Leaf, type Node } from './ast.js';

/** A test of a stored document; undefined if the document has to be decoded for an answer. */
export type StoredTest = (raw: Buffer) => boolean | undefined;

type Verdict = boolean | undefined;
export type Part = (raw: Buffer, located: FieldLocator) => Verdict;

/** Turns a filter into a test of stored bytes; undefined for a filter that no part of can be answered from them. */
export function compileStored(filter: Node): StoredTest | undefined {
  const fields = fieldsOf(filter);
  if (!fields || fields.size === 0) return undefined;
  const located = new FieldLocator([...fields]);
  const part = compilePart(filter, located.names);
  if (!part) return undefined;
  return (raw) => {
    located.locate(raw);
    return part(raw, located);
  };
}

/** The same for documents in which a locator with these names has found the fields. */
export function compilePart(node: Node, names: readonly string[]): Part | undefined {
  switch (node.type) {
    case 'and':
      return every(node.nodes.map((inner) => compilePart(inner, names)));
    case 'or':
      return some(node.nodes.map((inner) => compilePart(inner, names)));
    case 'nor':
      return negated(some(node.nodes.map((inner) => compilePart(inner, names))));
    case 'not':
      return negated(compilePart(node.node, names));
    case 'compare':
      return isScalar(node.value) && !node.collation
        ? leaf(node.path, names, comparison(node.op, node.value))
        : undefined;
    case 'in':
      return !node.collation &&
        node.regexes.length === 0 &&
        node.values.length <= MAX_VALUES &&
        node.values.every(isScalar)
        ? leaf(node.path, names, membership(node))
        : undefined;
    case 'exists':
      return leaf(node.path, names, exists);
    default:
      return undefined;
  }
}

function every(parts: (Part | undefined)[]): Part | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (parts.length > 0 && known.length === 0) return undefined;
  const complete = known.length === parts.length;
  return (raw, located) => {
    let verdict: Verdict = complete ? true : undefined;
    for (const part of known) {
      const one = part(raw, located);
      if (one === false) return false;
      if (one === undefined) verdict = undefined;
    }
    return verdict;
  };
}

function some(parts: (Part | undefined)[]): Part | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (parts.length > 0 && known.length === 0) return undefined;
  const complete = known.length === parts.length;
  return (raw, located) => {
    let verdict: Verdict = complete ? false : undefined;
    for (const part of known) {
      const one = part(raw, located);
      if (one === true) return true;
      if (one === undefined) verdict = undefined;
    }
    return verdict;
  };
}

function negated(part: Part | undefined): Part | undefined {
  if (!part) return undefined;
  return (raw, located) => {
    const verdict = part(raw, located);
    return verdict === undefined ? undefined : !verdict;
  };
}

/** A longer list is looked up in a set of decoded values. */
const MAX_VALUES = 16;

type ValueTest = (type: number, raw: Buffer, at: number) => Verdict;

function leaf(path: string[], names: readonly string[], test: ValueTest): Part {
  const slot = names.indexOf(path[0] as string);
  const parts = path.map((part) => Buffer.from(part));
  const place = new Place();
  const [, inItems] = path.length === 2 && !isIndexPart(path[1] as string) ? parts : [];
  return (raw, located) => {
    resolve(raw, located, slot, parts, place);
    if (place.type !== THROUGH_ARRAY) return test(place.type, raw, place.at);
    return inItems && amongItems(raw, inItems, place, test);
  };
}

/** Of a field of the documents in an array: true if it holds for one of them. */
function amongItems(raw: Buffer, name: Buffer, place: Place, test: ValueTest): Verdict {
  let isKnown = true;
  const holds = someItem(raw, place.at, name, place, () => {
    const verdict = test(place.type, raw, place.at);
    isKnown &&= verdict !== undefined;
    return verdict === true;
  });
  return isKnown || holds ? holds : undefined;
}

/** Values of one kind that a key can hold in full, so that comparing keys compares the values. */
function isScalar(value: unknown): boolean {
  if (value instanceof Decimal128 || value instanceof MinKey || value instanceof MaxKey) return false;
  const kind = kindOf(value);
  if (kind === KIND.Number) return !Number.isNaN(Number(numberOf(value)));
  return SCALAR_KINDS.has(kind);
}

const SCALAR_KINDS = new Set<number>([KIND.Null, KIND.String, KIND.ObjectId, KIND.Boolean, KIND.Date]);
const DOCUMENT_TYPE = 0x03;
const DOUBLE_TYPE = 0x01;

const HOLDS: Record<CompareOp, (order: number) => boolean> = {
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

/** The kind of a stored scalar, or undefined for types that are left to the decoder. */
const KIND_OF_TYPE: Record<number, number> = {
  0x01: KIND.Number,
  0x02: KIND.String,
  0x03: KIND.Object,
  0x07: KIND.ObjectId,
  0x08: KIND.Boolean,
  0x09: KIND.Date,
  0x0a: KIND.Null,
  0x10: KIND.Number,
  0x12: KIND.Number,
};

function comparison(op: CompareOp, operand: unknown): ValueTest {
  const kind = kindOf(operand);
  const encoded = encodeWhole([operand], [1]);
  const holds = HOLDS[op];
  const matchesNull = kind === KIND.Null && (op === 'eq' || op === 'lte' || op === 'gte');
  return (type, raw, at) => {
    if (type === MISSING) return matchesNull;
    const stored = KIND_OF_TYPE[type];
    if (stored === undefined) return undefined;
    if (stored !== kind) return false;
    if (kind === KIND.Null) return matchesNull;
    // no comparison with a number holds for NaN, which is the lowest key of all numbers
    if (type === DOUBLE_TYPE && Number.isNaN(raw.readDoubleLE(at))) return false;
    const order = compareStored(type, raw, at, encoded);
    return order === undefined ? undefined : holds(order);
  };
}

function membership({ values }: Leaf & { type: 'in' }): ValueTest {
  const withNull = values.some((value) => value === null);
  const encoded = values.map((value) => encodeWhole([value], [1]));
  const kinds = new Set(values.map(kindOf));
  return (type, raw, at) => {
    if (type === MISSING) return withNull;
    const stored = KIND_OF_TYPE[type];
    if (stored === undefined) return undefined;
    if (type === DOCUMENT_TYPE || !kinds.has(stored)) return false;
    for (const key of encoded) {
      const order = compareStored(type, raw, at, key);
      if (order === undefined) return undefined;
      if (order === 0) return true;
    }
    return false;
  };
}

/** A field that holds the deprecated type `undefined` counts as missing once it is decoded. */
const UNDEFINED_TYPE = 0x06;

const exists: ValueTest = (type) => (type === UNDEFINED_TYPE ? undefined : type !== MISSING);
