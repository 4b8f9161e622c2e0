import { toInteger } from '../bson/codec.js';
import { StoreError } from '../errors.js';
import { parseSort, type SortSpec } from '../bson/sort.js';

export function parseSortStage(argument: unknown): SortSpec {
  const sort = parseSort(argument);
  if (sort.length === 0)
    throw new StoreError('Location15976', '$sort stage must have at least one sort key', {}, 15976);
  return sort;
}

export function natural(argument: unknown, name: string): number {
  const number = toInteger(argument, name);
  if (number < 0)
    throw new StoreError('Location15956', `invalid argument to ${name} stage: must not be negative`, {}, 15956);
  return number;
}

export function positive(argument: unknown): number {
  const number = toInteger(argument, '$limit');
  if (number <= 0) throw new StoreError('Location15958', 'the limit must be positive', {}, 15958);
  return number;
}
