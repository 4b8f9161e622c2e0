// What commands cost the store as it grows: the same reads, claims and inserts are measured each time that the number of stored
// notifications has grown tenfold. The records are written straight into the store, in the pattern of a delivered notification.
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { launchEmbeddedMongo } from '@herald/embedded-mongo';
import mongoose from 'mongoose';
import { createWorkflow, inApp } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { cpuMs, settle, temporaryFolder, until } from '../support/processes.mjs';
import { median, percentile } from '../support/statistics.mjs';
import { addNotifications, readPattern } from '../support/stored-records.mjs';

const { MongoClient, ObjectId } = mongoose.mongo;
const SMALLEST = 10_000;
const CLAIMED = 100;
const INSERTED = 250;
const LEASE_MS = 30_000;

export async function run({ settings: { largest, asks }, say }) {
  const dataDir = temporaryFolder();
  const store = await launchEmbeddedMongo({ dataDir });
  const uri = new URL(store.uri);
  uri.pathname = '/herald';
  const client = await new MongoClient(store.uri).connect();
  try {
    await deliverOne(uri.href);
    const db = client.db('herald');
    const pattern = await readPattern(db);
    const owners = [pattern.subscriber._id];
    const bytesBefore = await bytesOf(dataDir);
    const startMs = Date.now() - largest * 1_000;
    const figures = [];
    const rounds = Math.ceil(asks / 50);
    let from = 0;
    for (let size = Math.min(SMALLEST, largest); size <= largest; size *= 10) {
      const began = performance.now();
      await addNotifications(db, pattern, { from, to: size, owners, startMs });
      say(`${size.toLocaleString('en')} notifications; the last ${size - from} in ${seconds(began)} s`);
      await settle([store.pid]);
      for (const [name, ask] of Object.entries(QUESTIONS))
        figures.push(await measure(`${name}, ${label(size)}`, store.pid, asks, () => ask(db, pattern, owners)));
      figures.push(...(await measureWrites(db, pattern, { size, owners, pid: store.pid, rounds })));
      const bytes = ((await bytesOf(dataDir)) - bytesBefore) / size;
      figures.push({ name: `on disk for each notification, ${label(size)}`, unit: 'bytes', value: bytes });
      from = size + rounds * INSERTED;
    }
    return { figures, store: 'embedded store' };
  } finally {
    await client.close();
    await store.stop();
  }
}

const label = (size) => `of ${size.toLocaleString('en')}`;
const seconds = (began) => Math.round((performance.now() - began) / 1_000);
const anyOf = (owners) => owners[Math.floor(Math.random() * owners.length)];
const inboxOf = ({ message }, owners) => ({
  _environmentId: message._environmentId,
  _subscriberId: anyOf(owners),
  channel: 'in_app',
  deleted: false,
});

/** As Herald asks them. */
const QUESTIONS = {
  'a subscriber': (db, { subscriber }, owners) =>
    db.collection('subscribers').findOne({ _environmentId: subscriber._environmentId, _id: anyOf(owners) }),
  'the notifications of a subscriber': (db, { notification }, owners) =>
    db
      .collection('notifications')
      .find({ _environmentId: notification._environmentId, _subscriberId: anyOf(owners) })
      .sort({ createdAt: -1, _id: -1 })
      .limit(11)
      .toArray(),
  'a page of a feed': (db, pattern, owners) =>
    db.collection('messages').find(inboxOf(pattern, owners)).sort({ createdAt: -1, _id: -1 }).limit(11).toArray(),
  'an unseen count': (db, pattern, owners) =>
    db.collection('messages').countDocuments({ ...inboxOf(pattern, owners), seen: false }, { limit: 101 }),
  'the newest messages of the environment': (db, { message }) =>
    db
      .collection('messages')
      .find({ _environmentId: message._environmentId, channel: 'in_app', deleted: false })
      .sort({ createdAt: -1, _id: -1 })
      .limit(11)
      .toArray(),
};

/** Time and processor time of the store for one question. */
async function measure(name, pid, times, ask) {
  for (let n = 0; n < 20; n += 1) await ask();
  const spent = [];
  const before = cpuMs([pid]);
  for (let n = 0; n < times; n += 1) {
    const began = performance.now();
    await ask();
    spent.push(performance.now() - began);
  }
  const cpuUs = ((cpuMs([pid]) - before) * 1_000) / times;
  const note = `p99 ${percentile(spent, 99).toFixed(2)} ms, ${Math.round(cpuUs)} µs of the store`;
  return { name, unit: 'ms', value: median(spent), note };
}

/** Claims and inserts, in turns, so that each claim finds new work among old records. */
async function measureWrites(db, pattern, { size, owners, pid, rounds }) {
  const spent = { claims: [], inserts: [] };
  const cpu = { claims: 0, inserts: 0 };
  const timed = async (kind, act) => {
    const [began, before] = [performance.now(), cpuMs([pid])];
    await act();
    spent[kind].push(performance.now() - began);
    cpu[kind] += cpuMs([pid]) - before;
  };
  for (let round = 0; round < rounds; round += 1) {
    const written = { from: size + round * INSERTED, to: size + (round + 1) * INSERTED, owners, startMs: Date.now() };
    await timed('inserts', () => addNotifications(db, pattern, written));
    await makeDue(db, pattern, owners);
    await timed('claims', () => claimAndEnd(db));
  }
  const figure = (kind, name, count) => ({
    name: `${name}, ${label(size)}`,
    unit: 'ms',
    value: median(spent[kind]),
    note: `${Math.round((cpu[kind] * 1_000) / rounds / count)} µs of the store for each`,
  });
  return [
    figure('claims', `a claim of ${CLAIMED}, and its outcomes`, CLAIMED),
    figure('inserts', `inserts of ${INSERTED} events, runs and messages`, INSERTED),
  ];
}

async function makeDue(db, { notification }, owners) {
  const wakeAt = new Date();
  const rows = Array.from({ length: CLAIMED }, () => {
    const key = { _id: new ObjectId(), _eventId: new ObjectId(), _subscriberId: anyOf(owners) };
    return { ...notification, ...key, status: 'active', lane: 'store', wakeAt, createdAt: wakeAt };
  });
  await db.collection('notifications').insertMany(rows, { ordered: false });
}

/** The commands of a claim, and one update of each record. */
async function claimAndEnd(db) {
  const collection = db.collection('notifications');
  const now = new Date();
  const heads = await collection
    .find({ wakeAt: { $lte: now } })
    .sort({ wakeAt: 1 })
    .limit(1_000)
    .project({ lane: 1, _environmentId: 1, _subscriberId: 1 })
    .toArray();
  const ids = { _id: { $in: heads.map(({ _id }) => _id) }, _environmentId: heads[0]._environmentId };
  const lease = new ObjectId().toHexString();
  const leased = { $set: { lease, wakeAt: new Date(now.getTime() + LEASE_MS) }, $inc: { takenUp: 1 } };
  await collection.updateMany({ ...ids, wakeAt: { $lte: now } }, leased);
  const held = await collection.find({ ...ids, lease }).toArray();
  const ended = { $set: { status: 'completed', updatedAt: now }, $unset: { wakeAt: 1, lease: 1, lane: 1, takenUp: 1 } };
  const updates = held.map(({ _id, _environmentId, _subscriberId }) => ({
    updateOne: { filter: { _id, _environmentId, _subscriberId, lease }, update: ended },
  }));
  const { matchedCount } = await collection.bulkWrite(updates, { ordered: false });
  if (matchedCount !== CLAIMED) throw new Error(`${matchedCount} of ${CLAIMED} records were claimed.`);
}

async function deliverOne(uri) {
  const herald = await startHerald({ uri, settings: { LOG_LEVEL: 'error' } });
  const name = await createWorkflow(herald, 'Hello', [inApp('Hello {{name}}')]);
  await herald.call('POST', '/v1/subscribers', { subscriberId: 'ann', firstName: 'Ann', email: 'ann@example.com' });
  await herald.call('POST', '/v1/events/trigger', { name, to: 'ann', payload: { name: 'Ann' } });
  const isDone = async () => (await herald.call('GET', '/v1/notifications?status=completed')).length > 0;
  await until(isDone, { what: 'a notification' });
  await herald.stop();
}

/** What the files of a folder take on disk: those of the store have room ahead that is not used yet. */
async function bytesOf(folder) {
  const names = await readdir(folder, { recursive: true });
  return names.reduce((total, name) => total + statSync(join(folder, name)).blocks * 512, 0);
}
