// Checks that nothing acknowledged is lost or repeated: events with digests, delays and cancellations come in with a lease of a second,
// while the process is suspended for longer than that, killed and started again. Afterwards every acknowledged event must
// be in exactly one in-app message, except canceled ones. Needs `npm run build`.
//   node bench/promises.mjs [--seconds 60] [--seed 1] [--clients 4]
import { parseArgs } from 'node:util';
import { seededRandom, sleep, startKillableService } from './support/killable-service.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '4' },
  },
});
const SECONDS = Number(values.seconds);
const CLIENTS = Number(values.clients);
const LEASE_MS = 1_000;
const SUBSCRIBERS = 6;
const CATCH_UP_MS = 120_000;
const say = (text) => process.stdout.write(`${text}\n`);
const random = seededRandom(Number(values.seed));
const pick = (list) => list[Math.floor(random() * list.length)];

const service = await startKillableService({ DELIVERY_LEASE_MS: String(LEASE_MS), DELIVERY_POLL_MS: '200' });
const { api } = service;

/** Repeats a request until it is answered: without an answer it may have been carried out or not. */
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
/** Acknowledged events, by number. */
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
      // A lost answer may have been `true`; only a first `false` means that it came too late.
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

/** Suspends or kills the service, again and again. */
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
      await service.restart();
    }
  }
}

/** How many messages name each event, by its number. */
async function countMessages() {
  const found = new Map();
  for (const content of await service.messages()) {
    for (const n of content.split(/\s+/).filter(Boolean).map(Number)) found.set(n, (found.get(n) ?? 0) + 1);
  }
  return found;
}

const lostAmong = (found) => [...events].filter(([n, { isCanceled }]) => !isCanceled && !found.has(n));
try {
  await Promise.all([...Array.from({ length: CLIENTS }, client), trouble()]);
  const ended = Date.now();
  let found = await countMessages();
  while (lostAmong(found).length > 0 && Date.now() - ended < CATCH_UP_MS) {
    await sleep(1_000);
    found = await countMessages();
  }
  // A second message may still come.
  await sleep(6_000);
  found = await countMessages();
  const lost = lostAmong(found);
  const doubled = [...found].filter(([, times]) => times > 1);
  const silenced = [...events].filter(([n, { isCanceled }]) => isCanceled && !found.has(n)).length;
  say(
    `${events.size} acknowledged in ${SECONDS} s with seed ${values.seed}: ${tally.stalls} stalls, ${tally.kills} kills, ` +
      `${tally.cancels} cancellations (${tally.late} too late, ${silenced} events without a message): ` +
      `${lost.length} lost, ${doubled.length} sent twice`,
  );
  const describe = (n) => `${n} (${events.get(n)?.kind})`;
  for (const [n] of lost.slice(0, 20)) {
    const [run] = await insist('GET', `/v1/notifications?transactionId=p${n}`);
    const steps = (run?.jobs ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason ?? ''}`.trim());
    say(`lost: ${describe(n)}: ${run?.status ?? 'no notification'}: ${steps.join(', ')}`);
  }
  if (doubled.length > 0) say(`sent twice: ${doubled.map(([n]) => describe(n)).join(', ')}`);
  process.exitCode = lost.length + doubled.length > 0 ? 1 : 0;
} finally {
  await service.close();
}
