// Where the processor time of each route goes: profiles of a warm API, by the part of the program that each sample belongs to. With
// `--set keep=FOLDER`, the profiles stay there, for the developer tools of a browser, and a flame graph of each.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bulkBodies } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { flameGraph } from '../support/flame-graph.mjs';
import { load } from '../support/load.mjs';
import { cpuMs, settle, temporaryFolder, until } from '../support/processes.mjs';
import { PART_NAMES, partsOf, sourceOf } from '../support/profile-parts.mjs';
import { table } from '../support/report.mjs';
import { openStore } from '../support/stores.mjs';
import { fillFeed, questions } from './requests.mjs';

const PROGRAM = fileURLToPath(new URL('../support/profiled.mjs', import.meta.url));
const EVENTS_OF_A_BULK = 100;
/** Until the profiler has started, in milliseconds. */
const PROFILER_MS = 300;
const WRITTEN_WITHIN_MS = 30_000;

export async function run({ settings: { requests, warmup, route, keep }, say }) {
  const folder = keep === '' ? temporaryFolder() : keep;
  mkdirSync(folder, { recursive: true });
  const columns = [];
  for (const name of Object.keys(questionsOf({})).filter((one) => one.includes(route))) {
    const file = join(folder, name.replaceAll(/\W+/g, '-'));
    const apiUs = await profile(name, `${file}.cpuprofile`, { requests, warmup });
    const taken = JSON.parse(readFileSync(`${file}.cpuprofile`, 'utf8'));
    const parts = partsOf(taken, sourceOf);
    writeFileSync(`${file}.svg`, flameGraph(taken, sourceOf));
    const total = [...parts.values()].reduce((sum, us) => sum + us, 0);
    columns.push({ name, apiUs, share: (part) => (100 * (parts.get(part) ?? 0)) / total });
    say(`${name}: ${apiUs.toFixed(0)} µs of the API`);
  }
  const header = ['% of the processor time of the API', ...columns.map(({ name }) => name)];
  const rows = PART_NAMES.map((part) => [part, ...columns.map(({ share }) => share(part).toFixed(0))]);
  const cost = ['µs for each request, without the profiler', ...columns.map(({ apiUs }) => apiUs.toFixed(0))];
  return { tables: [table(header, [...rows, cost])] };
}

/** Those of the comparison, and bulk triggers, of which each event counts as a request. */
function questionsOf({ workflow, messageIds = [] }) {
  const bulk = bulkBodies(EVENTS_OF_A_BULK, (n) => ({ name: workflow, to: `s${n}`, payload: { n } }));
  const path = '/v1/events/trigger/bulk';
  return {
    ...questions({ workflow, messageIds }),
    'bulk of 100, with delivery': {
      each: EVENTS_OF_A_BULK,
      requests: bulk.map((body) => ({ method: 'POST', path, body: JSON.stringify(body) })),
    },
  };
}

/** @returns processor time of the API for each request, in microseconds, of the round before the one that is profiled */
async function profile(name, file, { requests, warmup }) {
  const store = await openStore();
  const uri = store.uriOf('herald');
  const filling = await startHerald({ uri });
  const { apiKey } = filling;
  const world = await fillFeed(store, filling).finally(() => filling.stop());
  const { each = 1, settings, requests: asked } = questionsOf(world)[name];
  const herald = await startHerald({ uri, apiKey, program: PROGRAM, settings: { ...settings, PROFILE_FILE: file } });
  try {
    const pids = herald.pids();
    const send = async (amount) => {
      const before = cpuMs(pids);
      const { sent } = await load({ ...herald, requests: asked, amount: Math.ceil(amount / each) });
      // Work that an answer did not wait for is part of the request.
      await settle([...pids, ...store.pids]);
      return ((cpuMs(pids) - before) * 1_000) / (sent * each);
    };
    await send(warmup);
    const apiUs = await send(requests);
    herald.kill('SIGUSR2');
    await sleep(PROFILER_MS);
    await send(requests);
    herald.kill('SIGUSR2');
    await until(() => isWritten(file), { withinMs: WRITTEN_WITHIN_MS, what: 'the profile' });
    return apiUs;
  } finally {
    await herald.stop();
    await store.close();
  }
}

function isWritten(file) {
  try {
    return readFileSync(file, 'utf8').endsWith('}');
  } catch {
    return false;
  }
}
