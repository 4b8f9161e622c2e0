import { Binary, Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { decode, encode, type Doc } from './bson/codec.js';
import { FieldLocator } from './bson/fields.js';
import { compileProjection } from './query/projection.js';
import { compile } from './query/match.js';
import { parseFilter } from './query/parse.js';
import { compileStored } from './query/stored-match.js';
import { compileStoredProjection } from './query/stored-projection.js';
import { encodeId } from './bson/keys.js';
import { Index } from './store/index.js';
import { LAYOUT } from './store/keyspace.js';
import { parseUpdate, updated } from './update/update.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_122 });

const RUNS = 4000;
const id = new ObjectId('65f000000000000000000001');

/** Every type that a stored document may hold, with values at the edges of the encodings. */
const scalars = fc.constantFrom<unknown>(
  null,
  true,
  false,
  '',
  'a',
  'ab',
  'b\u0000',
  '\u0001\u0000',
  'ä€😀',
  'x'.repeat(1500),
  new Int32(0),
  new Int32(-1),
  new Int32(2_147_483_647),
  new Double(0),
  new Double(-0),
  new Double(2.5),
  new Double(Number.NaN),
  new Double(Number.POSITIVE_INFINITY),
  Long.fromNumber(1),
  Long.fromNumber(-5_000_000_000),
  Long.MAX_VALUE,
  Decimal128.fromString('1.5'),
  new Date(0),
  new Date(-1),
  new Date(1.7e12),
  new Date(8.64e15),
  id,
  new ObjectId('65f000000000000000000002'),
  new Binary(Buffer.from([1, 2]), 0),
  new Timestamp({ t: 1, i: 2 }),
);
const simple = scalars.filter((value) => !(value instanceof Decimal128));
const names = fc.constantFrom('a', 'b', 'c', 'é');
const inner = fc.dictionary(fc.constantFrom('x', 'y'), scalars, { maxKeys: 2 });
const values = fc.oneof(
  { weight: 8, arbitrary: scalars },
  { weight: 2, arbitrary: inner },
  { weight: 1, arbitrary: fc.array(fc.oneof(scalars, inner), { maxLength: 3 }) },
);
const documents = fc.dictionary(names, values, { maxKeys: 4 }).map((doc): Doc => ({ _id: id, ...doc }));
const paths = fc.constantFrom('a', 'b', 'c', 'é', 'a.x', 'b.y', 'missing', '_id');

const operand = fc.oneof(simple, inner);
const conditions = fc.oneof(
  operand,
  fc.record({ $ne: simple }),
  fc.record({ $in: fc.array(simple, { maxLength: 4 }) }),
  fc.record({ $nin: fc.array(simple, { maxLength: 3 }) }),
  fc.record({ $gt: simple }),
  fc.record({ $gte: simple, $lt: simple }),
  fc.record({ $lte: simple }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $not: fc.record({ $gt: simple }) }),
  fc.record({ $type: fc.constantFrom('string', 'int', 'null') }),
);
const leaves = fc.dictionary(paths, conditions, { minKeys: 1, maxKeys: 3 });
const filters = fc.oneof(
  { weight: 4, arbitrary: leaves },
  { weight: 1, arbitrary: fc.record({ $or: fc.array(leaves, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ $nor: fc.array(leaves, { minLength: 1, maxLength: 2 }) }) },
);

/** The result of the work, or the message of the error that it ends with. */
function attempt<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('work on stored bytes', () => {
  it('should test filters as on decoded documents, and decide most of them', () => {
    let decided = 0;
    fc.assert(
      fc.property(documents, filters, (doc, source) => {
        const raw = encode(doc);
        const filter = parseFilter(source);
        const verdict = compileStored(filter)?.(raw);
        if (verdict === undefined) return;
        decided++;
        expect({ source, verdict }).toEqual({ source, verdict: compile(filter)(decode(raw)) });
      }),
      { numRuns: RUNS },
    );
    expect(decided).toBeGreaterThan(RUNS / 2);
  });

  const specs = [
    { key: { a: 1 } },
    { key: { a: -1, b: 1 } },
    { key: { a: 1, _id: -1 } },
    { key: { 'a.x': 1, c: -1 }, sparse: true },
    { key: { b: 1 }, unique: true },
    { key: { c: 1, é: 1 }, partialFilterExpression: { a: { $gt: new Int32(0) } } },
    { key: { c: 1 }, partialFilterExpression: { b: 'a' } },
    { key: { c: 1, b: 1 }, partialFilterExpression: { 'b.y': true } },
  ];

  it('should give the entries that decoded documents give', () => {
    const located = new FieldLocator(['_id', 'a', 'b', 'c', 'é']);
    const encodedId = encodeId(id).bytes;
    fc.assert(
      fc.property(documents, fc.constantFrom(...specs), fc.constantFrom(1, LAYOUT), (doc, spec, layout) => {
        const key = Object.fromEntries(Object.entries(spec.key).map(([path, way]) => [path, new Int32(way)]));
        const index = new Index({ id: 7, name: 'i', key, spec: { ...spec, key }, layout, multi: [], shortened: false });
        const raw = encode(doc);
        located.locate(raw);
        const document = { raw, id: encodedId, decoded: () => decode(raw) };
        const stored = attempt(() => index.entriesOf({ ...document, located }));
        const decoded = attempt(() => index.entriesOf({ ...document, located: undefined }));
        expect(stored).toEqual(decoded);
      }),
      { numRuns: RUNS },
    );
  });

  const projections = fc
    .tuple(fc.uniqueArray(names, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.constantFrom(undefined, false, true))
    .map(([list, keep, own]) => ({
      ...Object.fromEntries(list.map((name) => [name, keep])),
      ...(own === undefined ? {} : { _id: own }),
    }));

  it('should project as from decoded documents', () => {
    fc.assert(
      fc.property(documents, projections, (doc, spec) => {
        const raw = encode(doc);
        const expected = attempt(() => encode((compileProjection(spec, {}, true) ?? ((same) => same))(decode(raw))));
        const found = attempt(() => (compileStoredProjection(spec, {}, parseFilter({})) ?? ((same) => same))(raw));
        expect(found).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  const updates = fc.oneof(
    fc.record({ $set: fc.dictionary(fc.constantFrom('a', 'c', 'b.x', 'new'), values, { minKeys: 1, maxKeys: 3 }) }),
    fc.record({ $unset: fc.dictionary(fc.constantFrom('a', 'b.x'), fc.constant(''), { minKeys: 1 }) }),
    fc.record({ $inc: fc.dictionary(fc.constantFrom('a', 'c', 'new'), fc.constant(new Int32(1)), { minKeys: 1 }) }),
    fc.record({ $push: fc.dictionary(fc.constantFrom('a', 'new'), scalars, { minKeys: 1 }) }),
    fc.record({
      $rename: fc.constant({ a: 'renamed' }),
      $set: fc.dictionary(fc.constant('b'), scalars, { minKeys: 1 }),
    }),
    fc.record({
      $max: fc.dictionary(fc.constantFrom('a', 'c'), simple, { minKeys: 1 }),
      $setOnInsert: fc.constant({ z: 1 }),
    }),
    fc.record({ $set: fc.constant({ _id: new Int32(1) }) }),
  );

  it('should update as decoded documents are updated', () => {
    fc.assert(
      fc.property(documents, updates, (doc, source) => {
        const raw = encode(doc);
        const { stored, ...general } = parseUpdate(source, parseFilter({}), undefined, {});
        expect(stored).toBeDefined();
        const expected = attempt(() => updated(general, raw));
        const found = attempt(() => updated({ ...general, ...(stored ? { stored } : {}) }, raw));
        expect(found).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
  });

  it('should decode the usual types as the library does', async () => {
    const { deserialize } = await import('bson');
    const options = { promoteValues: false, promoteLongs: false, bsonRegExp: true };
    fc.assert(
      fc.property(documents, (doc) => {
        const raw = encode(doc);
        expect(decode(raw)).toEqual(deserialize(raw, options));
      }),
      { numRuns: RUNS },
    );
  });
});
