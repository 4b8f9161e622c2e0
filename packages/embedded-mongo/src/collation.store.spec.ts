import { startTestServer, type TestServer } from '../test/support/server.js';

interface Row {
  _id: number;
  s?: unknown;
}

const ROWS = ['résumé', 'Resume', 'resume', 'Résumé', 'zebra', 'Äpfel', 'apfel', 'item 10', 'item 9'];

describe('collation', () => {
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
    await rows().createIndex({ s: 1 });
    await rows().insertMany(ROWS.map((s, _id) => ({ _id, s })));
    await rows().insertMany([{ _id: 20, s: 5 }, { _id: 21, s: ['RESUME', 1] }, { _id: 22 }]);
  });

  afterAll(async () => {
    await running.stop();
  });

  const rows = () => running.client.db('words').collection<Row>('rows');
  const ids = async (filter: object, options: object): Promise<number[]> =>
    (
      await rows()
        .find(filter, { sort: { _id: 1 }, ...options })
        .toArray()
    ).map(({ _id }) => _id);

  it.each<[string, object, number, number[]]>([
    ['letters alone', { s: 'resume' }, 1, [0, 1, 2, 3, 21]],
    ['accents as well', { s: 'resume' }, 2, [1, 2, 21]],
    ['everything', { s: 'resume' }, 3, [2]],
    ['one of several', { s: { $in: ['ZEBRA', 'apfel', 5] } }, 2, [4, 6, 20]],
    ['none of several', { s: { $nin: ['RESUME', null] } }, 1, [4, 5, 6, 7, 8, 20]],
    ['a range', { s: { $gte: 'RESUME', $lt: 'resumf' } }, 1, [0, 1, 2, 3, 21]],
    ['an element', { s: { $elemMatch: { $eq: 'resume' } } }, 1, [21]],
    ['no text', { s: 5 }, 1, [20]],
  ])('should find texts by %s', async (_what, filter, strength, expected) => {
    const collation = { locale: 'en', strength };
    expect(await ids(filter, { collation })).toEqual(expected);
    expect(await rows().countDocuments(filter, { collation })).toBe(expected.length);
  });

  it('should sort by the rules of the language, in both directions and with a limit', async () => {
    const filter = { _id: { $lt: 20 } };
    const sorted = (options: object) => ids(filter, { sort: { s: 1, _id: 1 }, ...options });
    const byLocale = (locale: string, options?: Intl.CollatorOptions): number[] => {
      const { compare } = new Intl.Collator(locale, options);
      return ROWS.map((text, at) => ({ text, at }))
        .sort((a, b) => compare(a.text, b.text) || a.at - b.at)
        .map(({ at }) => at);
    };
    expect(await sorted({ collation: { locale: 'de' } })).toEqual(byLocale('de'));
    expect(await sorted({ collation: { locale: 'de' } })).not.toEqual(await sorted({}));
    expect(await sorted({ collation: { locale: 'en', numericOrdering: true } })).toEqual(
      byLocale('en', { numeric: true }),
    );
    expect(await sorted({ collation: { locale: 'sv', caseFirst: 'upper' }, limit: 3 })).toEqual(
      byLocale('sv', { caseFirst: 'upper' }).slice(0, 3),
    );
    expect(await sorted({ sort: { s: -1 }, collation: { locale: 'de' } })).toEqual(byLocale('de').reverse());
  });

  it('should change, remove, count apart and aggregate by it', async () => {
    const own = running.client.db('words').collection<{ _id: number; s: string; n?: number }>('own');
    await own.insertMany([
      { _id: 1, s: 'A' },
      { _id: 2, s: 'a' },
      { _id: 3, s: 'b' },
    ]);
    const collation = { locale: 'en', strength: 2 } as const;
    expect((await own.updateMany({ s: 'a' }, { $set: { n: 1 } }, { collation })).modifiedCount).toBe(2);
    expect(
      await own.findOneAndUpdate({ s: 'B' }, { $set: { n: 2 } }, { collation, returnDocument: 'after' }),
    ).toMatchObject({ n: 2 });
    expect(await own.distinct('s', {}, { collation })).toEqual(['A', 'b']);
    const found = await own.aggregate([{ $match: { s: 'A' } }, { $sort: { s: 1, _id: -1 } }], { collation }).toArray();
    expect(found.map(({ _id }) => Number(_id))).toEqual([2, 1]);
    expect((await own.deleteMany({ s: 'A' }, { collation })).deletedCount).toBe(2);
  });

  it.each([
    ['a strength beyond 3', { find: 'rows', collation: { locale: 'en', strength: 4 } }, /use 1, 2 or 3/],
    ['an unknown locale', { find: 'rows', collation: { locale: 'zz-nowhere-x' } }, /not known/],
    ['an unknown option', { find: 'rows', collation: { locale: 'en', loud: true } }, /unknown collation option/],
    ['no locale', { find: 'rows', collation: { strength: 1 } }, /needs a 'locale'/],
    ['$expr', { find: 'rows', filter: { $expr: { $eq: ['$s', 'A'] } }, collation: { locale: 'en' } }, /\$eq and \$in/],
    [
      'a group',
      { aggregate: 'rows', pipeline: [{ $group: { _id: '$s' } }], cursor: {}, collation: { locale: 'en' } },
      /lower case/,
    ],
    [
      'an index',
      { createIndexes: 'rows', indexes: [{ key: { x: 1 }, name: 'x', collation: { locale: 'en' } }] },
      /lower case/,
    ],
    ['a collection', { create: 'other', collation: { locale: 'en' } }, /with each find/],
  ])('should refuse %s, with what to do', async (_what, command, message) => {
    await expect(running.client.db('words').command(command)).rejects.toThrow(message);
  });
});
