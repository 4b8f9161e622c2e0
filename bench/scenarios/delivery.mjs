// From a trigger to stored in-app messages: as many as possible, and one at a time while the service is idle.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { startCommandProxy } from '../support/command-proxy.mjs';
import { bulkBodies, createSubscribers, createWorkflow, inApp } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { load, nowMs } from '../support/load.mjs';
import { cpuMs, settle, startProcess, stopProcess, until } from '../support/processes.mjs';
import { figureOf, percentileFigures } from '../support/report.mjs';
import { alternately, median } from '../support/statistics.mjs';
import { copyIndexes, openStore } from '../support/stores.mjs';

const WARM_UP_EVENTS = 2_000;
const COUNTED_EVENTS = 500;
const PAUSE_MS = 20;

export async function run({ settings, say }) {
  const store = await openStore();
  const uri = store.uriOf('herald');
  let herald;
  try {
    const { ways, commands } = await prepare(store, uri, settings);
    herald = await startHerald({ uri, apiKey: ways.apiKey });
    await ways.bulk(herald, WARM_UP_EVENTS);
    const saturated = await saturate({ store, herald, ways, settings });
    const figures = figuresOf(saturated, commands);
    for (const { name, value } of figures) say(`${name}: ${value.toFixed(0)}`);
    figures.push(...(await idle({ store, herald, ways, settings })));
    return { figures, store: store.kind };
  } finally {
    await herald?.stop();
    await store.close();
  }
}

/** Makes the workflow and the subscribers, and counts store commands for each notification behind a proxy. */
async function prepare(store, uri, { count }) {
  const proxy = await startCommandProxy(uri);
  const herald = await startHerald({ uri: proxy.uri });
  try {
    const workflow = await createWorkflow(herald, 'Bench', [inApp('Hello {{subscriber.firstName}}, {{n}}')]);
    await createSubscribers(herald, 's', count);
    const ways = { ...waysOf(store, workflow), apiKey: herald.apiKey };
    await ways.bulk(herald, COUNTED_EVENTS);
    const commands = {};
    for (const [way, events] of [
      ['bulk', COUNTED_EVENTS],
      ['single', COUNTED_EVENTS],
      ['broadcast', count],
    ]) {
      await settle(herald.pids());
      const before = proxy.count();
      await ways[way](herald, events);
      await settle(herald.pids());
      commands[way] = (proxy.count() - before) / events;
    }
    return { ways, commands };
  } finally {
    await herald.stop();
    proxy.close();
  }
}

/** Each sends events and waits until their messages are stored. */
function waysOf(store, workflow) {
  const messages = store.db('herald').collection('messages');
  // Asked every few ms, which costs the store much less than one message.
  const have = async (count) => (await messages.estimatedDocumentCount()) >= count;
  /** @returns seconds from the first request to the last message */
  const delivered = async (count, send) => {
    const before = await messages.estimatedDocumentCount();
    const { startedAt } = await send();
    await until(() => have(before + count), { everyMs: 5, what: `${count} messages` });
    return (nowMs() - startedAt) / 1_000;
  };
  const events = (herald, path, bodies, connections) => {
    const requests = bodies.map((body) => ({ method: 'POST', path, body: JSON.stringify(body) }));
    return load({ ...herald, requests, amount: requests.length, connections });
  };
  const event = (n) => ({ name: workflow, to: `s${n % 1_000}`, payload: { n } });
  return {
    event,
    bulk: (herald, count) =>
      delivered(count, () => events(herald, '/v1/events/trigger/bulk', bulkBodies(count, event), 4)),
    single: (herald, count) =>
      delivered(count, () =>
        events(
          herald,
          '/v1/events/trigger',
          Array.from({ length: count }, (_, n) => event(n)),
          32,
        ),
      ),
    broadcast: (herald, count) =>
      delivered(count, async () => {
        const startedAt = nowMs();
        await herald.call('POST', '/v1/events/trigger/broadcast', { name: workflow, payload: { n: 1 } });
        return { startedAt };
      }),
  };
}

async function saturate({ store, herald, ways, settings: { rounds, count } }) {
  const loop = await startInsertLoop(store);
  const singles = Math.ceil(count / 4);
  const contestants = {
    bulk: { pids: herald.pids(), count, run: () => ways.bulk(herald, count) },
    broadcast: { pids: herald.pids(), count, run: () => ways.broadcast(herald, count) },
    'loop of inserts of many': { pids: [loop.pid], count, run: () => loop.insert('many', count) },
    single: { pids: herald.pids(), count: singles, run: () => ways.single(herald, singles) },
    'loop of single inserts': { pids: [loop.pid], count: singles, run: () => loop.insert('single', singles) },
  };
  const results = await alternately(contestants, rounds, async ({ pids, count: size, run: deliver }) => {
    await settle([...pids, ...store.pids]);
    const before = { api: cpuMs(pids), store: cpuMs(store.pids) };
    const seconds = await deliver();
    await settle([...pids, ...store.pids]);
    return {
      perSecond: size / seconds,
      apiUs: ((cpuMs(pids) - before.api) * 1_000) / size,
      storeUs: ((cpuMs(store.pids) - before.store) * 1_000) / size,
    };
  });
  await loop.stop();
  return { ...results, inserts: loop.inserts };
}

function figuresOf({ inserts, ...results }, commands) {
  const cost = (way) => {
    const [api, store] = ['apiUs', 'storeUs'].map((key) => median(results[way].map((value) => value[key])).toFixed(0));
    const asked = commands[way] === undefined ? '' : `, ${commands[way].toFixed(2)} store commands`;
    return `${api} + ${store} µs of API and store${asked}`;
  };
  const figure = (name, way, loop) => {
    const reference = loop && { name: `${inserts} inserts each`, rounds: results[loop] };
    return { ...figureOf(name, 'messages/s', results[way], 'perSecond', reference), note: cost(way) };
  };
  return [
    figure('in-app, single triggers, 32 at once', 'single', 'loop of single inserts'),
    figure('in-app, bulk of 100', 'bulk', 'loop of inserts of many'),
    figure('in-app, broadcast', 'broadcast', 'loop of inserts of many'),
  ];
}

/** A process that inserts the four documents of a notification into collections with the same indexes. */
async function startInsertLoop(store) {
  const uri = store.uriOf('loop');
  const samples = Object.entries(await documentsOfOne(store.db('herald')));
  for (const [name, sample] of samples) {
    await copyIndexes(store.db('herald').collection(name), store.db('loop').collection(name));
    await store.db('loop').collection(name).insertOne(sample);
  }
  const program = new URL('../baselines/insert-loop.mjs', import.meta.url).pathname;
  const child = startProcess(process.execPath, [program, uri], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(child, 'message');
  return {
    pid: child.pid,
    inserts: samples.length,
    insert: async (way, count) => {
      child.send({ way, count });
      return (await once(child, 'message'))[0].seconds;
    },
    stop: () => stopProcess(child),
  };
}

/**
 * The documents of a one-step notification: event, run, message, and the details of the run in a document of their own. Herald
 * keeps the details in the run, which saves an insert and an index entry; the loop is the plain way, so it does not.
 */
async function documentsOfOne(db) {
  const run = await db.collection('notifications').findOne({ status: 'completed' }, { sort: { _id: -1 } });
  const { trail = [], ...notifications } = run;
  const { _id, _organizationId, _environmentId, _templateId, _subscriberId, transactionId, expireAt, createdAt } = run;
  const entries = trail.map(({ d: detail, r: raw, u: status = 'Success' }) => ({
    _id: new mongoose.mongo.ObjectId(),
    _jobId: run.steps[0]._id,
    channel: run.steps[0].type,
    detail,
    source: 'Internal',
    status,
    ...(raw !== undefined && { raw }),
    createdAt,
  }));
  return {
    triggerEvents: await db.collection('triggerEvents').findOne({ _id: run._eventId }),
    notifications,
    messages: await db.collection('messages').findOne({ _notificationId: _id }),
    executionDetails: {
      _organizationId,
      _environmentId,
      _notificationId: _id,
      _notificationTemplateId: _templateId,
      _subscriberId,
      transactionId,
      entries,
      expireAt,
      createdAt,
    },
  };
}

/** One trigger at a time. The store is asked for the message again and again, so the times are up to a millisecond too long. */
async function idle({ store, herald, ways, settings: { idle: count } }) {
  const messages = store.db('herald').collection('messages');
  const { _environmentId } = await messages.findOne({});
  const answered = [];
  const stored = [];
  for (let n = 0; n < count; n += 1) {
    const started = performance.now();
    const { transactionId } = await herald.call('POST', '/v1/events/trigger', ways.event(n));
    const answeredAt = performance.now();
    const isStored = () =>
      messages.findOne({ _environmentId, transactionId, deleted: false }, { projection: { _id: 1 } });
    await until(async () => (await isStored()) !== null, { everyMs: 1, withinMs: 10_000, what: 'a message' });
    answered.push(answeredAt - started);
    stored.push(performance.now() - answeredAt);
    await sleep(PAUSE_MS);
  }
  return [
    ...percentileFigures('idle: from a trigger to its answer', answered),
    ...percentileFigures('idle: from the answer to the stored message', stored),
  ];
}
