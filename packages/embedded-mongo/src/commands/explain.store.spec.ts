import { startTestServer, type TestServer } from '../../test/support/server.js';

type Json = Record<string, unknown>;

describe('explain', () => {
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
    const rows = running.client.db('plans').collection('rows');
    await rows.createIndex({ by: 1, at: -1 });
    await rows.createIndex({ rare: 1 }, { partialFilterExpression: { rare: { $exists: true } } });
    await rows.createIndex({ by: 1, wake: 1 });
    await rows.createIndex({ by: 1, since: 1 });
    await rows.insertMany(Array.from({ length: 50 }, (_, n) => ({ by: n % 5, at: n, ...(n === 7 && { rare: 1 }) })));
  });

  afterAll(() => running.stop());

  const explained = (command: Json, more: Json = {}): Promise<Json> =>
    running.client.db('plans').command({ explain: command, ...more });
  /** The stages of the plan, the outermost first. */
  async function stagesOf(command: Json): Promise<string[]> {
    const { queryPlanner, stages } = await explained(command);
    const planner = queryPlanner ?? (stages as { $cursor: Json }[])[0]?.$cursor['queryPlanner'];
    const names: string[] = [];
    const walk = (stage: Json | undefined): void => {
      if (stage === undefined) return;
      names.push(String(stage['stage']));
      for (const inner of [stage['inputStage'], ...((stage['inputStages'] as Json[] | undefined) ?? [])])
        walk(inner as Json | undefined);
    };
    walk((planner as { winningPlan: Json }).winningPlan);
    return names;
  }

  it.each<[string, Json, string[]]>([
    ['a scan', { find: 'rows', filter: { other: 1 } }, ['COLLSCAN']],
    ['an index', { find: 'rows', filter: { by: 1 } }, ['FETCH', 'IXSCAN']],
    ['the index of ids', { find: 'rows', filter: { _id: { $in: [1, 2] } } }, ['FETCH', 'IXSCAN']],
    ['an order of the index', { find: 'rows', filter: { by: 1 }, sort: { at: 1 } }, ['FETCH', 'IXSCAN']],
    [
      'the index in order, where no index finds anything',
      { find: 'rows', filter: { by: 99, wake: { $exists: true }, since: { $lte: 5 } }, sort: { since: 1 } },
      ['FETCH', 'IXSCAN'],
    ],
    [
      'orders that are merged',
      { find: 'rows', filter: { by: { $in: [1, 2] } }, sort: { at: -1 }, skip: 1, limit: 3 },
      ['LIMIT', 'SKIP', 'FETCH', 'SORT_MERGE', 'IXSCAN'],
    ],
    ['another order', { find: 'rows', filter: { by: 1 }, sort: { other: 1 } }, ['SORT', 'FETCH', 'IXSCAN']],
    ['alternatives', { find: 'rows', filter: { $or: [{ by: 1 }, { rare: 1 }] } }, ['FETCH', 'OR', 'IXSCAN', 'IXSCAN']],
    ['a partial index that fits', { find: 'rows', filter: { rare: 1 } }, ['FETCH', 'IXSCAN']],
    ['one that does not fit', { find: 'rows', filter: { rare: null } }, ['COLLSCAN']],
    ['a count by entries', { count: 'rows', query: { by: 1 } }, ['COUNT', 'IXSCAN']],
    ['a count that reads', { count: 'rows', query: { by: 1, other: 1 } }, ['COUNT', 'FETCH', 'IXSCAN']],
    ['distinct', { distinct: 'rows', key: 'at', query: { by: 1 } }, ['FETCH', 'IXSCAN']],
    [
      'a pipeline',
      { aggregate: 'rows', pipeline: [{ $match: { by: 1 } }, { $group: { _id: '$at' } }], cursor: {} },
      ['FETCH', 'IXSCAN'],
    ],
    [
      'a counting pipeline',
      { aggregate: 'rows', pipeline: [{ $match: { by: 1 } }, { $count: 'n' }], cursor: {} },
      ['COUNT', 'IXSCAN'],
    ],
    [
      'an update',
      { update: 'rows', updates: [{ q: { by: 1 }, u: { $set: { x: 1 } }, multi: true }] },
      ['UPDATE', 'FETCH', 'IXSCAN'],
    ],
    ['a removal', { delete: 'rows', deletes: [{ q: { other: 1 }, limit: 1 }] }, ['DELETE', 'LIMIT', 'COLLSCAN']],
    [
      'a modification',
      { findAndModify: 'rows', query: { by: 1 }, sort: { at: -1 }, update: { $set: { x: 1 } } },
      ['UPDATE', 'LIMIT', 'FETCH', 'IXSCAN'],
    ],
    ['a collection that does not exist', { find: 'nothing', filter: { by: 1 } }, ['EOF']],
  ])('should show %s', async (_case, command, stages) => {
    expect(await stagesOf(command)).toEqual(stages);
  });

  it('should name the index, its direction and how its fields are bounded', async () => {
    const { queryPlanner } = await explained({ find: 'rows', filter: { by: 1, at: { $gt: 3 } }, sort: { at: 1 } });
    expect(queryPlanner).toMatchObject({
      namespace: 'plans.rows',
      winningPlan: {
        inputStage: {
          indexName: 'by_1_at_-1',
          keyPattern: { by: 1, at: -1 },
          direction: 'backward',
          isMultiKey: false,
          isUnique: false,
          isPartial: false,
          indexBounds: { by: ['[values]'], at: ['[range]'] },
        },
      },
    });
  });

  it('should show the stages after the search', async () => {
    const pipeline = [{ $match: { by: 1 } }, { $group: { _id: '$at' } }, { $sort: { _id: 1 } }];
    const { stages } = await explained({ aggregate: 'rows', pipeline, cursor: {} });
    expect((stages as Json[]).map((stage) => Object.keys(stage)[0])).toEqual(['$cursor', '$group', '$sort']);
  });

  it.each(['executionStats', 'allPlansExecution'])(
    'should tell what the search found and read: %s',
    async (verbosity) => {
      const { executionStats } = await explained({ find: 'rows', filter: { by: 1 } }, { verbosity });
      expect(executionStats).toMatchObject({ executionSuccess: true, nReturned: 10, totalDocsExamined: 10 });
    },
  );

  it('should carry nothing out', async () => {
    await explained({ delete: 'rows', deletes: [{ q: {}, limit: 0 }] });
    expect(await running.client.db('plans').collection('rows').countDocuments({})).toBe(50);
  });

  it.each<[string, Json, Json]>([
    ['another verbosity', { find: 'rows' }, { verbosity: 'all' }],
    ['a command without a plan', { insert: 'rows', documents: [{}] }, {}],
    [
      'several statements',
      {
        update: 'rows',
        updates: [
          { q: {}, u: { $set: { x: 1 } } },
          { q: {}, u: { x: 1 } },
        ],
      },
      {},
    ],
    ['no command', {}, {}],
  ])('should refuse %s', async (_case, command, more) => {
    await expect(explained(command, more)).rejects.toThrow();
  });
});
