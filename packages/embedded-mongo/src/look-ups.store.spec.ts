import { ObjectId, startTestServer, type TestServer } from '../test/support/server.js';

type Id = InstanceType<typeof ObjectId>;
interface Row {
  _id: Id;
  by: Id;
  n: number;
}

describe('a long list of values', () => {
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
  });

  afterAll(async () => {
    await running.stop();
  });

  it('should be looked up instead of reading everything', async () => {
    const collection = running.client.db('query').collection<Row>('looked_up');
    await collection.createIndex({ by: 1 });
    const docs = Array.from({ length: 6000 }, (_, n) => ({ _id: new ObjectId(), by: new ObjectId(), n }));
    await collection.insertMany(docs);
    const wanted = docs.filter(({ n }) => n % 2 === 0 && n < 5000);
    const ids = wanted.map(({ _id }) => _id);
    const by = wanted.map((doc) => doc.by);
    const numbers = (found: { n: number }[]): number[] => found.map(({ n }) => n);
    expect(numbers(await collection.find({ _id: { $in: ids } }).toArray())).toEqual(numbers(wanted));
    expect(await collection.countDocuments({ by: { $in: by }, n: { $gte: 1000 } })).toBe(2000);
    const last = await collection
      .find({ by: { $in: by } })
      .sort({ by: -1 })
      .limit(3)
      .toArray();
    expect(numbers(last)).toEqual([4998, 4996, 4994]);
    expect((await collection.updateMany({ _id: { $in: ids } }, { $set: { n: -1 } })).matchedCount).toBe(2500);
    const scans = running.log.filter(({ msg, ns }) => msg === 'scan without an index' && ns === 'query.looked_up');
    expect(scans).toEqual([]);
  });
});
