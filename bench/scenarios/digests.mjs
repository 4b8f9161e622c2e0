// Many events in digests: into one digest of one recipient, and spread over many recipients.
import { bulkBodies, createSubscribers, createWorkflow, inApp, timed } from '../support/content.mjs';
import { startHerald } from '../support/herald.mjs';
import { load, nowMs } from '../support/load.mjs';
import { cpuMs, residentMb, settle, until } from '../support/processes.mjs';
import { openStore } from '../support/stores.mjs';

const WATCH_MS = 100;

export async function run({ settings: { events, recipients, window } }) {
  const store = await openStore();
  let herald;
  try {
    herald = await startHerald({ uri: store.uriOf('herald'), settings: { LOG_LEVEL: 'error' } });
    await createSubscribers(herald, 's', recipients);
    const figures = [];
    for (const count of [1, recipients]) figures.push(...(await digest({ store, herald, events, count, window })));
    return { figures, store: store.kind };
  } finally {
    await herald?.stop();
    await store.close();
  }
}

async function digest({ store, herald, events, count, window }) {
  const steps = [timed('digest', window), inApp('{{step.total_count}}')];
  const name = await createWorkflow(herald, `Digest for ${count}`, steps);
  const messages = store.db('herald').collection('messages');
  const before = await messages.estimatedDocumentCount();
  await settle([...herald.pids(), ...store.pids]);
  const cpu = cpuMs(herald.pids());
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb(herald.pids()))), WATCH_MS);
  const bodies = bulkBodies(events, (n) => ({ name, to: `s${n % count}`, payload: { n } }));
  const requests = bodies.map((body) => ({
    method: 'POST',
    path: '/v1/events/trigger/bulk',
    body: JSON.stringify(body),
  }));
  const { startedAt, seconds: accepted } = await load({ ...herald, requests, amount: requests.length, connections: 4 });
  const arrived = async () => sumOf(await messages.find({}).skip(before).toArray());
  await until(async () => (await messages.estimatedDocumentCount()) >= before + count, {
    everyMs: 50,
    what: 'digests',
  });
  // The windows begin with the first event of each recipient, so none ends before the length of a window.
  const late = (nowMs() - startedAt) / 1_000 - window;
  // Events that came after the end of a first window are in a second one.
  await until(async () => (await arrived()) >= events, { everyMs: 500, what: 'all events in digests' });
  clearInterval(watch);
  await settle([...herald.pids(), ...store.pids]);
  const perEvent = ((cpuMs(herald.pids()) - cpu) * 1_000) / events;
  const label = `${events.toLocaleString('en')} events in digests of ${count.toLocaleString('en')} recipient${count === 1 ? '' : 's'}`;
  const note = `${perEvent.toFixed(0)} µs of the API for each event, at most ${peakMb.toFixed(0)} MB`;
  return [
    { name: `${label}: accepted`, unit: 'events/s', value: events / accepted, note },
    { name: `${label}: messages stored after the end of the window of ${window} s`, unit: 's', value: late },
  ];
}

const sumOf = (rows) => rows.reduce((total, { content }) => total + Number(content), 0);
