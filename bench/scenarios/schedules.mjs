// What the claim of due schedules costs where there are many: its query plan, and its time beside that of a small collection.
import mongoose from 'mongoose';
import { createSubscribers, createWorkflow, inApp } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { median } from '../support/statistics.mjs';
import { openStore } from '../support/stores.mjs';

const BATCH = 5_000;
const DAY_MS = 86_400_000;
/** What a worker claims at once. */
const CLAIM = 100;
/** Due at once. */
const DUE = 200;
/** A claim that takes this many times as long in the large collection does not follow the index. */
const LIMIT = 3;
const { ObjectId } = mongoose.mongo;

export async function run({ settings: { small, large, asks }, say }) {
  const store = await openStore();
  const herald = await startHerald({
    uri: store.uriOf('herald'),
    settings: { LOG_LEVEL: 'error', DELIVERY_WORKER: 'off' },
  });
  try {
    const workflow = await createWorkflow(herald, 'Report', [inApp('{{n}}')]);
    await createSubscribers(herald, 's', 1);
    const body = { workflow, subscribers: ['s0'], rule: { frequency: 'daily' } };
    await herald.call('POST', '/v1/schedules', body);
    const schedules = store.db('herald').collection('schedules');
    const pattern = await schedules.findOne({});
    const figures = [];
    const claim = { wakeAt: { $lte: new Date() } };
    let filled = 1;
    const times = {};
    for (const [name, size] of Object.entries({ small, large })) {
      const started = performance.now();
      filled = await fill(schedules, pattern, filled, size);
      say(`${size.toLocaleString('en')} schedules in ${Math.round((performance.now() - started) / 1_000)} s`);
      const plan = await schedules.find(claim).sort({ wakeAt: 1 }).limit(CLAIM).explain('queryPlanner');
      const stages = stagesOf(plan);
      if (!stages.includes('IXSCAN') || stages.includes('COLLSCAN') || stages.includes('SORT'))
        throw new Error(`The claim does not follow an index: ${stages.join(', ')}`);
      const rounds = [];
      for (let round = 0; round < asks; round += 1) {
        const begun = performance.now();
        const found = await schedules.find(claim).sort({ wakeAt: 1 }).limit(CLAIM).toArray();
        rounds.push(performance.now() - begun);
        if (found.length !== CLAIM) throw new Error(`${found.length} are due`);
      }
      times[name] = median(rounds);
      figures.push({
        name: `claim of ${CLAIM} among ${size.toLocaleString('en')}`,
        unit: 'ms',
        value: times[name],
        note: stages.join(' '),
      });
    }
    const ratio = times.large / times.small;
    say(`ratio ${ratio.toFixed(2)}, allowed below ${LIMIT}`);
    return { figures, isGood: ratio < LIMIT, store: store.kind };
  } finally {
    await herald.stop();
    await store.close();
  }
}

/** Some are due, the others within a year. @returns how many there are */
async function fill(collection, pattern, from, size) {
  const now = Date.now();
  for (let begin = from; begin < size; begin += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, size - begin) }, (_, place) => {
      const n = begin + place;
      const at = n <= DUE ? now - n * 1_000 : now + (n % 365) * DAY_MS + n;
      return { ...pattern, _id: new ObjectId(), wakeAt: new Date(at), dueSince: new Date(at) };
    });
    await collection.insertMany(rows, { ordered: false });
  }
  return size;
}

function stagesOf(plan) {
  if (Array.isArray(plan)) return plan.flatMap(stagesOf);
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([key, value]) => (key === 'stage' ? [value] : stagesOf(value)));
}
