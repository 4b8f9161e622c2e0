import { Double } from 'bson';
import { isDoc, type Doc } from '../bson/codec.js';
import { encodeWhole } from '../bson/keys.js';
import { isNumeric, Summation } from '../bson/numbers.js';
import { compareValues, isNullish } from '../bson/values.js';
import { StoreError } from '../errors.js';

/** Collects the values of one group. */
export interface Accumulator {
  add(value: unknown): void;
  result(): unknown;
}

function sum(): Accumulator {
  const total = new Summation();
  return {
    add: (value) => {
      if (isNumeric(value)) total.add(value);
    },
    result: () => total.total(),
  };
}

function average(): Accumulator {
  const total = new Summation();
  let count = 0;
  return {
    add: (value) => {
      if (!isNumeric(value)) return;
      total.add(value);
      count++;
    },
    result: () => (count === 0 ? null : new Double(total.asDouble() / count)),
  };
}

function extreme(way: 1 | -1): Accumulator {
  let best: unknown;
  return {
    add: (value) => {
      if (!isNullish(value) && (best === undefined || way * compareValues(value, best) > 0)) best = value;
    },
    result: () => best ?? null,
  };
}

function edge(last: boolean): Accumulator {
  let seen = false;
  let kept: unknown;
  return {
    add: (value) => {
      if (!seen || last) kept = value ?? null;
      seen = true;
    },
    result: () => kept ?? null,
  };
}

function collect(): Accumulator {
  const items: unknown[] = [];
  return {
    add: (value) => {
      if (value !== undefined) items.push(value);
    },
    result: () => items,
  };
}

function collectSet(): Accumulator {
  const items = new Map<string, unknown>();
  return {
    add: (value) => {
      if (value === undefined) return;
      const key = encodeWhole([value], [1]).toString('latin1');
      if (!items.has(key)) items.set(key, value);
    },
    result: () => [...items.values()],
  };
}

function merge(): Accumulator {
  const out: Doc = {};
  return {
    add: (value) => {
      if (isNullish(value)) return;
      if (!isDoc(value)) throw new StoreError('TypeMismatch', '$mergeObjects requires object inputs');
      Object.assign(out, value);
    },
    result: () => out,
  };
}

/** Accumulators of `$group` by name. */
export const ACCUMULATORS: Record<string, () => Accumulator> = {
  $sum: sum,
  $avg: average,
  $min: () => extreme(-1),
  $max: () => extreme(1),
  $first: () => edge(false),
  $last: () => edge(true),
  $push: collect,
  $addToSet: collectSet,
  $mergeObjects: merge,
};

/** An accumulator used as a function of a list. */
export function summarize(name: '$sum' | '$avg' | '$min' | '$max', items: unknown[]): unknown {
  const accumulator = (ACCUMULATORS[name] as () => Accumulator)();
  items.forEach((item) => accumulator.add(item));
  return accumulator.result();
}
