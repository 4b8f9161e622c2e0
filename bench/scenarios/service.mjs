// What the operators of a service are asked for: how many events it accepts, how long a large broadcast takes, how soon a message is in a
// browser, and how soon it goes on after its process was killed. Where there is a redis-server, an application on BullMQ delivers the same.
import { spawnSync } from 'node:child_process';
import { startQueue } from '../support/baselines.mjs';
import { bulkBodies, createSubscribers, createWorkflow, inApp } from '../support/content.mjs';
import { caller, issueProductionKey, startHerald } from '../support/herald.mjs';
import { load, nowMs } from '../support/load.mjs';
import { cpuMs, freePort, settle, startProcess, stopProcess, temporaryFolder, until } from '../support/processes.mjs';
import { percentileFigures } from '../support/report.mjs';
import { openStore } from '../support/stores.mjs';
import { connect, oneByOne } from './sockets.mjs';

const TRIGGER = '/v1/events/trigger';
const CONNECTIONS = 32;
const MOST_WAIT_MS = 30 * 60_000;
const BATCH = 10_000;
const BROWSERS = 20;
const WARM_UP = 1_000;
const LEASE_MS = 10_000;

export async function run({ settings, say }) {
  const store = await openStore();
  const opened = [];
  try {
    const herald = await startHerald({
      uri: store.uriOf('herald'),
      settings: { LOG_LEVEL: 'error', SESSION_LIMIT_PER_ADDRESS: '0', DELIVERY_LEASE_MS: String(LEASE_MS) },
    });
    opened.push(herald);
    const name = await createWorkflow(herald, 'Service', [inApp('Hello {{subscriber.firstName}}, {{payload.n}}')]);
    await createSubscribers(herald, 's', settings.recipients);
    const own = { ...herald, name, store, messages: store.db('herald').collection('messages') };
    const queue = await openQueue(store, settings.recipients);
    if (queue === undefined) say('There is no redis-server: nothing is compared with a queue.');
    else opened.push(queue);
    const figures = [];
    for (const measure of [accepted, broadcast]) {
      const other = queue && (await measure(queue, settings));
      for (const [key, figure] of Object.entries(await measure(own, settings)))
        figures.push(other?.[key] === undefined ? figure : beside(figure, other[key]));
      say(figures.at(-1).name);
    }
    figures.push(
      ...(await segment(own, settings)),
      ...(await toBrowsers(own, settings)),
      ...(await afterKill(own, settings)),
    );
    return { figures, store: store.kind };
  } finally {
    for (const each of opened) await each.stop();
    await store.close();
  }
}

/** An application on BullMQ, with a Redis that writes its log each second, as its manual advises for queues. */
async function openQueue(store, recipients) {
  if (spawnSync('redis-server', ['--version']).status !== 0) return undefined;
  const port = await freePort();
  const options = { port, bind: '127.0.0.1', dir: temporaryFolder(), save: '', appendonly: 'yes' };
  const args = Object.entries(options).flatMap(([key, value]) => [`--${key}`, String(value)]);
  const redis = startProcess('redis-server', args);
  const app = await startQueue(store.uriOf('queue'), port);
  const subscribers = store.db('queue').collection('subscribers');
  for (let from = 0; from < recipients; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, recipients - from) }, (_, n) => ({
      subscriberId: `s${from + n}`,
      firstName: 'Ada',
    }));
    await subscribers.insertMany(rows);
  }
  return {
    ...app,
    store,
    call: caller(app.url, ''),
    messages: store.db('queue').collection('messages'),
    pids: () => [...app.pids(), redis.pid],
    stop: async () => {
      await app.stop();
      await stopProcess(redis);
    },
  };
}

/** Single triggers, each of one message; processor time is that of the program, its store and its Redis. */
async function accepted(contestant, { events, recipients }) {
  const { messages, store, pids, name } = contestant;
  const requests = Array.from({ length: Math.min(events, recipients) }, (_, n) => ({
    method: 'POST',
    path: TRIGGER,
    body: JSON.stringify({ ...(name !== undefined && { name }), to: `s${n}`, payload: { n } }),
  }));
  const send = async (amount) => {
    const before = await messages.estimatedDocumentCount();
    const answer = await load({ ...contestant, requests, amount, connections: CONNECTIONS });
    await stored(messages, before + answer.sent);
    return { ...answer, deliveredMs: nowMs() - answer.startedAt };
  };
  await send(WARM_UP);
  const all = () => [...pids(), ...store.pids];
  await settle(all());
  const before = cpuMs(all());
  const { sent, seconds, deliveredMs } = await send(events);
  await settle(all());
  const cpuUs = ((cpuMs(all()) - before) * 1_000) / sent;
  return {
    accepted: { name: 'single triggers, accepted while they are delivered', unit: 'events/s', value: sent / seconds },
    delivered: { name: 'single triggers, delivered', unit: 'messages/s', value: (sent * 1_000) / deliveredMs },
    cost: {
      name: 'processor time of a million of them, with the store',
      unit: 'hours',
      value: cpuUs / 3_600,
      isLess: true,
    },
  };
}

async function broadcast({ call, messages, name }, { recipients }) {
  const before = await messages.estimatedDocumentCount();
  const begun = nowMs();
  // Some programs answer only when all of it is in their queue.
  const answer = call('POST', `${TRIGGER}/broadcast`, { ...(name !== undefined && { name }), payload: { n: 0 } });
  await Promise.all([stored(messages, before + recipients), answer.catch(() => undefined)]);
  const value = (nowMs() - begun) / 1_000;
  const count = recipients.toLocaleString('en');
  return { broadcast: { name: `broadcast to ${count}, all stored and visible`, unit: 's', value, isLess: true } };
}

/** To a segment of everybody. */
async function segment({ call, messages, name }, { recipients }) {
  const children = [{ on: 'subscriber', field: 'firstName', operator: 'EQUAL', value: 'Ada' }];
  const { segmentId } = await call('POST', '/v1/segments', {
    segmentId: 'all',
    name: 'All',
    conditions: [{ children }],
  });
  const begun = nowMs();
  const { count } = await call('GET', `/v1/segments/${segmentId}/preview`);
  const countedMs = nowMs() - begun;
  const before = await messages.estimatedDocumentCount();
  await call('POST', TRIGGER, { name, to: { type: 'Segment', segmentId }, payload: { n: 0 } });
  await stored(messages, before + recipients);
  const value = (nowMs() - begun - countedMs) / 1_000;
  return [
    { name: `a segment of ${count.toLocaleString('en')} is counted`, unit: 's', value: countedMs / 1_000 },
    { name: `event to a segment of ${recipients.toLocaleString('en')}, all stored and visible`, unit: 's', value },
  ];
}

/** From the answer to the event in the browser; then the same while another environment triggers as much as is accepted. */
async function toBrowsers(herald, { probes }) {
  const clients = [];
  for (let n = 0; n < BROWSERS; n += 1) clients.push(await connect(herald, `s${n}`));
  try {
    const idle = await oneByOne(herald, herald.name, clients, probes);
    const apiKey = issueProductionKey(herald.store.uriOf('herald'));
    const call = caller(herald.url, apiKey);
    const name = await createWorkflow({ call }, 'Flood', [inApp('Hello {{n}}')]);
    const requests = bulkBodies(10_000, (n) => ({ name, to: `f${n}`, payload: { n } })).map((body) => ({
      method: 'POST',
      path: `${TRIGGER}/bulk`,
      body: JSON.stringify(body),
    }));
    let isOver = false;
    let offered = 0;
    const began = nowMs();
    const flood = (async () => {
      while (!isOver) offered += (await load({ ...herald, apiKey, requests, seconds: 2, connections: 4 })).answered;
    })();
    const beside = await oneByOne(herald, herald.name, clients, probes).finally(() => (isOver = true));
    await flood;
    const rate = Math.round((offered * 100_000) / (nowMs() - began)).toLocaleString('en');
    return [
      ...percentileFigures('from the answer to the browser, idle', idle),
      ...percentileFigures(`from the answer to the browser, beside ${rate} events/s of another environment`, beside),
    ];
  } finally {
    for (const { socket } of clients) socket.close();
    await settle([...herald.pids(), ...herald.store.pids], { withinMs: MOST_WAIT_MS });
  }
}

/** Kills the process when all events are accepted, and starts it again at once. */
async function afterKill(herald, { killed }) {
  const { messages, name } = herald;
  const before = await messages.estimatedDocumentCount();
  const bodies = bulkBodies(killed, (n) => ({ name, to: `s${n % WARM_UP}`, payload: { n } }));
  await Promise.all(bodies.map((body) => herald.call('POST', `${TRIGGER}/bulk`, body)));
  herald.kill('SIGKILL');
  const begun = nowMs();
  const left = before + killed - (await messages.estimatedDocumentCount());
  await herald.restart();
  const readyMs = nowMs() - begun;
  await stored(messages, before + killed - left + 1);
  const firstMs = nowMs() - begun;
  await stored(messages, before + killed);
  const lastMs = nowMs() - begun;
  const note = `${left.toLocaleString('en')} of ${killed.toLocaleString('en')} were left`;
  return [
    { name: 'from kill -9 to ready', unit: 's', value: readyMs / 1_000 },
    { name: 'from kill -9 to the first delivery', unit: 's', value: firstMs / 1_000, note },
    {
      name: 'from kill -9 to the last delivery',
      unit: 's',
      value: lastMs / 1_000,
      note: `the lease of the dead process is ${LEASE_MS / 1_000} s`,
    },
  ];
}

function stored(messages, count) {
  const have = async () => (await messages.estimatedDocumentCount()) >= count;
  return until(have, { everyMs: 10, withinMs: MOST_WAIT_MS, what: `${count} messages` });
}

/** Above 1, Herald is better. */
function beside({ isLess, ...figure }, { value }) {
  const ratio = isLess === true ? value / figure.value : figure.value / value;
  return { ...figure, reference: { name: 'queue', value, ratio } };
}
