// Holds Herald to its promise for a while: events with digests, delays and cancellations come in with a lease of a second,
// while the processes are stopped for longer than that, killed and started again. Afterwards every acknowledged event must
// be in exactly one in-app message, but those that were called off. Needs `npm run build`.
//   node bench/promises.mjs [--seconds 60] [--seed 1] [--clients 4]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { apiProgram } from '../tools/build.mjs';
import { call } from './support/service.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '4' },
  },
});
const SECONDS = Number(values.seconds);
const CLIENTS = Number(values.clients);
const API_KEY = 'key-of-the-promises-run';
const LEASE_MS = 1_000;
const SUBSCRIBERS = 6;
const CATCH_UP_MS = 120_000;
const say = (text) => process.stdout.write(`${text}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Random numbers that a seed repeats. */
let state = Number(values.seed);
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const pick = (list) => list[Math.floor(random() * list.length)];

const dataDir = mkdtempSync(join(tmpdir(), 'herald-promises-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
let service = await start();

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return free;
}

/** Starts the service; the store of a killed one may need a moment to let go of its folder. */
async function start() {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    const child = spawn(process.execPath, [apiProgram()], {
      env: {
        ...process.env,
        PORT: String(port),
        DATA_DIR: dataDir,
        API_KEY,
        LOG_LEVEL: 'error',
        DELIVERY_LEASE_MS: String(LEASE_MS),
        DELIVERY_POLL_MS: '200',
      },
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    let hasEnded = false;
    child.once('exit', () => (hasEnded = true));
    for (let look = 0; look < 1_200 && !hasEnded; look += 1) {
      const isUp = await fetch(`${url}/v1/health-check`, { signal: AbortSignal.timeout(2_000) }).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isUp) return child;
      await sleep(50);
    }
    child.kill('SIGKILL');
    await sleep(500);
  }
  throw new Error('The service does not start.');
}

const api = (method, path, body) => call(url, API_KEY, method, path, body);

/** Asks until there is an answer: a request that was not answered may have been carried out or not. */
async function insist(method, path, body) {
  for (;;) {
    try {
      return await api(method, path, body);
    } catch (error) {
      if (/: 4\d\d /.test(String(error))) throw error;
      await sleep(100);
    }
  }
}

const digest = (amount) => ({
  template: { type: 'digest', content: '' },
  metadata: { type: 'regular', amount, unit: 'seconds' },
});
const delay = (amount) => ({
  template: { type: 'delay', content: '' },
  metadata: { type: 'regular', amount, unit: 'seconds' },
});
const backoff = {
  template: { type: 'digest', content: '' },
  metadata: { type: 'backoff', amount: 3, unit: 'seconds', backoffAmount: 2, backoffUnit: 'seconds' },
};
const LIST = {
  template: { type: 'in_app', content: '{{#if step.digest}}{{#each step.events}}{{n}} {{/each}}{{else}}{{n}}{{/if}}' },
};
const KINDS = {
  now: [LIST],
  delay: [delay(2), LIST],
  digest: [digest(2), LIST],
  'digest, then delay': [digest(1), delay(2), LIST],
  'digest, then digest': [digest(1), digest(2), LIST],
  backoff: [backoff, LIST],
};

const [group] = await insist('GET', '/v1/notification-groups');
const workflows = {};
for (const [name, steps] of Object.entries(KINDS)) {
  const body = { name: `Promises: ${name}`, notificationGroupId: group._id, active: true, steps };
  workflows[name] = (await insist('POST', '/v1/workflows', body)).triggers[0].identifier;
}

const endsAt = Date.now() + SECONDS * 1_000;
/** Acknowledged events: what they are, and whether they were called off. */
const events = new Map();
const tally = { stalls: 0, kills: 0, cancels: 0, late: 0 };
let next = 0;

async function client() {
  while (Date.now() < endsAt) {
    const n = next++;
    const kind = pick(Object.keys(KINDS));
    const transactionId = `p${n}`;
    const to = `s${Math.floor(random() * SUBSCRIBERS)}`;
    await insist('POST', '/v1/events/trigger', { name: workflows[kind], to, payload: { n }, transactionId });
    const event = { kind, to, isCanceled: false };
    events.set(n, event);
    if (random() < 0.15) {
      await sleep(random() * 3_000);
      event.isCanceled = true;
      tally.cancels += 1;
      // An answer that got lost may have been `true`; only the first `false` says that it came too late.
      const answer = await api('DELETE', `/v1/events/trigger/${transactionId}`).catch(() => undefined);
      if (answer === false) {
        event.isCanceled = false;
        tally.late += 1;
      }
      if (answer === undefined) await insist('DELETE', `/v1/events/trigger/${transactionId}`);
    }
    await sleep(random() * 40);
  }
}

/** Stops and kills, one after the other. */
async function trouble() {
  while (Date.now() < endsAt - 3_000) {
    await sleep(700 + random() * 2_000);
    if (random() < 0.65) {
      tally.stalls += 1;
      service.kill('SIGSTOP');
      await sleep(LEASE_MS * (0.7 + random() * 1.5));
      service.kill('SIGCONT');
    } else {
      tally.kills += 1;
      service.kill('SIGKILL');
      await sleep(200);
      service = await start();
    }
  }
}

/** How often each event is told, by its number. */
async function told() {
  const found = new Map();
  for (let page = 0; ; page += 1) {
    const answer = await fetch(`${url}/v1/messages?channel=in_app&limit=100&page=${page}`, {
      headers: { authorization: `ApiKey ${API_KEY}` },
    });
    const { data, hasMore } = await answer.json();
    for (const { content } of data) {
      for (const n of content.trim().split(/\s+/).filter(Boolean).map(Number)) found.set(n, (found.get(n) ?? 0) + 1);
    }
    if (!hasMore) return found;
  }
}

const lostAmong = (found) => [...events].filter(([n, { isCanceled }]) => !isCanceled && !found.has(n));
try {
  await Promise.all([...Array.from({ length: CLIENTS }, client), trouble()]);
  const ended = Date.now();
  let found = await told();
  while (lostAmong(found).length > 0 && Date.now() - ended < CATCH_UP_MS) {
    await sleep(1_000);
    found = await told();
  }
  // What would be told twice may still come.
  await sleep(6_000);
  found = await told();
  const lost = lostAmong(found);
  const doubled = [...found].filter(([, times]) => times > 1);
  const silenced = [...events].filter(([n, { isCanceled }]) => isCanceled && !found.has(n)).length;
  say(
    `${events.size} acknowledged in ${SECONDS} s with seed ${values.seed}: ${tally.stalls} stalls, ${tally.kills} kills, ` +
      `${tally.cancels} cancellations (${tally.late} too late, ${silenced} events not told): ` +
      `${lost.length} lost, ${doubled.length} told twice`,
  );
  const describe = (n) => `${n} (${events.get(n)?.kind})`;
  for (const [n] of lost.slice(0, 20)) {
    const [run] = await insist('GET', `/v1/notifications?transactionId=p${n}`);
    const steps = (run?.jobs ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason ?? ''}`.trim());
    say(`lost: ${describe(n)}: ${run?.status ?? 'no notification'}: ${steps.join(', ')}`);
  }
  if (doubled.length > 0) say(`told twice: ${doubled.map(([n]) => describe(n)).join(', ')}`);
  process.exitCode = lost.length + doubled.length > 0 ? 1 : 0;
} finally {
  service.kill('SIGTERM');
  await sleep(2_000);
  service.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 });
}
