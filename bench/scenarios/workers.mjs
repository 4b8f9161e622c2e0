// The same events delivered by one, three and six workers: whether claims get in each other's way. Each event is claimed twice,
// before and after a delay. What the workers ask while they are idle is subtracted.
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFleet } from '../faults/fleet.mjs';
import { bulkBodies, createSubscribers, createWorkflow, inApp, timed } from '../support/content.mjs';
import { caller } from '../support/herald.mjs';
import { temporaryFolder, until } from '../support/processes.mjs';

const SUBSCRIBERS = 100;
const SETTINGS = { LOG_LEVEL: 'error', DELIVERY_LEASE_MS: '10000', DELIVERY_POLL_MS: '1000' };
const IDLE_MS = 5_000;

export async function run({ settings: { events, workers } }) {
  const figures = [];
  for (const count of String(workers).split(',').map(Number)) {
    const { perNotification, perSecond, idlePerSecond, largestPart } = await measure(count, events);
    const name = `${count} worker${count === 1 ? '' : 's'}`;
    const note = `idle: ${idlePerSecond.toFixed(1)} commands/s each; the busiest has ${Math.round(largestPart * 100)} % of the commands`;
    figures.push({ name: `${name}: store commands`, unit: 'for each notification', value: perNotification, note });
    figures.push({ name: `${name}: deliveries`, unit: '/s', value: perSecond });
  }
  return { figures };
}

async function measure(workers, events) {
  const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
  const fleet = await startFleet({ apis: 1, workers, hasRedis, storeFolder: temporaryFolder(), settings: SETTINGS });
  try {
    const call = caller(fleet.apis[0].url, fleet.apiKey);
    const name = await createWorkflow({ call }, 'Workers', [timed('delay', 1), inApp('Hello {{n}}')]);
    await createSubscribers({ call }, 's', SUBSCRIBERS);
    const messages = fleet.db.collection('messages');
    const links = fleet.links.filter((link) => link.isStore && link.name.startsWith('worker'));
    const counts = () => links.map(({ commands }) => commands);
    const deliver = async (amount) => {
      const before = await messages.countDocuments();
      const bodies = bulkBodies(amount, (n) => ({ name, to: `s${n % SUBSCRIBERS}`, payload: { n } }));
      for (const body of bodies) await call('POST', '/v1/events/trigger/bulk', body);
      await until(async () => (await messages.countDocuments()) >= before + amount, { everyMs: 100 });
    };
    // Fills caches and compiles.
    await deliver(100);
    await sleep(1_000);
    const idle = counts();
    await sleep(IDLE_MS);
    const begun = counts();
    const startedAt = performance.now();
    await deliver(events);
    const seconds = (performance.now() - startedAt) / 1_000;
    const used = counts().map((commands, place) => commands - begun[place]);
    const total = used.reduce((sum, commands) => sum + commands, 0);
    const idlePerSecond =
      begun.reduce((sum, commands, place) => sum + commands - idle[place], 0) / workers / (IDLE_MS / 1_000);
    return {
      perNotification: Math.max(0, total - idlePerSecond * workers * seconds) / events,
      perSecond: events / seconds,
      idlePerSecond,
      largestPart: Math.max(...used) / total,
    };
  } finally {
    await fleet.stop();
  }
}
