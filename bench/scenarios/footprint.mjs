// What Herald takes: time to start, memory, size of the package, bytes on disk for each notification. Always on the embedded store.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../tools/build.mjs';
import { bulkBodies, createSubscribers, createWorkflow, inApp } from '../support/content.mjs';
import { caller, startHerald } from '../support/herald.mjs';
import { load } from '../support/load.mjs';
import {
  anonymousMb,
  freePort,
  hasEnded,
  residentMb,
  settle,
  startProcess,
  stopProcess,
  until,
} from '../support/processes.mjs';
import { figureOf } from '../support/report.mjs';

const SUBSCRIBERS = 1_000;
/** By then an idle process has given back what its start left. */
const IDLE_MS = 45_000;
const BLOCK_BYTES = 512;
const MEGABYTE = 1_048_576;

export async function run({ settings: { notifications, starts, rest } }) {
  const herald = await startHerald();
  const [api, store] = [herald.pids(), [herald.storePid()]];
  await sleep(IDLE_MS);
  const idle = { api: residentMb(api), store: residentMb(store) };
  const bytes = await deliver(herald, notifications);
  await settle([...api, ...store]);
  const memory = () => ({ api: residentMb(api), store: residentMb(store), ownOfStore: anonymousMb(store) });
  const after = memory();
  await sleep(rest * 1_000);
  const rested = memory();
  await herald.stop();
  const rounds = [];
  for (let round = 0; round < starts; round += 1) rounds.push({ seconds: await secondsToReady(herald) });
  const count = notifications.toLocaleString('en');
  return {
    figures: [
      figureOf(`npm start to ready, ${count} notifications in the store`, 's', rounds, 'seconds'),
      { name: 'memory, idle', unit: 'MB', value: idle.api, note: `and ${idle.store.toFixed(0)} MB of the store` },
      memoryFigure(`memory after ${count} notifications`, after),
      ...(rest > 0 ? [memoryFigure(`memory after ${rest} s without work`, rested)] : []),
      { name: 'on disk for each one-step notification', unit: 'bytes', value: bytes },
      {
        name: 'bundle',
        unit: 'MB',
        value: sizeOf(join(ROOT, 'dist/bundle'), (name) => name.endsWith('.js')) / MEGABYTE,
      },
      { name: 'node_modules of production', unit: 'MB', value: productionModules() / MEGABYTE },
    ],
  };
}

function memoryFigure(name, { api, store, ownOfStore }) {
  const note = `and ${store.toFixed(0)} MB of the store, ${ownOfStore.toFixed(0)} without its file`;
  return { name, unit: 'MB', value: api, note };
}

/** Delivers one-step in-app notifications. @returns how much each made the data on disk grow */
async function deliver(herald, count) {
  const name = await createWorkflow(herald, 'Footprint', [inApp('Hello {{subscriber.firstName}}, {{n}}')]);
  await createSubscribers(herald, 's', SUBSCRIBERS);
  const send = async (from, events) => {
    const bodies = bulkBodies(events, (n) => ({ name, to: `s${(from + n) % SUBSCRIBERS}`, payload: { n } }));
    const requests = bodies.map((body) => ({
      method: 'POST',
      path: '/v1/events/trigger/bulk',
      body: JSON.stringify(body),
    }));
    await load({ ...herald, requests, amount: requests.length, connections: 4 });
    await until(async () => (await sentBy(herald)) >= from + events, {
      everyMs: 250,
      withinMs: 1_800_000,
      what: 'all notifications',
    });
    await settle([...herald.pids(), herald.storePid()]);
  };
  // Pages that the first notifications allocate are not what the next ones need.
  await send(0, SUBSCRIBERS);
  const before = onDisk(herald.dataDir);
  await send(SUBSCRIBERS, count);
  return (onDisk(herald.dataDir) - before) / count;
}

/** Messages so far. An event whose recipients are not yet found has no notification to wait for. */
async function sentBy(herald) {
  const { providers } = await herald.call('GET', '/v1/activity/delivery?period=day');
  return providers.reduce((total, { sent }) => total + sent, 0);
}

/** From `npm start`, npm and the check of the build included, to the first request with a key that is answered. */
async function secondsToReady({ dataDir, apiKey, env: settings }) {
  const port = await freePort();
  const call = caller(`http://127.0.0.1:${port}`, apiKey);
  const env = { ...settings, PORT: String(port) };
  const started = performance.now();
  const npm = startProcess('npm', ['start', '--silent'], { cwd: ROOT, env });
  const isReady = () => {
    if (hasEnded(npm)) throw new Error('npm start has ended.');
    return call('GET', '/v1/notification-groups').then(Boolean, () => false);
  };
  try {
    await until(isReady, { everyMs: 10, withinMs: 60_000, what: 'npm start' });
    return (performance.now() - started) / 1_000;
  } finally {
    await stopProcess(npm);
    await until(() => !existsSync(join(dataDir, 'store/mongo.sock')), { withinMs: 20_000, what: 'the store to close' });
  }
}

/** Allocated bytes, which can be fewer than the length of a file with holes. */
function onDisk(folder) {
  return sum(filesBelow(folder).map((file) => (statSync(file, { throwIfNoEntry: false })?.blocks ?? 0) * BLOCK_BYTES));
}

const sizeOf = (folder, isWanted = () => true) =>
  sum(
    filesBelow(folder)
      .filter(isWanted)
      .map((file) => statSync(file).size),
  );

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** Dependencies that only build; the image goes without them. */
const BUILD_TOOLS = /node_modules\/(typescript|esbuild|@esbuild\/[^/]+)$/;

/** What the image contains, of the packages that are installed here. */
function productionModules() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const folders = Object.entries(packages)
    .filter(([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link)
    .filter(([path]) => !BUILD_TOOLS.test(path))
    .map(([path]) => join(ROOT, path))
    .filter((path) => existsSync(path));
  // A package inside another one is a folder of its own in the list.
  const own = (folder) => (file) => !file.slice(folder.length).includes('/node_modules/');
  return sum(folders.map((folder) => sizeOf(folder, own(folder))));
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
