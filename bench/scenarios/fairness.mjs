// One environment broadcasts to very many subscribers while another triggers single events: how fast the broadcast is, how much memory
// it needs, and how long the others wait. Then many environments at once, without and with one that sends much more.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSubscribers, createWorkflow, inApp } from '../support/content.mjs';
import { caller, issueProductionKey, startHerald } from '../support/herald.mjs';
import { residentMb, settle, until } from '../support/processes.mjs';
import { percentileFigures } from '../support/report.mjs';
import { openStore } from '../support/stores.mjs';
import { environmentsAtOnce } from './environments.mjs';

const PAUSE_MS = 100;
const WATCH_MS = 50;

export async function run({ settings: { subscribers, ...settings } }) {
  const { store, figures } = await broadcast(subscribers);
  const many = await environmentsAtOnce(settings);
  return { store, figures: [...figures, ...many.figures], isGood: many.isGood };
}

async function broadcast(subscribers) {
  const store = await openStore();
  const uri = store.uriOf('herald');
  let herald;
  try {
    herald = await startHerald({ uri, settings: { LOG_LEVEL: 'error' } });
    const other = { call: caller(herald.url, issueProductionKey(uri)) };
    const messages = store.db('herald').collection('messages');
    const names = {
      broadcast: await createWorkflow(herald, 'Broadcast', [inApp('Hello {{subscriber.firstName}}')]),
      single: await createWorkflow(other, 'Single', [inApp('Hello {{subscriber.firstName}}')]),
    };
    await createSubscribers(herald, 's', subscribers);
    await settle([...herald.pids(), ...store.pids]);
    const memory = watchMemory(herald);
    const started = performance.now();
    await herald.call('POST', '/v1/events/trigger/broadcast', { name: names.broadcast, payload: {} });
    const waits = [];
    while ((await messages.estimatedDocumentCount()) < subscribers + waits.length) {
      waits.push(await deliverOne(other, names.single, waits.length));
      await sleep(PAUSE_MS);
    }
    const seconds = (performance.now() - started) / 1_000;
    const { before, peak } = memory.stop();
    return {
      store: store.kind,
      figures: [
        { name: `broadcast to ${subscribers.toLocaleString('en')}`, unit: 'messages/s', value: subscribers / seconds },
        {
          name: 'memory of the API: most during the broadcast',
          unit: 'MB',
          value: peak,
          note: `before ${before.toFixed(0)} MB`,
        },
        ...percentileFigures('single triggers of another environment, to the message', waits),
      ],
    };
  } finally {
    await herald?.stop();
    await store.close();
  }
}

/** @returns ms from the request to the stored message */
async function deliverOne(other, name, n) {
  const transactionId = `single-${n}`;
  const begun = performance.now();
  await other.call('POST', '/v1/events/trigger', { name, to: 'bob', transactionId });
  const isStored = async () => (await other.call('GET', `/v1/messages?transactionId=${transactionId}`)).length > 0;
  await until(isStored, { everyMs: 5, withinMs: 60_000, what: 'a message of the other environment' });
  return performance.now() - begun;
}

function watchMemory(herald) {
  const before = residentMb(herald.pids());
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, residentMb(herald.pids()))), WATCH_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return { before, peak };
    },
  };
}
