import fc from 'fast-check';
import { startTestServer, type Client, type TestServer } from '../test/support/server.js';
import { INDEX_SETS, type Plain } from '../test/support/arbitraries.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_120 });

type Row = Plain & { _id: number };
type Collection = ReturnType<typeof rowsOf>;

const rowsOf = (client: Client, name: string) => client.db('writes').collection<Row>(name);

/** A step on the collection and the same step on a plain map, kept as simple as it can be. */
interface Step {
  what: string;
  run: (collection: Collection) => Promise<unknown>;
  model: (docs: Map<number, Plain>) => void;
}

const RUNS = 20;
const small = fc.nat(5);
/** Which one of several is changed depends on the index that is used, unless the order is given. */
const FIRST = { sort: { _id: 1 } } as const;
const value = fc.constantFrom<unknown>(0, 1, 2.5, 'a', 'b', null, [1, 'a'], [], [{ x: 1 }, { x: 2 }]);
const field = fc.constantFrom('a', 'b', 'd');

const hits = (docs: Map<number, Plain>, c: number, many: boolean): Plain[] => {
  const found = [...docs.keys()]
    .sort((x, y) => x - y)
    .map((id) => docs.get(id) as Plain)
    .filter((doc) => doc.c === c);
  return many ? found : found.slice(0, 1);
};

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.nat(30), small, value).map(([id, c, a]): Step => ({
    what: `insert ${id}`,
    run: (collection) =>
      collection
        .insertOne({ _id: id, c, a, deleted: c % 2 === 0 })
        .catch((error: { code: number }) => expect(error.code).toBe(11000)),
    model: (docs) => {
      if (!docs.has(id)) docs.set(id, { _id: id, c, a, deleted: c % 2 === 0 });
    },
  })),
  fc.tuple(small, field, value, fc.boolean()).map(([c, name, v, many]): Step => ({
    what: `set ${name} of ${c}`,
    run: (collection) =>
      many
        ? collection.updateMany({ c }, { $set: { [name]: v } })
        : collection.findOneAndUpdate({ c }, { $set: { [name]: v } }, FIRST),
    model: (docs) => hits(docs, c, many).forEach((doc) => (doc[name] = v)),
  })),
  fc.tuple(small, small, fc.boolean()).map(([c, by, many]): Step => ({
    what: `inc c of ${c} by ${by}`,
    run: (collection) =>
      many
        ? collection.updateMany({ c }, { $inc: { c: by } as Plain as never })
        : collection.findOneAndUpdate({ c }, { $inc: { c: by } as Plain as never }, FIRST),
    model: (docs) => hits(docs, c, many).forEach((doc) => (doc.c = (doc.c as number) + by)),
  })),
  fc.tuple(small, field).map(([c, name]): Step => ({
    what: `unset ${name} of ${c}`,
    run: (collection) => collection.updateMany({ c }, { $unset: { [name]: '' } as never }),
    model: (docs) => hits(docs, c, true).forEach((doc) => delete doc[name]),
  })),
  fc.tuple(small, fc.boolean()).map(([c, many]): Step => ({
    what: `delete ${c}`,
    run: (collection) =>
      many ? collection.deleteMany({ c }) : collection.findOneAndDelete({ c }, { sort: { _id: 1 } }),
    model: (docs) => hits(docs, c, many).forEach((doc) => docs.delete(doc._id as number)),
  })),
  fc.tuple(fc.nat(30), small).map(([id, c]): Step => ({
    what: `upsert ${id}`,
    run: (collection) =>
      collection.findOneAndUpdate({ _id: id }, { $set: { c }, $setOnInsert: { deleted: false } }, { upsert: true }),
    model: (docs) => {
      const doc = docs.get(id);
      if (doc) doc.c = c;
      else docs.set(id, { _id: id, c, deleted: false });
    },
  })),
);

describe('random writes', () => {
  let running: TestServer;
  let round = 0;

  beforeAll(async () => {
    running = await startTestServer();
  });

  afterAll(async () => {
    await running.stop();
  });

  it('should leave what a plain map holds, and every index should agree', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 30 }), async (list) => {
        const collection = rowsOf(running.client, `c${round++}`);
        await collection.createIndexes(INDEX_SETS);
        const model = new Map<number, Plain>();
        for (const step of list) {
          await step.run(collection);
          step.model(model);
        }
        const expected = [...model.values()].sort((a, b) => (a._id as number) - (b._id as number));
        const stored = await collection.find().sort({ _id: 1 }).toArray();
        // fields are added in the order of the updates, which the model keeps as well except for removed ones
        expect(stored.map(sortedFields)).toEqual(expected.map(sortedFields));
        expect(await collection.estimatedDocumentCount()).toBe(model.size);
        for (const { name } of INDEX_SETS.filter(
          (index) => !('sparse' in index) && !('partialFilterExpression' in index),
        )) {
          const through = await collection.find({}, { hint: name }).toArray();
          expect(through.map(({ _id }) => Number(_id)).sort((x, y) => x - y)).toEqual(expected.map(({ _id }) => _id));
        }
        for (let c = 0; c < 12; c++) {
          const byIndex = await collection.find({ c }).sort({ _id: 1 }).toArray();
          expect(byIndex.map(({ _id }) => _id as unknown)).toEqual(hits(model, c, true).map(({ _id }) => _id));
        }
      }),
      { numRuns: RUNS },
    );
  });
});

const sortedFields = (doc: Plain): unknown =>
  Object.fromEntries(Object.entries(doc).sort(([a], [b]) => (a < b ? -1 : 1)));
