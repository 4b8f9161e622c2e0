// Kills Herald with SIGKILL at random moments while events with delays, digests and mails come in, starts it again, and then checks
// that every acknowledged notification was delivered: in-app messages exactly once, mails at most once more for each crash.
import { setTimeout as sleep } from 'node:timers/promises';
import { createWorkflow, inApp, inAppContents, mail, smtpIntegration, timed } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { startSmtpServer } from '../support/receivers.mjs';
import { seededRandom } from '../support/statistics.mjs';

const WAIT_SECONDS = 3;
const CATCH_UP_MS = 30_000;
const CLIENTS = 8;

export async function run({ settings, say }) {
  const smtp = await startSmtpServer();
  const herald = await startHerald({ settings: { LOG_LEVEL: 'error' } });
  try {
    await smtpIntegration(herald, smtp.port);
    const workflows = await createWorkflows(herald);
    const { acknowledged, kills } = await sendAndKill(herald, workflows, settings, say);
    return await check({ herald, smtp, acknowledged, kills, settings, say });
  } finally {
    await Promise.all([herald.stop(), smtp.stop()]);
  }
}

async function createWorkflows(herald) {
  return {
    now: await createWorkflow(herald, 'Crash now', [inApp('now {{n}}')]),
    delay: await createWorkflow(herald, 'Crash delay', [timed('delay', WAIT_SECONDS), inApp('delay {{n}}')]),
    digest: await createWorkflow(herald, 'Crash digest', [
      timed('digest', WAIT_SECONDS),
      inApp('digest {{#each step.events}}{{n}} {{/each}}'),
    ]),
    mail: await createWorkflow(herald, 'Crash mail', [mail('mail {{n}}', '<p>{{n}}</p>')]),
  };
}

/** @returns the numbers of the acknowledged events of each kind */
async function sendAndKill(herald, workflows, settings, say) {
  const random = seededRandom(settings.seed);
  const kinds = Object.keys(workflows);
  const acknowledged = Object.fromEntries(kinds.map((kind) => [kind, new Set()]));
  let next = 0;
  const client = async () => {
    while (next < settings.events) {
      const n = next++;
      const kind = kinds[n % kinds.length];
      const to = { subscriberId: `s${n % 20}`, email: `s${n % 20}@example.com` };
      const body = { name: workflows[kind], to, payload: { n }, transactionId: `t${n}` };
      while (!(await succeeds(herald.call('POST', '/v1/events/trigger', body)))) await sleep(100);
      acknowledged[kind].add(n);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  let kills = 0;
  while (kills < settings.kills) {
    await sleep(500 + random() * 2_500);
    kills += 1;
    say(`kill ${kills} after ${Math.min(next, settings.events)} events`);
    herald.kill('SIGKILL');
    await sleep(500);
    await herald.restart();
  }
  await clients;
  return { acknowledged, kills };
}

const succeeds = (promise) =>
  promise.then(
    () => true,
    () => false,
  );

async function check({ herald, smtp, acknowledged, kills, settings, say }) {
  const restarted = Date.now();
  const kinds = Object.keys(acknowledged);
  const missingIn = (found) => kinds.flatMap((kind) => [...acknowledged[kind]].filter((n) => !found[kind].has(n)));
  let found = await delivered(herald, smtp, kinds);
  while (missingIn(found).length > 0 && Date.now() - restarted < CATCH_UP_MS) {
    await sleep(500);
    found = await delivered(herald, smtp, kinds);
  }
  const seconds = ((Date.now() - restarted) / 1_000).toFixed(1);
  const missing = missingIn(found);
  const doubled = kinds.filter((kind) => kind !== 'mail').flatMap((kind) => [...found[kind]].filter(([, n]) => n > 1));
  const repeated = [...found.mail].filter(([, count]) => count > 1);
  const tooOften = repeated.filter(([, count]) => count > 1 + kills);
  say(
    `${settings.events} acknowledged, ${kills} kills: ${missing.length} missing ${seconds} s after the last start, ` +
      `${doubled.length} in-app messages doubled, ${repeated.length} mails sent again`,
  );
  const isGood = missing.length === 0 && doubled.length === 0 && tooOften.length === 0;
  if (!isGood) say(JSON.stringify({ missing: missing.slice(0, 20), doubled: doubled.slice(0, 20), tooOften }));
  return { isGood };
}

/** How often each event was delivered, by its kind and number. */
async function delivered(herald, smtp, kinds) {
  const found = Object.fromEntries(kinds.map((kind) => [kind, new Map()]));
  for (const content of await inAppContents(herald)) {
    const [kind, ...numbers] = content.split(' ');
    for (const n of numbers.map(Number)) found[kind].set(n, (found[kind].get(n) ?? 0) + 1);
  }
  for (const [subject, count] of await smtp.counts()) found.mail.set(Number(subject.split(' ')[1]), count);
  return found;
}
