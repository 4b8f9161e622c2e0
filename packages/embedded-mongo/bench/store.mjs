import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import mongoose from 'mongoose';
import { launchEmbeddedMongo } from '../dist/index.js';

/**
 * Speeds of the embedded store through the driver, and what a restart costs with many documents.
 * `npm run bench -w @herald/embedded-mongo -- [documents=100000]`; 1000000 for the restart figure. Build first.
 */
const documents = Number(process.argv[2] ?? 100_000);
const dataDir = mkdtempSync(join(tmpdir(), 'embedded-bench-'));
const { MongoClient, ObjectId } = mongoose.mongo;
const pad = 'x'.repeat(300);
const orgs = Array.from({ length: 100 }, () => new ObjectId());
const make = (i) => ({
  org: orgs[i % 100],
  key: `key-${i}`,
  n: i,
  state: i % 3 ? 'sent' : 'pending',
  createdAt: new Date(1.7e12 + i * 1000),
  pad,
  deleted: false,
});

/** CPU time that the store has used so far, in ms; more reliable than the clock on a busy machine. */
function storeCpu() {
  try {
    const fields = readFileSync(`/proc/${store.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

async function timed(label, count, work, clients = 1) {
  let next = 0;
  const cpu = storeCpu();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) await work(next++);
    }),
  );
  const ms = performance.now() - started;
  console.log(
    `${label.padEnd(46)} ${Math.round((count / ms) * 1000)
      .toLocaleString('en')
      .padStart(9)}/s  ${(ms / count).toFixed(3)} ms  store CPU ${((storeCpu() - cpu) / count).toFixed(3)} ms`,
  );
}

let store = await launchEmbeddedMongo({ dataDir });
let client = await new MongoClient(store.uri, { maxPoolSize: 40 }).connect();
let things = client.db('bench').collection('things');
await things.createIndexes([
  { key: { key: 1 }, unique: true, name: 'key' },
  { key: { org: 1, createdAt: -1 }, name: 'org_created' },
  { key: { state: 1, createdAt: 1 }, name: 'state' },
]);

const cpuBefore = storeCpu();
const loading = performance.now();
for (let i = 0; i < documents; i += 1000) await things.insertMany(Array.from({ length: 1000 }, (_, j) => make(i + j)));
console.log(
  `insertMany x1000, 3 indexes${' '.repeat(20)} ${Math.round((documents / (performance.now() - loading)) * 1000)
    .toLocaleString('en')
    .padStart(9)} docs/s  store CPU ${((storeCpu() - cpuBefore) / documents).toFixed(4)} ms`,
);

const ids = await things
  .find({}, { projection: { _id: 1 }, limit: 5000 })
  .map((doc) => doc._id)
  .toArray();
const random = () => Math.floor(Math.random() * documents);
const id = () => ids[Math.floor(Math.random() * ids.length)];
await timed('findOne _id (warm-up)', 3000, () => things.findOne({ _id: id() }));
await timed('findOne _id', 10_000, () => things.findOne({ _id: id() }));
await timed('findOne unique field', 10_000, () => things.findOne({ key: `key-${random()}` }));
await timed('findOne unique field, 20 clients', 30_000, () => things.findOne({ key: `key-${random()}` }), 20);
await timed('find org sort createdAt limit 10', 5000, () =>
  things
    .find({ org: orgs[random() % 100] })
    .sort({ createdAt: -1 })
    .limit(10)
    .toArray(),
);
await timed('insertOne', 3000, (i) => things.insertOne({ ...make(i), key: `one-${i}` }));
await timed('insertOne, 32 clients', 20_000, (i) => things.insertOne({ ...make(i), key: `many-${i}` }), 32);
await timed('updateOne _id $set', 3000, (i) => things.updateOne({ _id: id() }, { $set: { n: i } }));
await timed('updateOne _id $set, 20 clients', 20_000, (i) => things.updateOne({ _id: id() }, { $set: { n: i } }), 20);
await timed('findOneAndUpdate claim, sorted', 2000, () =>
  things.findOneAndUpdate({ state: 'pending' }, { $set: { state: 'claimed' } }, { sort: { createdAt: 1 } }),
);
await timed('bulkWrite 100 updateOne', 200, () =>
  things.bulkWrite(
    Array.from({ length: 100 }, () => ({ updateOne: { filter: { _id: id() }, update: { $inc: { n: 1 } } } })),
    { ordered: false },
  ),
);
await timed('countDocuments by index (1 % of all)', 200, () => things.countDocuments({ org: orgs[random() % 100] }));
await timed('full scan findOne without index', 3, () => things.findOne({ pad: 'nowhere' }));
await timed('$group over everything', 1, () =>
  things.aggregate([{ $group: { _id: '$state', n: { $sum: '$n' } } }]).toArray(),
);

let slowest = 0;
let scanning = true;
const scan = (async () => {
  let seen = 0;
  for await (const doc of things.find({}, { batchSize: 1000 })) seen += doc === null ? 0 : 1;
  scanning = false;
  return seen;
})();
while (scanning) {
  const started = performance.now();
  await things.findOne({ _id: id() });
  slowest = Math.max(slowest, performance.now() - started);
}
console.log(
  `streamed ${(await scan).toLocaleString('en')} documents; slowest point read during it ${slowest.toFixed(1)} ms`,
);
const { mem } = await client.db('admin').command({ serverStatus: 1 });
console.log(`resident memory of the store ${mem.resident} MB (mapped pages included)`);
await client.close();
await store.stop();

const restarted = performance.now();
store = await launchEmbeddedMongo({ dataDir });
console.log(
  `restart with ${documents.toLocaleString('en')} documents: ready after ${(performance.now() - restarted).toFixed(0)} ms`,
);
client = await new MongoClient(store.uri).connect();
things = client.db('bench').collection('things');
await timed('findOne unique field after the restart', 5000, () => things.findOne({ key: `key-${random()}` }));
console.log(`count after the restart: ${await things.estimatedDocumentCount()}`);
await client.close();
await store.stop();
if (existsSync(dataDir)) rmSync(dataDir, { recursive: true, force: true });
