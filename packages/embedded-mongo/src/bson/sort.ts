import { isDoc, type Doc } from './codec.js';
import { CollatedKey, type Collation } from './collation.js';
import { encodeWhole } from './keys.js';
import { isNumeric, numberOf } from './numbers.js';
import { badValue, notSupported, StoreError } from '../errors.js';
import { rowsAtPaths } from './paths.js';

/** Requested order: dotted paths and directions. */
export type SortSpec = { path: string[]; direction: number }[];

export function parseSort(spec: unknown): SortSpec {
  if (spec === undefined || spec === null) return [];
  if (!isDoc(spec)) throw new StoreError('TypeMismatch', 'a sort must be a document');
  return Object.entries(spec).map(([path, value]) => {
    if (isDoc(value) && '$meta' in value) throw notSupported('$meta');
    const direction = isNumeric(value) ? Number(numberOf(value)) : 0;
    if (direction !== 1 && direction !== -1)
      throw badValue('a sort direction must be 1 (for ascending) or -1 (for descending)');
    if (path.split('.').some((part) => part === '')) throw badValue('FieldPath field names may not be empty strings.');
    return { path: path.split('.'), direction };
  });
}

/**
 * A byte string per document whose order is the requested one. An array counts with its smallest element, or its greatest where the
 * order descends; several fields inside one array are taken from the same element.
 */
export function sortKey(doc: Doc, spec: SortSpec): Buffer {
  const directions = spec.map(({ direction }) => direction);
  return rowsOf(doc, spec)
    .map((row) => encodeWhole(row, directions))
    .reduce((best, key) => (key.compare(best) < 0 ? key : best));
}

/** The same with texts ordered by the rules of a language. */
export function collatedKey(doc: Doc, spec: SortSpec, collation: Collation): CollatedKey {
  const directions = spec.map(({ direction }) => direction);
  return rowsOf(doc, spec)
    .map((row) => new CollatedKey(row, directions, collation, encodeWhole(row, directions).length))
    .reduce((best, key) => (key.compare(best) < 0 ? key : best));
}

function rowsOf(doc: Doc, spec: SortSpec): unknown[][] {
  const found = rowsAtPaths(
    doc,
    spec.map(({ path }) => path),
  );
  if (found === 'parallel') throw badValue('cannot sort with keys that are parallel arrays');
  return found.rows;
}
