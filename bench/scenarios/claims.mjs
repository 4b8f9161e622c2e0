// One, two, four and eight workers that empty the same queue: how many records they finish, what they ask the store for each, and how
// much of what they read others have claimed first. The workers are those of libs/work; their work is a wait.
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { ROOT } from '../../tools/build.mjs';
import { until } from '../support/processes.mjs';
import { openStore } from '../support/stores.mjs';
import { alternately, median } from '../support/statistics.mjs';

const { MongoClient, ObjectId } = mongoose.mongo;
const BUILT = 'dist/libs/work';
const LANE = 'store';
/** Of each worker, as in the lane of steps that need only the store. */
const SLOTS = { size: 1_000, sizePerGroup: 500, worthClaiming: 250 };
const WORK_MS = 1;
const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const INSERTED = 1_000;
/** With its indexes, about what a notification is. */
const FILLING = 'x'.repeat(1_000);

export async function run({ settings: { records, workers, beside, rounds }, say }) {
  const contestants = { claims: BUILT, ...(beside !== '' && { [`claims of ${beside}`]: beside }) };
  const store = await openStore();
  const figures = [];
  try {
    for (const count of String(workers).split(',').map(Number)) {
      const results = await alternately(contestants, rounds, (folder) => measure(store, folder, count, records));
      for (const [name, found] of Object.entries(results)) {
        const of = (figure) => median(found.map((round) => round[figure]));
        const who = `${name}, ${count} worker${count === 1 ? '' : 's'}`;
        say(`${who}: ${Math.round(of('perSecond'))} records/s`);
        figures.push(
          { name: `${who}: records`, unit: '/s', value: of('perSecond') },
          { name: `${who}: store commands`, unit: 'for each record', value: of('commands') },
          { name: `${who}: read and left to others`, unit: '% of what was read', value: of('leftPercent') },
        );
      }
    }
    return { figures, store: store.kind };
  } finally {
    await store.close();
  }
}

async function measure(store, folder, count, records) {
  const work = await import(pathToFileURL(resolve(ROOT, folder, 'src/index.js')).href);
  const uri = store.uriOf('claims');
  const collection = store.db('claims').collection('records');
  await collection.drop().catch(() => undefined);
  await fill(collection, records);
  const tally = { finished: 0, commands: 0, read: 0 };
  const clients = [];
  const started = [];
  for (let n = 0; n < count; n += 1) {
    const client = await new MongoClient(uri, { monitorCommands: true }).connect();
    countReads(client, tally);
    clients.push(client);
    started.push(workerOf(work, client.db().collection('records'), tally));
  }
  tally.commands = 0;
  const startedAt = performance.now();
  for (const worker of started) worker.start();
  await until(() => tally.finished >= records, { everyMs: 5, withinMs: 300_000, what: 'the end of all records' });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { commands, read } = tally;
  await Promise.all(started.map((worker) => worker.stop()));
  await Promise.all(clients.map((client) => client.close()));
  return {
    perSecond: records / seconds,
    commands: commands / records,
    leftPercent: (1 - records / read) * 100,
  };
}

async function fill(collection, records) {
  const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
  await collection.createIndex({ wakeAt: 1 }, waiting);
  await collection.createIndex({ lane: 1, _groupId: 1, wakeAt: 1 }, waiting);
  await collection.createIndex(
    { suspectGroup: -1, wakeAt: 1 },
    { partialFilterExpression: { suspectGroup: { $exists: true } } },
  );
  const _groupId = new ObjectId();
  const dueMs = Date.now() - records;
  for (let from = 0; from < records; from += INSERTED) {
    const rows = Array.from({ length: Math.min(INSERTED, records - from) }, (_, n) => ({
      _groupId,
      lane: LANE,
      wakeAt: new Date(dueMs + from + n),
      filling: FILLING,
    }));
    await collection.insertMany(rows);
  }
}

/** What a worker asks the store, and how many records it reads to choose from them. */
function countReads(client, tally) {
  const heads = new Set();
  client.on('commandStarted', ({ requestId, commandName, command }) => {
    tally.commands += 1;
    if (commandName === 'find' && command.projection !== undefined && command.limit > 1) heads.add(requestId);
  });
  client.on('commandSucceeded', ({ requestId, reply }) => {
    if (heads.delete(requestId)) tally.read += reply.cursor.firstBatch.length;
  });
}

function workerOf({ Background, ClaimedWork, ClaimSlots, InFlight, Suspects, Worker, WorkQueue }, collection, tally) {
  const clock = { now: () => new Date() };
  const background = new Background((error) => {
    throw error;
  });
  const slots = new ClaimSlots(SLOTS);
  const capacity = new Map([[LANE, slots]]);
  const inFlight = new InFlight();
  const queue = new WorkQueue({
    collection: () => collection,
    groupBy: '_groupId',
    clock,
    leaseMs: LEASE_MS,
    maxLosses: 5,
  });
  const carryOut = async (records) => {
    await sleep(records.length * WORK_MS);
    const end = { $unset: { wakeAt: 1, lease: 1 } };
    const finished = await queue.save(records.map((record) => ({ record, update: end })));
    tally.finished += finished;
    for (const record of records) {
      inFlight.delete(record);
      slots.release(record._groupId.toHexString());
    }
    worker.wake();
  };
  const claimed = new ClaimedWork({
    queue,
    suspects: new Suspects({ clock, maxBlockMs: LEASE_MS }),
    inFlight,
    background,
    capacity: () => capacity,
    begin: (records) => {
      for (const record of records) {
        inFlight.add(record);
        slots.take(record._groupId.toHexString());
      }
      background.start(() => carryOut(records));
      return Promise.resolve();
    },
    setAside: () => Promise.resolve(),
  });
  const worker = new Worker({ sources: [claimed], background, clock, leaseMs: LEASE_MS, pollMs: POLL_MS });
  return worker;
}
