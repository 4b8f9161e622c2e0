// The lower bound of delivery: the documents of one-step notifications inserted into collections with Herald's indexes, and nothing
// else. Its parent sends { way, count } and gets { seconds }.
//   node bench/baselines/insert-loop.mjs <uri>, with an IPC channel
import mongoose from 'mongoose';

const BATCH = 250;
const CONCURRENCY = 32;
const { MongoClient, ObjectId } = mongoose.mongo;
const client = await new MongoClient(process.argv[2], { maxPoolSize: 20 }).connect();
const db = client.db();
const collections = await db.listCollections({}, { nameOnly: true }).toArray();
const kinds = await Promise.all(
  collections.map(async ({ name }) => ({ target: db.collection(name), sample: await db.collection(name).findOne({}) })),
);
/** A transaction of its own, because ids of transactions are unique. */
const rowOf = (sample) => {
  const _id = new ObjectId();
  return { ...sample, _id, transactionId: _id.toHexString() };
};

const WAYS = {
  /** One insert for each 250 documents of each kind: the bound of bulk triggers and broadcasts. */
  async many(count) {
    for (let from = 0; from < count; from += BATCH) {
      const size = Math.min(BATCH, count - from);
      for (const { target, sample } of kinds) {
        const rows = Array.from({ length: size }, () => rowOf(sample));
        await target.insertMany(rows, { ordered: false });
      }
    }
  },
  /** One insert for each document, 32 notifications at once: the bound of single triggers. */
  async single(count) {
    let next = 0;
    const worker = async () => {
      while (next < count) {
        next += 1;
        for (const { target, sample } of kinds) await target.insertOne(rowOf(sample));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  },
};

process.once('disconnect', () => process.exit());
process.on('message', async ({ way, count }) => {
  const started = performance.now();
  await WAYS[way](count);
  process.send({ seconds: (performance.now() - started) / 1_000 });
});
process.send('ready');
