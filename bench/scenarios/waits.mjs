// Ten thousand notifications wait for an event; half of them get it, while workers are killed. None may be lost, taken twice, end early or
// with another end than its event.
import { setTimeout as sleep } from 'node:timers/promises';
import { startFleet } from '../faults/fleet.mjs';
import { bulkBodies, createSubscribers, createWorkflow, inApp } from '../support/content.mjs';
import { caller } from '../support/herald.mjs';
import { temporaryFolder, until } from '../support/processes.mjs';
import { seededRandom } from '../support/statistics.mjs';

const SUBSCRIBERS = 200;
const SIGNALS_AT_ONCE = 16;
const CATCH_UP_MS = 240_000;

export async function run({ settings: { waits, limit, seed, workers }, say }) {
  const random = seededRandom(seed);
  const fleet = await startFleet({ apis: 1, workers, hasRedis: false, storeFolder: temporaryFolder() });
  let isKilling = true;
  let kills = 0;
  const killing = (async () => {
    while (isKilling) {
      await sleep(500 + random() * 1_500);
      const group = fleet.members.filter(({ kind }) => kind === 'worker');
      group[Math.floor(random() * group.length)].signal('SIGKILL');
      kills += 1;
    }
  })();
  try {
    const call = caller(fleet.apis[0].url, fleet.apiKey);
    const metadata = { event: 'go', amount: limit, unit: 'seconds', onMatch: 'continue', onTimeout: 'continue' };
    const wait = { stepId: 'wait', template: { type: 'wait_for_event' }, metadata };
    const name = await createWorkflow({ call }, 'Waits', [wait, inApp('{{n}} {{steps.wait.matched}}')]);
    await createSubscribers({ call }, 'w', SUBSCRIBERS);
    const sentAt = new Map();
    const eventOf = (n) => ({ name, to: `w${n % SUBSCRIBERS}`, transactionId: `w${n}`, payload: { n } });
    const started = performance.now();
    for (const body of bulkBodies(waits, eventOf)) {
      for (const { transactionId } of body.events) sentAt.set(transactionId, Date.now());
      await call('POST', '/v1/events/trigger/bulk', body);
    }
    const notifications = fleet.db.collection('notifications');
    const waiting = { awaiting: { $exists: true } };
    const haveBegun = async () => (await notifications.countDocuments(waiting)) === waits;
    await until(haveBegun, { everyMs: 500, withinMs: limit * 1_000 });
    say(`${waits} wait after ${Math.round((performance.now() - started) / 1_000)} s`);
    const answered = await answerHalf(call, waits, random);
    say(`${answered.size} are answered`);
    const isOver = async () => (await notifications.countDocuments({ status: 'active' })) === 0;
    await until(isOver, { everyMs: 1_000, withinMs: limit * 1_000 + CATCH_UP_MS });
    isKilling = false;
    await killing;
    const faults = await faultsOf(fleet.db, { waits, limit, answered, sentAt });
    for (const fault of faults.slice(0, 10)) say(fault);
    say(`${kills} kills; ${faults.length} faults`);
    const figure = (title, value) => ({ name: title, unit: '', value });
    return {
      figures: [
        figure('waits', waits),
        figure('answered', answered.size),
        figure('kills', kills),
        figure('faults', faults.length),
      ],
      isGood: faults.length === 0,
      store: 'embedded store',
    };
  } finally {
    isKilling = false;
    await killing;
    await fleet.stop();
  }
}

/** @returns the transactions that got their signal */
async function answerHalf(call, waits, random) {
  const open = Array.from({ length: waits }, (_, n) => `w${n}`).filter(() => random() < 0.5);
  const answered = new Set(open);
  const one = async () => {
    for (let transactionId = open.pop(); transactionId !== undefined; transactionId = open.pop()) {
      await call('POST', '/v1/events/signal', { name: 'go', transactionId });
    }
  };
  await Promise.all(Array.from({ length: SIGNALS_AT_ONCE }, one));
  return answered;
}

async function faultsOf(db, { waits, limit, answered, sentAt }) {
  const faults = [];
  const contents = new Map();
  for (const { transactionId, content, createdAt } of await db.collection('messages').find({}).toArray()) {
    const others = contents.get(transactionId) ?? [];
    contents.set(transactionId, [...others, { content, createdAt }]);
  }
  for (let n = 0; n < waits; n += 1) {
    const id = `w${n}`;
    const found = contents.get(id) ?? [];
    if (found.length !== 1) faults.push(`${id} has ${found.length} messages`);
    for (const { content, createdAt } of found) {
      if (content !== `${n} ${answered.has(id)}`) faults.push(`${id} says '${content}'`);
      const isEarly = !answered.has(id) && createdAt.getTime() < sentAt.get(id) + limit * 1_000;
      if (isEarly) faults.push(`${id} ended ${createdAt.getTime() - sentAt.get(id)} ms after its trigger`);
    }
  }
  return faults;
}
