// Disturbs a whole installation while it works, and checks that every acknowledged promise is kept.
//   npm run test:faults [-- --short] [--seed N] [--seconds N] [--workers N] [--keep-logs]
import { cpSync, mkdtempSync, readdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../../tools/build.mjs';
import { temporaryFolder, until } from '../support/processes.mjs';
import { caller } from '../support/herald.mjs';
import { inAppContents } from '../support/content.mjs';
import { seededRandom } from '../support/statistics.mjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { audit, tableOf } from './audit.mjs';
import { startCatchers } from './catchers.mjs';
import { disturb, smallDisk } from './disturbances.mjs';
import { LEASE_MS, startFleet } from './fleet.mjs';
import { watchBreakers } from './guards.mjs';
import { engagementsIn, followLinks } from './links.mjs';
import { Load, prepare } from './load.mjs';
import { contradictionsOfSchedules, pauseSchedules, prepareSchedules } from './schedules.mjs';
import { runLongTests } from './long-tests.mjs';

const USAGE = `Usage: npm run test:faults [-- options]

  --short          30 seconds of faults instead of ten minutes, and no tests
  --seconds N      so many seconds of faults, and no tests
  --seed N         the same choices of work and faults; printed at the start
  --apis N         API processes (2)
  --workers N      delivery workers (3)
  --clients N      clients that trigger (6)
  --cancelers N    clients that cancel what is just due (20)
  --keep-logs      keeps the logs of all processes, and prints where

Two APIs and three workers with a store and Redis, if there is one, of their own; MONGODB_URI names a store to use instead, which is
then disturbed on the wire only. DELIVERY_LEASE_MS sets their lease (2000). Afterwards come the tests that npm test repeats less often. Exit code 1: something acknowledged was lost
or doubled, an answer was wrong, or a test failed.
`;

const CATCH_UP_MS = 120_000;
/** A repeated delivery may still come: a lease has to end, and a claim has to follow. */
const AFTERWARDS_MS = 2 * LEASE_MS;
const MAX_LONGER_MS = 360_000;

const options = readOptions();
ensureBuilt();
const say = (text) =>
  process.stderr.write(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${text}\n`);
const begun = performance.now();
// A run that hangs must not hold up what waits for it.
setTimeout(
  () => {
    say('The run takes too long.');
    process.exit(1);
  },
  options.seconds * 1_000 + MAX_LONGER_MS,
).unref();
const isGood = await run();
process.exit(isGood && (!options.isWhole || runLongTests()) ? 0 : 1);

async function run() {
  const { seed, seconds, apis, workers, clients, cancelers } = options;
  const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
  const disk = smallDisk(temporaryFolder());
  say(`seed ${seed}; ${apis} APIs, ${workers} workers, ${hasRedis ? 'Redis' : 'no Redis'}; ${describeStore(disk)}`);
  const catchers = await startCatchers(seededRandom(seed + 1));
  let fleet;
  try {
    fleet = await startFleet({ apis, workers, hasRedis, storeFolder: disk.folder });
    const call = caller(fleet.apis[0].url, fleet.apiKey);
    const workflows = await prepare(call, catchers);
    say('started');
    const planned = { workflow: workflows.schedule, seconds, random: seededRandom(seed + 4) };
    const { scheduled, everyMinute } = await prepareSchedules(call, planned);
    const endsAt = Date.now() + seconds * 1_000;
    const following = followLinks({ fleet, links: catchers.links, random: seededRandom(seed + 5) });
    const breakers = watchBreakers(fleet.db);
    const load = new Load({ fleet, workflows, random: seededRandom(seed + 2), endsAt, scheduled });
    const background = [];
    const disturbing = disturb({ fleet, disk, random: seededRandom(seed + 3), endsAt, say, background });
    const working = load.run(clients, cancelers);
    const tally = await disturbing;
    await Promise.all(background);
    await fleet.repair();
    catchers.pushOutages.end();
    say('repaired');
    await working;
    const pausedAt = await pauseSchedules(call, everyMinute);
    // What it holds is sent at once then.
    await endBudget(call, 'holding');
    await delivered(fleet);
    const followed = await following.end();
    const { asked, found } = catchers.pushOutages;
    const guards = { asked, found, opened: await breakers.end() };
    const records = await drain(fleet);
    records.contradictions.push(...(await contradictionsOfSchedules(fleet.db, everyMinute, pausedAt)));
    const received = { ...(await receive(fleet, catchers)), followed, guards };
    const surprises = fleet.members.flatMap((member) => member.surprises);
    const { events, answers } = load;
    const rows = audit({ events, received, records, answers, surprises });
    report(rows, tally);
    return rows.every(({ isGood }) => isGood);
  } finally {
    if (fleet !== undefined && options['keep-logs']) say(`logs in ${keepLogs(fleet.folder)}`);
    await fleet?.stop();
    catchers.close();
  }
}

function describeStore({ isLimited }) {
  if (process.env.MONGODB_URI !== undefined) return 'the store at MONGODB_URI, disturbed on the wire';
  return isLimited
    ? 'embedded store on a small disk'
    : 'embedded store; its disk is not filled, which needs root on Linux';
}

async function endBudget(call, name) {
  const budgets = await call('GET', '/v1/budgets');
  const { _id } = budgets.find((budget) => budget.name === name);
  await call('DELETE', `/v1/budgets/${_id}`);
}

/** What is not finished, of everything that is kept until it is. */
function openWork(db) {
  return async () => {
    const notifications = await db
      .collection('notifications')
      .find({ $or: [{ status: 'active' }, { wakeAt: { $exists: true } }] })
      .toArray();
    const events = await db
      .collection('triggerEvents')
      .find({ wakeAt: { $exists: true } })
      .toArray();
    const deliveries = await db.collection('webhookDeliveries').find({ status: 'pending' }).toArray();
    const untold = await db
      .collection('messages')
      .find({ 'untold.0': { $exists: true } })
      .toArray();
    const schedules = await db
      .collection('schedules')
      .find({ wakeAt: { $exists: true } })
      .toArray();
    return [
      ...schedules.map(({ _id, wakeAt }) => `schedule ${_id}: ${wakeAt.toISOString()}`),
      ...notifications.map(
        ({ _id, transactionId, status, wakeAt }) =>
          `notification ${_id} of ${transactionId}: ${status}, ${wakeAt?.toISOString()}`,
      ),
      ...events.map(
        ({ transactionId, status, wakeAt }) => `event ${transactionId}: ${status}, ${wakeAt?.toISOString()}`,
      ),
      ...untold.map(({ _id }) => `message ${_id}: opens or clicks that nobody is told of`),
      ...deliveries.map(
        ({ _id, attempt, wakeAt }) => `webhook delivery ${_id}: attempt ${attempt}, ${wakeAt?.toISOString()}`,
      ),
    ];
  };
}

/** Waits until nothing is left to do. */
async function delivered({ db }) {
  const open = openWork(db);
  await until(async () => (await open()).length === 0, { everyMs: 500, withinMs: CATCH_UP_MS }).catch(() => undefined);
}

/** The same. @returns what was written */
async function drain(fleet) {
  const { db } = fleet;
  await delivered(fleet);
  say('drained');
  await sleep(AFTERWARDS_MS);
  const sent = await db
    .collection('messages')
    .find({ status: 'sent' })
    .project({ transactionId: 1, channel: 1 })
    .toArray();
  return {
    unfinished: await openWork(db)(),
    engagements: await engagementsIn(db),
    contradictions: await contradictions(db),
    messages: sent.map(({ _id, ...message }) => ({ id: _id.toHexString(), ...message })),
  };
}

/** Canceled events with nothing canceled, and notifications that ended without their event. */
async function contradictions(db) {
  const found = [];
  for (const { transactionId, status } of await db.collection('triggerEvents').find({}).toArray()) {
    const runs = await db.collection('notifications').find({ transactionId }).toArray();
    const isAnyCanceled = runs.some((run) => run.status === 'canceled' || run.digestForOthers === true);
    if (status === 'canceled' && runs.length > 0 && !isAnyCanceled)
      found.push(`${transactionId} is canceled, and delivered`);
  }
  const gone = { $in: ['event_missing', 'workflow_version_missing'] };
  const alone = await db.collection('notifications').find({ 'steps.reason': gone }).toArray();
  return [
    ...found,
    ...alone.map(({ transactionId }) => `${transactionId} has a notification without its event or workflow version`),
  ];
}

async function receive(fleet, { mails, pushes, texts, chats, digests, webhooks, engagements }) {
  const inApp = await inAppContents({ url: fleet.apis[0].url, apiKey: fleet.apiKey });
  const subscribers = await fleet.db.collection('subscribers').find({}).toArray();
  const nameOf = new Map(subscribers.map(({ _id, subscriberId }) => [_id.toHexString(), subscriberId]));
  const doubtful = await fleet.db.collection('notifications').find({ 'steps.reason': 'uncertain' }).toArray();
  const uncertain = new Set(
    doubtful.map(
      ({ transactionId, _subscriberId }) => `${transactionId.slice(1)}/${nameOf.get(_subscriberId.toHexString())}`,
    ),
  );
  for (const key of await inUncertainDigests(fleet.db, doubtful, nameOf)) uncertain.add(key);
  const broken = await fleet.db.collection('notifications').find({ status: 'failed' }).toArray();
  const failed = new Map(
    broken.map(({ transactionId, _subscriberId, steps }) => [
      `${transactionId.slice(1)}/${nameOf.get(_subscriberId.toHexString())}`,
      steps.map(({ status, reason, errorText }) => [status, reason, errorText].filter(Boolean).join(' ')).join(', '),
    ]),
  );
  return { inApp, mails, pushes, texts, chats, digests, webhooks, engagements, uncertain, failed };
}

/** What came, or did not, with a digest of a budget that may have been sent. */
async function inUncertainDigests(db, doubtful, nameOf) {
  const ids = doubtful.map(({ transactionId }) => transactionId).filter((id) => id.startsWith('budget-'));
  const events = await db
    .collection('triggerEvents')
    .find({ transactionId: { $in: ids } })
    .toArray();
  return events.flatMap(({ transactionId, payload }) => {
    const { _subscriberId } = doubtful.find((one) => one.transactionId === transactionId);
    return payload.messages.map((held) => `${held.transactionId.slice(1)}/${nameOf.get(_subscriberId.toHexString())}`);
  });
}

function report(rows, tally) {
  const faults = [...tally].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `  ${name}  ${count}`);
  process.stdout.write(`\nFaults\n${faults.join('\n')}\n\nAudit of seed ${options.seed}\n${tableOf(rows)}\n`);
}

function keepLogs(folder) {
  const target = mkdtempSync(join(tmpdir(), 'herald-faults-logs-'));
  for (const name of readdirSync(folder)) if (name.endsWith('.log')) cpSync(join(folder, name), join(target, name));
  return target;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      'keep-logs': { type: 'boolean', default: false },
      seed: { type: 'string', default: String(Date.now() % 100_000) },
      seconds: { type: 'string' },
      apis: { type: 'string', default: '2' },
      workers: { type: 'string', default: '3' },
      clients: { type: 'string', default: '6' },
      cancelers: { type: 'string', default: '20' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const { short: isShort, 'keep-logs': keep, ...texts } = values;
  const seconds = texts.seconds ?? (isShort ? '30' : '600');
  const numbers = Object.fromEntries(
    Object.entries({ ...texts, seconds })
      .filter(([, text]) => typeof text === 'string')
      .map(([name, text]) => [name, Number(text)]),
  );
  return { ...numbers, 'keep-logs': keep, isWhole: !isShort && texts.seconds === undefined };
}
