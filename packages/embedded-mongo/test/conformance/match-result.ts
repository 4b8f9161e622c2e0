import { inspect, isDeepStrictEqual } from 'node:util';
import { BSON } from '../support/server.js';

export type Json = Record<string, unknown>;

const isPlain = (value: unknown): value is Json =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype;

/** Throws when `actual` does not match; the root may have more fields than expected, documents inside may not. */
export function matches(
  expected: unknown,
  actual: unknown,
  what: string,
  entities: ReadonlyMap<string, unknown>,
): void {
  const problem = difference(expected, plain(actual), entities, true);
  if (problem !== undefined)
    throw new Error(
      `${what}: ${problem}; expected ${inspect(expected, { depth: 8 })}, got ${inspect(plain(actual), { depth: 8 })}`,
    );
}

/** Results of the driver as data; types that JavaScript has no room for keep their class. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Date || '_bsontype' in value) return value;
  return Object.fromEntries(
    Object.keys(value)
      .concat(getters(value))
      .map((key) => [key, plain((value as Json)[key])]),
  );
}

/** Counts of a bulk result are getters of its class. */
const getters = (value: object): string[] =>
  Object.getPrototypeOf(value) === Object.prototype
    ? []
    : [
        'insertedCount',
        'matchedCount',
        'modifiedCount',
        'deletedCount',
        'upsertedCount',
        'upsertedIds',
        'insertedIds',
      ].filter((name) => name in value);

function difference(
  expected: unknown,
  actual: unknown,
  entities: ReadonlyMap<string, unknown>,
  root: boolean,
): string | undefined {
  if (isPlain(expected)) {
    const [operator] = Object.keys(expected);
    if (operator?.startsWith('$$')) return special(operator, expected[operator], actual, entities, root);
    return documentDifference(expected, actual, entities, root);
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return 'not an array';
    if (expected.length !== actual.length) return `${actual.length} items instead of ${expected.length}`;
    for (const [index, item] of expected.entries()) {
      const problem = difference(item, actual[index], entities, root);
      if (problem !== undefined) return `[${index}] ${problem}`;
    }
    return undefined;
  }
  return same(expected, actual) ? undefined : `${inspect(actual)} instead of ${inspect(expected)}`;
}

const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(normal(a), normal(b));
const normal = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? BSON.EJSON.stringify({ value }, { relaxed: true }) : value;

function documentDifference(
  expected: Json,
  actual: unknown,
  entities: ReadonlyMap<string, unknown>,
  root: boolean,
): string | undefined {
  if (!isPlain(actual)) return `${inspect(actual)} is no document`;
  for (const [name, value] of Object.entries(expected)) {
    const optional = isPlain(value) && ('$$unsetOrMatches' in value || '$$exists' in value);
    if (!(name in actual) && !optional) return `'${name}' is missing`;
    const problem = difference(value, actual[name], entities, false);
    if (problem !== undefined) return `'${name}': ${problem}`;
  }
  const extra = Object.keys(actual).filter((name) => !(name in expected));
  return !root && extra.length > 0 ? `unexpected fields ${extra.join(', ')}` : undefined;
}

function special(
  operator: string,
  argument: unknown,
  actual: unknown,
  entities: ReadonlyMap<string, unknown>,
  root: boolean,
): string | undefined {
  switch (operator) {
    case '$$unsetOrMatches':
      return actual === undefined || actual === null ? undefined : difference(argument, actual, entities, root);
    case '$$exists':
      return (actual !== undefined) === argument ? undefined : 'present or absent against expectation';
    case '$$type':
      return undefined;
    case '$$matchesEntity':
      return difference(entities.get(argument as string), actual, entities, false);
    default:
      throw new Error(`the runner does not know ${operator}`);
  }
}
