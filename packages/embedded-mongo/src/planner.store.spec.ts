import fc from 'fast-check';
import { startTestServer, type Client, type TestServer } from '../test/support/server.js';
import { documents, filters, INDEX_SETS, oracle, oracleKnows, sorts, type Plain } from '../test/support/arbitraries.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_120 });

type Collection = ReturnType<ReturnType<Client['db']>['collection']>;

const RUNS = 25;

/** Two arrays in one sort are refused, with an index as without. */
function refusedArrays(error: Error & { code?: unknown }): string {
  if (error.code === 2) return 'parallel arrays';
  throw error;
}

describe('answers with and without indexes', () => {
  let running: TestServer;
  let round = 0;

  beforeAll(async () => {
    running = await startTestServer();
  });

  afterAll(async () => {
    await running.stop();
  });

  const fill = async (docs: Plain[], indexes: boolean): Promise<Collection> => {
    const collection = running.client.db('property').collection(`c${round++}`);
    if (indexes) await collection.createIndexes(INDEX_SETS);
    if (docs.length > 0) await collection.insertMany(docs.map((doc) => ({ ...doc })));
    return collection;
  };

  it('should be the same for any filter, and what the oracle says', async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.array(filters, { minLength: 1, maxLength: 12 }), async (docs, list) => {
        const [bare, indexed] = [await fill(docs, false), await fill(docs, true)];
        for (const filter of list) {
          const [plain = [], quick = []] = await Promise.all(
            [bare, indexed].map((c) => c.find(filter).sort({ _id: 1 }).toArray()),
          );
          const expected = plain.map(({ _id }) => _id);
          const judged = plain.filter((doc) => oracleKnows(doc as Plain)).map(({ _id }) => _id);
          expect({ filter, ids: judged }).toEqual({
            filter,
            ids: oracle(docs.filter(oracleKnows), filter).map(({ _id }) => _id),
          });
          expect({ filter, ids: quick.map(({ _id }) => _id) }).toEqual({ filter, ids: expected });
          expect({ filter, n: await indexed.countDocuments(filter) }).toEqual({ filter, n: expected.length });
          const window = Math.max(0, Math.min(expected.length, 3) - 1);
          expect({ filter, n: await indexed.countDocuments(filter, { limit: 2, skip: 1 }) }).toEqual({
            filter,
            n: window,
          });
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('should come in the same order for any sort, with skip and limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.array(fc.tuple(filters, sorts, fc.nat(3), fc.integer({ min: 0, max: 5 })), { minLength: 1, maxLength: 10 }),
        async (docs, list) => {
          const [bare, indexed] = [await fill(docs, false), await fill(docs, true)];
          for (const [filter, sort, skip, limit] of list) {
            // the id makes the order total, so that the answers can be compared one to one
            const total = { ...sort, _id: 1 as const };
            const [plain, quick] = await Promise.all(
              [bare, indexed].map((c) =>
                c.find(filter).sort(total).skip(skip).limit(limit).toArray().catch(refusedArrays),
              ),
            );
            expect({ filter, total, skip, limit, docs: quick }).toEqual({ filter, total, skip, limit, docs: plain });
          }
        },
      ),
      { numRuns: RUNS },
    );
  });
});
