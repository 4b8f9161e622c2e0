import { Double } from 'bson';
import { isDoc, type Doc } from '../bson/codec.js';
import { encodeWhole } from '../bson/keys.js';
import { isNumeric, numberOf, Summation } from '../bson/numbers.js';
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
    result: () => total.average(count),
  };
}

/**
 * The standard deviation, from the distance of each number to the mean so far (Welford).
 *
 * @param less 1 for that of a sample
 */
function deviation(less: 0 | 1): Accumulator {
  let [count, mean, squares] = [0, 0, 0];
  return {
    add: (value) => {
      if (!isNumeric(value)) return;
      const number = Number(numberOf(value) ?? String(value));
      const distance = number - mean;
      count++;
      mean += distance / count;
      squares += distance * (number - mean);
    },
    result: () => (count <= less ? null : new Double(Math.sqrt(squares / (count - less)))),
  };
}

/** The first of all values in an order, or the last ones: `$topN`, `$bottomN` and their like. What is added is `{key, value}`. */
export function edges(keep: number, from: 'top' | 'bottom'): Accumulator {
  let kept: Ranked[] = [];
  const way = from === 'top' ? 1 : -1;
  const prune = (): void => {
    kept = kept.sort((a, b) => a.key.compare(b.key) || a.order - b.order);
    kept = way > 0 ? kept.slice(0, keep) : kept.slice(-keep);
  };
  let order = 0;
  return {
    add: (value) => {
      kept.push({ ...(value as Ranked), order: order++ });
      if (kept.length > keep * 2 + PRUNED_AT) prune();
    },
    result: () => {
      prune();
      return kept.map(({ value }) => value ?? null);
    },
  };
}

interface Ranked {
  key: Buffer;
  value: unknown;
  order: number;
}

const PRUNED_AT = 128;

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
  $stdDevPop: () => deviation(0),
  $stdDevSamp: () => deviation(1),
};

type Summary = '$sum' | '$avg' | '$min' | '$max' | '$stdDevPop' | '$stdDevSamp';

/** An accumulator used as a function of a list. */
export function summarize(name: Summary, items: unknown[]): unknown {
  const accumulator = (ACCUMULATORS[name] as () => Accumulator)();
  items.forEach((item) => accumulator.add(item));
  return accumulator.result();
}
