// Checks that nothing acknowledged is lost or repeated: events with digests, delays and cancellations come in with a lease of a second,
// while the process is suspended for longer than that, killed and started again. Afterwards every acknowledged event must
// be in exactly one in-app message, except canceled ones.
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorkflow, inApp, inAppContents, timed } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { seededRandom } from '../support/statistics.mjs';

const LEASE_MS = 1_000;
const SUBSCRIBERS = 6;
const CATCH_UP_MS = 120_000;
/** A second message may still come. */
const SECOND_MESSAGE_MS = 6_000;

const backoff = {
  template: { type: 'digest', content: '' },
  metadata: { type: 'backoff', amount: 3, unit: 'seconds', backoffAmount: 2, backoffUnit: 'seconds' },
};
const LIST = inApp('{{#if step.digest}}{{#each step.events}}{{n}} {{/each}}{{else}}{{n}}{{/if}}');
const KINDS = {
  now: [LIST],
  delay: [timed('delay', 2), LIST],
  digest: [timed('digest', 2), LIST],
  'digest, then delay': [timed('digest', 1), timed('delay', 2), LIST],
  'digest, then digest': [timed('digest', 1), timed('digest', 2), LIST],
  backoff: [backoff, LIST],
};

export async function run({ settings, say }) {
  const herald = await startHerald({
    settings: { LOG_LEVEL: 'error', DELIVERY_LEASE_MS: String(LEASE_MS), DELIVERY_POLL_MS: '200' },
  });
  try {
    const workflows = {};
    for (const [name, steps] of Object.entries(KINDS))
      workflows[name] = await createWorkflow(herald, `Promises: ${name}`, steps);
    const world = {
      herald,
      workflows,
      random: seededRandom(settings.seed),
      endsAt: Date.now() + settings.seconds * 1_000,
      /** Acknowledged events, by number. */
      events: new Map(),
      tally: { stalls: 0, kills: 0, cancels: 0, late: 0 },
      next: 0,
    };
    await Promise.all([...Array.from({ length: settings.clients }, () => client(world)), disturb(world)]);
    return await check(world, settings, say);
  } finally {
    await herald.stop();
  }
}

/** Repeats a request until it is answered: without an answer it may have been carried out or not. */
async function insist({ call }, method, path, body) {
  for (;;) {
    try {
      return await call(method, path, body);
    } catch (error) {
      if (/: 4\d\d /.test(String(error))) throw error;
      await sleep(100);
    }
  }
}

async function client(world) {
  const { herald, workflows, random, events, endsAt } = world;
  const kinds = Object.keys(KINDS);
  while (Date.now() < endsAt) {
    const n = world.next++;
    const kind = kinds[Math.floor(random() * kinds.length)];
    const transactionId = `p${n}`;
    const to = `s${Math.floor(random() * SUBSCRIBERS)}`;
    await insist(herald, 'POST', '/v1/events/trigger', { name: workflows[kind], to, payload: { n }, transactionId });
    const event = { kind, to, isCanceled: false };
    events.set(n, event);
    if (random() < 0.15) {
      await sleep(random() * 3_000);
      await cancel(world, event, transactionId);
    }
    await sleep(random() * 40);
  }
}

async function cancel({ herald, tally }, event, transactionId) {
  const path = `/v1/events/trigger/${transactionId}`;
  event.isCanceled = true;
  tally.cancels += 1;
  // A lost answer may have been `true`; only a first `false` means that it came too late.
  const answer = await herald.call('DELETE', path).catch(() => undefined);
  if (answer === false) {
    event.isCanceled = false;
    tally.late += 1;
  }
  if (answer === undefined) await insist(herald, 'DELETE', path);
}

/** Suspends or kills the service, again and again. */
async function disturb({ herald, random, endsAt, tally }) {
  while (Date.now() < endsAt - 3_000) {
    await sleep(700 + random() * 2_000);
    if (random() < 0.65) {
      tally.stalls += 1;
      herald.kill('SIGSTOP');
      await sleep(LEASE_MS * (0.7 + random() * 1.5));
      herald.kill('SIGCONT');
    } else {
      tally.kills += 1;
      herald.kill('SIGKILL');
      await sleep(200);
      await herald.restart();
    }
  }
}

async function check({ herald, events, tally }, settings, say) {
  const lostAmong = (found) => [...events].filter(([n, { isCanceled }]) => !isCanceled && !found.has(n));
  const ended = Date.now();
  while (lostAmong(await countMessages(herald)).length > 0 && Date.now() - ended < CATCH_UP_MS) await sleep(1_000);
  await sleep(SECOND_MESSAGE_MS);
  const found = await countMessages(herald);
  const lost = lostAmong(found);
  const doubled = [...found].filter(([, times]) => times > 1);
  const silenced = [...events].filter(([n, { isCanceled }]) => isCanceled && !found.has(n)).length;
  say(
    `${events.size} acknowledged in ${settings.seconds} s with seed ${settings.seed}: ${tally.stalls} stalls, ${tally.kills} kills, ` +
      `${tally.cancels} cancellations (${tally.late} too late, ${silenced} events without a message): ` +
      `${lost.length} lost, ${doubled.length} sent twice`,
  );
  const describe = (n) => `${n} (${events.get(n)?.kind})`;
  for (const [n] of lost.slice(0, 20)) {
    const [notification] = await insist(herald, 'GET', `/v1/notifications?transactionId=p${n}`);
    const steps = (notification?.jobs ?? []).map(({ type, status, reason }) =>
      `${type} ${status} ${reason ?? ''}`.trim(),
    );
    say(`lost: ${describe(n)}: ${notification?.status ?? 'no notification'}: ${steps.join(', ')}`);
  }
  if (doubled.length > 0) say(`sent twice: ${doubled.map(([n]) => describe(n)).join(', ')}`);
  return { isGood: lost.length + doubled.length === 0 };
}

/** How many messages name each event, by its number. */
async function countMessages(herald) {
  const found = new Map();
  for (const content of await inAppContents(herald)) {
    for (const n of content.split(/\s+/).filter(Boolean).map(Number)) found.set(n, (found.get(n) ?? 0) + 1);
  }
  return found;
}
