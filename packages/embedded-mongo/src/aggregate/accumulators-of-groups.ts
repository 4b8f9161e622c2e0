import { Int32 } from 'bson';
import { isDoc, type Doc } from '../bson/codec.js';
import { encodeWhole } from '../bson/keys.js';
import { failedToParse, StoreError } from '../errors.js';
import { ACCUMULATORS, type Accumulator, edges } from '../expressions/accumulators.js';
import { compileExpression, type Expression } from '../expressions/expressions.js';
import { countOf } from '../expressions/list-functions.js';
import { parseSort, sortKey } from '../bson/sort.js';

/** One computed field of a group. */
export interface GroupField {
  name: string;
  value: Expression;
  make: () => Accumulator;
}

/** What `fields` of a `$group` or an `output` of a bucket compute. */
export function groupFields(argument: Doc): GroupField[] {
  return Object.entries(argument).flatMap(([name, spec]) => {
    if (name === '_id') return [];
    const [operator = '', ...more] = isDoc(spec) ? Object.keys(spec) : [];
    if (more.length > 0 || !isDoc(spec))
      throw new StoreError('Location40234', `The field '${name}' must be an accumulator object`, {}, 40234);
    if (name.includes('.'))
      throw new StoreError('Location40235', `The field name '${name}' cannot contain '.'`, {}, 40235);
    if (operator === '$count')
      return [{ name, value: () => new Int32(1), make: ACCUMULATORS.$sum as () => Accumulator }];
    if (Object.hasOwn(RANKED, operator)) return [{ name, ...(RANKED[operator] as Ranked)(spec[operator], operator) }];
    const make = Object.hasOwn(ACCUMULATORS, operator) ? ACCUMULATORS[operator] : undefined;
    if (!make)
      throw new StoreError(
        'Location15952',
        `unknown group operator '${operator}', or not supported by the embedded store; collect the values with $push and compute the rest in the program`,
        {},
        15952,
      );
    return [{ name, value: compileExpression(spec[operator]), make }];
  });
}

type Ranked = (argument: unknown, name: string) => Pick<GroupField, 'value' | 'make'>;

function fieldsOf(argument: unknown, name: string, wanted: readonly string[]): Doc {
  if (!isDoc(argument)) throw failedToParse(`${name} only supports an object as its argument`);
  for (const field of Object.keys(argument))
    if (!wanted.includes(field)) throw failedToParse(`Unknown argument to ${name}: ${field}`);
  for (const field of wanted) if (!(field in argument)) throw failedToParse(`Missing value for '${field}' in ${name}`);
  return argument;
}

/** `n` is the same for all groups here: a number, or an expression of constants. */
const constantCount = (n: unknown, name: string): number =>
  countOf(compileExpression(n)({ root: {}, variables: {} }), name);

/** `$top`, `$topN`, `$bottom`, `$bottomN`: by an order of the documents. */
const byOrder =
  (from: 'top' | 'bottom', single: boolean): Ranked =>
  (argument, name) => {
    const { n, sortBy, output } = fieldsOf(argument, name, single ? ['sortBy', 'output'] : ['n', 'sortBy', 'output']);
    const spec = parseSort(sortBy);
    if (spec.length === 0) throw failedToParse(`'sortBy' of ${name} must name at least one field`);
    const shown = compileExpression(output);
    const keep = single ? 1 : constantCount(n, name);
    return {
      value: (scope) => ({ key: sortKey(isDoc(scope.root) ? scope.root : {}, spec), value: shown(scope) }),
      make: () => (single ? only(edges(keep, from)) : edges(keep, from)),
    };
  };

const only = (accumulator: Accumulator): Accumulator => ({
  ...accumulator,
  result: () => (accumulator.result() as unknown[])[0] ?? null,
});

const NO_ORDER = Buffer.alloc(0);

/** `$firstN`, `$lastN`: by the order in which the documents come. */
const byPlace =
  (from: 'top' | 'bottom'): Ranked =>
  (argument, name) => {
    const { n, input } = fieldsOf(argument, name, ['n', 'input']);
    const keep = constantCount(n, name);
    const shown = compileExpression(input);
    return { value: (scope) => ({ key: NO_ORDER, value: shown(scope) }), make: () => edges(keep, from) };
  };

/** `$minN`, `$maxN`: by the values themselves, without missing ones. */
const byValue =
  (way: 1 | -1): Ranked =>
  (argument, name) => {
    const { n, input } = fieldsOf(argument, name, ['n', 'input']);
    const keep = constantCount(n, name);
    const shown = compileExpression(input);
    const make = (): Accumulator => {
      const kept = edges(keep, 'top');
      return {
        ...kept,
        add: (value) => {
          if (value !== null && value !== undefined) kept.add({ key: encodeWhole([value], [way]), value });
        },
      };
    };
    return { value: shown, make };
  };

const RANKED: Record<string, Ranked> = {
  $top: byOrder('top', true),
  $topN: byOrder('top', false),
  $bottom: byOrder('bottom', true),
  $bottomN: byOrder('bottom', false),
  $firstN: byPlace('top'),
  $lastN: byPlace('bottom'),
  $minN: byValue(1),
  $maxN: byValue(-1),
};
