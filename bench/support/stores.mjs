// The store of a scenario: embedded, on a temporary folder, or the MongoDB at MONGODB_URI. All contestants use the same one,
// each with a database of its own.
import { randomBytes } from 'node:crypto';
import { launchEmbeddedMongo } from '@herald/embedded-mongo';
import mongoose from 'mongoose';
import { temporaryFolder } from './processes.mjs';

// The driver that Mongoose brings, so that all contestants use the same version.
const { MongoClient } = mongoose.mongo;
const COPY_BATCH = 1_000;

/**
 * Opens a store; `databases` are dropped and the embedded store is removed when it is closed.
 * @param keep folder of an embedded store that stays, with its databases, for the next run
 * @param clockShiftMs by which the clock of the embedded store is fast
 * @param options of the embedded store
 */
export async function openStore({ keep, clockShiftMs = 0, ...options } = {}) {
  const given = keep === undefined ? process.env.MONGODB_URI : undefined;
  const dataDir = keep ?? temporaryFolder();
  const launch = () => withClock(clockShiftMs, () => launchEmbeddedMongo({ dataDir, ...options }));
  const embedded = given === undefined ? await launch() : undefined;
  const base = embedded?.uri ?? given;
  const client = await new MongoClient(base, { serverSelectionTimeoutMS: 5_000 }).connect();
  const databases = new Map();
  // A run never touches a database that it has not created.
  const run = keep === undefined ? randomBytes(4).toString('hex') : 'kept';
  return {
    kind: embedded === undefined ? 'MongoDB' : 'embedded store',
    /** Process ids of the store, as far as they are known here. */
    pids: embedded === undefined ? [] : [embedded.pid],
    /** @returns connection string of a database with a name of this run */
    uriOf(name) {
      databases.set(name, client.db(`herald_bench_${run}_${name}`));
      const uri = new URL(base);
      uri.pathname = `/herald_bench_${run}_${name}`;
      return uri.href;
    },
    db: (name) => databases.get(name),
    async close() {
      if (keep === undefined)
        for (const database of databases.values()) await database.dropDatabase().catch(() => undefined);
      await client.close();
      await embedded?.stop();
    },
  };
}

/** A store that is started inherits the environment. */
async function withClock(shiftMs, start) {
  if (shiftMs === 0) return start();
  const preloaded = new URL('../faults/shifted-clock.mjs', import.meta.url).href;
  const changed = { NODE_OPTIONS: `--import ${preloaded}`, CLOCK_SHIFT_MS: String(shiftMs) };
  const before = Object.fromEntries(Object.keys(changed).map((name) => [name, process.env[name]]));
  Object.assign(process.env, changed);
  try {
    return await start();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** Copies documents and indexes, so that contestants answer from the same data and pay for the same indexes. */
export async function copyCollection(from, to, name) {
  const source = from.collection(name);
  const target = to.collection(name);
  await copyIndexes(source, target);
  const rows = await source.find({}).toArray();
  for (let start = 0; start < rows.length; start += COPY_BATCH)
    await target.insertMany(rows.slice(start, start + COPY_BATCH));
}

/** Copies some fields of the documents, and creates the given indexes. */
export async function copyReduced(source, target, { fields, indexes }) {
  await target.createIndexes(indexes);
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  await target.insertMany(await source.find({}, { projection }).toArray());
}

export async function copyIndexes(source, target) {
  for (const { key, name, unique, partialFilterExpression, expireAfterSeconds } of await source.indexes()) {
    if (name === '_id_') continue;
    await target.createIndex(key, {
      name,
      ...(unique && { unique }),
      ...(partialFilterExpression && { partialFilterExpression }),
      ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
    });
  }
}
