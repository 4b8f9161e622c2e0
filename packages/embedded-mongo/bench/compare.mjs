// One client's commands on two builds of the store, alternately, because clock rates differ from minute to minute.
//   npm run bench:compare -w @herald/embedded-mongo -- /path/to/another/dist/index.js [rounds=5] [documents=5000]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import mongoose from 'mongoose';

const DOCUMENTS = Number(process.argv[4] ?? 5_000);
const TICK_US = 10_000;
const [other, rounds = '5'] = process.argv.slice(2);
if (other === undefined) throw new Error('Name the index.js of another build.');
const builds = { this: new URL('../dist/index.js', import.meta.url).href, other: resolve(other) };
const { MongoClient, ObjectId } = mongoose.mongo;
const pad = 'x'.repeat(300);
const orgs = Array.from({ length: 100 }, () => new ObjectId());
const indexes = [
  { key: { key: 1 }, unique: true, name: 'key' },
  { key: { org: 1, createdAt: -1, _id: -1 }, name: 'newest' },
  { key: { state: 1, createdAt: 1 }, name: 'state' },
];

const figures = new Map();
for (let round = 0; round < Number(rounds); round += 1)
  for (const [name, build] of Object.entries(builds)) await measure(name, build);
for (const [name, values] of figures)
  console.log(`${name.padEnd(40)} ${Math.round(median(values)).toLocaleString('en')}`);

async function measure(name, build) {
  const { launchEmbeddedMongo } = await import(build);
  const dataDir = mkdtempSync(join(tmpdir(), 'embedded-compare-'));
  const store = await launchEmbeddedMongo({ dataDir });
  const client = await new MongoClient(store.uri).connect();
  const things = client.db('bench').collection('things');
  await things.createIndexes(indexes);
  const make = (i) => ({
    org: orgs[i % 100],
    key: `key-${i}`,
    state: i % 3 ? 'sent' : 'pending',
    createdAt: new Date(1.7e12 + i * 1000),
    pad,
  });
  const find = (i) => things.findOne({ key: `key-${(i * 37) % DOCUMENTS}` });
  await timed(`${name}: insertOne`, store.pid, (i) => things.insertOne(make(i)));
  await timed(`${name}: find by an index, first`, store.pid, find);
  await timed(`${name}: find by an index`, store.pid, find);
  const page = (i) =>
    things
      .find({ org: orgs[i % 100] })
      .sort({ createdAt: -1, _id: -1 })
      .limit(10)
      .toArray();
  await timed(`${name}: page of ten`, store.pid, page);
  await timed(`${name}: updateOne`, store.pid, (i) => things.updateOne({ key: `key-${i}` }, { $set: { n: i } }));
  await timed(`${name}: countDocuments`, store.pid, (i) => things.countDocuments({ org: orgs[i % 100] }));
  await client.close();
  await store.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function timed(name, pid, work) {
  const [began, used] = [performance.now(), processorUs(pid)];
  for (let i = 0; i < DOCUMENTS; i += 1) await work(i);
  add(`${name}, per second`, DOCUMENTS / ((performance.now() - began) / 1_000));
  add(`${name}, µs of the store's processor`, (processorUs(pid) - used) / DOCUMENTS);
}

function add(name, value) {
  figures.set(name, [...(figures.get(name) ?? []), value]);
}

function processorUs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
