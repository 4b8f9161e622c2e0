import fc from 'fast-check';
import { Query } from 'mingo/query';
import { Context } from 'mingo/core';
import * as queryOperators from 'mingo/operators/query';

export type Plain = Record<string, unknown>;

/** Few values, so that they meet; every kind that indexes order against the others. */
const scalars = fc.constantFrom<unknown>(
  null,
  -1,
  0,
  1,
  2.5,
  7,
  'a',
  'ab',
  'b',
  '',
  true,
  false,
  new Date(0),
  new Date(1000),
);
const numbers = fc.constantFrom(-1, 0, 1, 2.5, 7);
const values = fc.oneof(
  { weight: 5, arbitrary: scalars },
  { weight: 1, arbitrary: fc.array(scalars, { maxLength: 3 }) },
);

const fields = fc.record(
  {
    a: values,
    b: values,
    c: numbers,
    sub: fc.oneof(
      fc.record({ x: values }, { requiredKeys: [] }),
      fc.array(fc.record({ x: scalars, y: scalars }, { requiredKeys: [] }), { maxLength: 3 }),
    ),
    deleted: fc.boolean(),
  },
  { requiredKeys: ['c', 'deleted'] },
);

/** A few documents with ids in the order of the array; two arrays never meet in one compound index. */
export const documents = fc.array(fields, { maxLength: 25 }).map((list) =>
  list.map((doc, index) => {
    const out: Plain = { _id: index, ...doc };
    if (Array.isArray(out.a) && Array.isArray(out.b)) out.b = 1;
    return out;
  }),
);

const paths = fc.constantFrom('a', 'b', 'c', 'sub.x', 'sub.y', '_id', 'deleted');
const present = scalars.filter((value) => value !== null);

const conditions = fc.oneof(
  scalars,
  fc.record({ $eq: scalars }),
  fc.record({ $ne: scalars }),
  fc.record({ $in: fc.array(scalars, { maxLength: 4 }) }),
  fc.record({ $nin: fc.array(scalars, { maxLength: 3 }) }),
  fc.record({ $gt: present }),
  fc.record({ $gte: present, $lt: present }),
  fc.record({ $lte: present }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $not: fc.record({ $gt: present }) }),
  fc.record({ $regex: fc.constantFrom('^a', 'b$', '^ab?') }),
);

/** Below an array of documents the library counts what it collected there, so that these are asked of plain fields only. */
const arrayConditions = fc.oneof(
  fc.record({ $elemMatch: fc.record({ $gte: numbers }) }),
  fc.record({ $size: fc.nat(2) }),
);

const simple: fc.Arbitrary<Plain> = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(paths, conditions, { minKeys: 1, maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('a', 'b'), arrayConditions, { minKeys: 1, maxKeys: 1 }) },
);

export const filters: fc.Arbitrary<Plain> = fc.oneof(
  { weight: 4, arbitrary: simple },
  { weight: 1, arbitrary: fc.record({ $or: fc.array(simple, { minLength: 1, maxLength: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(simple, fc.array(simple, { minLength: 1, maxLength: 2 }))
      .map(([one, $or]) => ({ ...one, $or })),
  },
  { weight: 1, arbitrary: fc.record({ $and: fc.array(simple, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ $nor: fc.array(simple, { minLength: 1, maxLength: 2 }) }) },
);

export const sorts = fc
  .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'sub.x', 'deleted'), fc.constantFrom<1 | -1>(1, -1)), {
    minLength: 1,
    maxLength: 3,
  })
  .map((pairs) => Object.fromEntries(pairs));

/** Single, compound, mixed, multikey, partial and sparse ones. */
export const INDEX_SETS: {
  key: Record<string, 1 | -1>;
  name: string;
  sparse?: boolean;
  partialFilterExpression?: Plain;
}[] = [
  { key: { a: 1 }, name: 'a' },
  { key: { b: -1, c: 1 }, name: 'b_c' },
  { key: { 'sub.x': 1, c: -1 }, name: 'subx_c' },
  { key: { a: 1, _id: -1 }, name: 'a_id' },
  { key: { 'sub.x': 1, 'sub.y': -1 }, name: 'subx_suby' },
  { key: { c: 1, a: -1 }, name: 'c_a' },
  { key: { deleted: 1, c: -1 }, name: 'deleted_c' },
  { key: { b: 1 }, name: 'b_partial', partialFilterExpression: { deleted: false } },
  { key: { c: 1 }, name: 'c_partial', partialFilterExpression: { c: { $gt: 0 } } },
  { key: { 'sub.y': 1 }, name: 'suby_sparse', sparse: true },
];

const context = Context.init({ query: { ...queryOperators } });

/** The independent answer, from the query library. */
export function oracle(docs: Plain[], filter: Plain): Plain[] {
  const query = new Query(filter, { context, idKey: '_id' });
  return docs.filter((doc) => query.test(doc));
}

/** The library does not find null and missing fields inside arrays of documents as MongoDB does; those documents are not put to it. */
export const oracleKnows = (doc: Plain): boolean => !Array.isArray(doc.sub);
