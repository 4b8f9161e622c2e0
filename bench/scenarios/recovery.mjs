// How fast everything is delivered after workers have died: many runs are due at once, and some of them kill the process that carries
// them out. Only those may be set aside. Each second, the figures of health stand beside what is in the store.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFleet } from '../faults/fleet.mjs';
import { createWorkflow, inApp, timed } from '../support/content.mjs';
import { caller } from '../support/herald.mjs';
import { temporaryFolder } from '../support/processes.mjs';

const PLUGIN = `import { definePlugin } from 'herald/plugin';
export default definePlugin({
  name: 'poison',
  apiVersion: 1,
  helpers: {
    poison: ([kills]) => {
      if (kills === true) process.kill(process.pid, 'SIGKILL');
      return '';
    },
  },
});
`;
const UNFINISHED = ['waiting', 'due', 'claimed', 'suspected'];
/** An answer of health is used again for a second. */
const FRESH_SECONDS = 2;

export async function run({ settings, say }) {
  const folder = temporaryFolder();
  const plugin = join(folder, 'poison.mjs');
  writeFileSync(plugin, PLUGIN);
  const { workers, lease, kills } = settings;
  const fleet = await startFleet({
    apis: 1,
    workers,
    hasRedis: false,
    storeFolder: folder,
    settings: {
      HERALD_PLUGINS: plugin,
      DELIVERY_LEASE_MS: String(lease),
      DELIVERY_POLL_MS: '1000',
      LOG_LEVEL: 'error',
    },
  });
  try {
    const { url } = fleet.apis[0];
    const call = caller(url, fleet.apiKey);
    const herald = { call, url, apiKey: fleet.apiKey };
    const name = await createWorkflow(herald, 'Recovery', [
      timed('delay', settings.delay),
      inApp('{{n}}{{poison kills}}'),
    ]);
    await accept(call, name, settings);
    say(
      `${settings.events} events are accepted, ${settings.poisons} of them kill their worker; lease ${lease} ms, ${workers} workers`,
    );
    const runs = fleet.db.collection('notifications');
    await until(async () => (await runs.countDocuments({})) >= settings.events);
    const [{ dueSince: dueAt }] = await runs
      .find({ dueSince: { $exists: true } })
      .sort({ dueSince: -1 })
      .limit(1)
      .toArray();
    // As two losses in company leave a record.
    if (settings.suspects === 'all') await runs.updateMany({}, { $set: { takenUp: 2, suspectGroup: 125 } });
    await sleep(Math.max(0, dueAt.getTime() - Date.now()));
    for (const member of fleet.members) {
      if (kills === 'all' || (kills === 'workers' && member.kind === 'worker')) member.signal('SIGKILL');
    }
    const seen = await watch({ fleet, call, runs, settings, say, began: Date.now() });
    return { isGood: await judge(seen, runs, settings, say) };
  } finally {
    await fleet.stop();
  }
}

async function accept(call, name, { events, poisons }) {
  const poisonous = new Set(Array.from({ length: poisons }, (_, n) => Math.floor(((n + 0.5) * events) / poisons)));
  for (let from = 0; from < events; from += 100) {
    const batch = Array.from({ length: Math.min(100, events - from) }, (_, place) => {
      const n = from + place;
      return { name, to: `s${n % 500}`, payload: { n, kills: poisonous.has(n) } };
    });
    await call('POST', '/v1/events/trigger/bulk', { events: batch });
  }
}

/** @returns when the innocent ones, and when all, were finished, and how wrong health was at most, in records */
async function watch({ fleet, call, runs, settings, say, began }) {
  const truths = [];
  const read = () =>
    Promise.all([
      runs.countDocuments({ status: 'active' }),
      runs.find({ status: 'active' }).sort({ 'steps.dueAt': 1 }).limit(1).toArray(),
    ]).catch(() => undefined);
  const seen = { innocentMs: undefined, allMs: undefined, tooYoung: 0, missed: 0 };
  while (seen.allMs === undefined && Date.now() - began < settings.seconds * 1_000) {
    const answered = await read();
    if (answered === undefined) {
      await sleep(500);
      continue;
    }
    const [open, [oldest]] = answered;
    const now = Date.now();
    truths.push({ open, ageMs: oldest === undefined ? 0 : now - oldest.steps[0].dueAt });
    if (open <= settings.poisons) seen.innocentMs ??= now - began;
    if (open === 0) seen.allMs = now - began;
    const answer = await call('GET', '/v1/health-check/work').catch(() => undefined);
    const health = (answer?.body?.data ?? answer?.data ?? answer)?.find?.(({ queue }) => queue === 'notifications');
    if (health !== undefined) compare(seen, truths.slice(-FRESH_SECONDS), health);
    const deaths = fleet.members.reduce((sum, member) => sum + member.surprises.length, 0);
    say(
      `${((now - began) / 1_000).toFixed(1).padStart(5)} s: ${open} unfinished, ${deaths} deaths; health: ` +
        `${UNFINISHED.map((state) => `${state} ${health?.[state]}`).join(', ')}, set aside ${health?.setAside}, ` +
        `oldest ${health?.oldestDueSeconds} s`,
    );
    await sleep(1_000);
  }
  return seen;
}

/** What health says was true at some time of the last seconds, up to the numbers that it counts. */
function compare(seen, truths, health) {
  const counted = UNFINISHED.reduce((sum, state) => sum + health[state], 0);
  const least = Math.min(...truths.map(({ open }) => open), 10_000);
  const youngest = Math.min(...truths.map(({ ageMs }) => ageMs));
  seen.missed = Math.max(seen.missed, least - counted);
  seen.tooYoung = Math.max(seen.tooYoung, youngest / 1_000 - health.oldestDueSeconds);
}

async function judge({ innocentMs, allMs, missed, tooYoung }, runs, { poisons }, say) {
  const failed = await runs.find({ status: 'failed' }).toArray();
  const setAside = failed.filter(({ steps }) => steps.some(({ reason }) => reason === 'worker_lost'));
  const seconds = (ms) => (ms === undefined ? 'never' : `${(ms / 1_000).toFixed(1)} s`);
  say(
    `all but the poison after ${seconds(innocentMs)}, the last after ${seconds(allMs)}; set aside: ${setAside.length} of ${poisons}`,
  );
  say(`health counted ${missed} too few at most, and the oldest was ${tooYoung.toFixed(1)} s too young at most`);
  return allMs !== undefined && setAside.length === poisons && failed.length === poisons;
}

async function until(condition) {
  while (!(await condition())) await sleep(500);
}
