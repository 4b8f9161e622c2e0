// Messages that leave Herald: sent in rounds to a receiver on this machine, in turns with a program that does nothing else.
import { once } from 'node:events';
import { bulkBodies } from './content.mjs';
import { startCommandProxy } from './command-proxy.mjs';
import { startHerald } from './herald.mjs';
import { load, nowMs } from './load.mjs';
import { cpuMs, settle, startProcess, stopProcess, until } from './processes.mjs';
import { alternately, median } from './statistics.mjs';
import { openStore } from './stores.mjs';

/** With fewer, the first rounds measure how the program is compiled: the first thousand mails cost three times as much. */
const WARM_UP = 5_000;

/** @returns sends that many events by bulk triggers, and says when it began */
export function bulkSender(herald, eventOf) {
  return async (count) => {
    const path = '/v1/events/trigger/bulk';
    const requests = bulkBodies(count, eventOf).map((body) => ({ method: 'POST', path, body: JSON.stringify(body) }));
    const { startedAt } = await load({ ...herald, requests, amount: requests.length, connections: 4 });
    return startedAt;
  };
}

/**
 * A program of bench/baselines that sends as many messages as it is told.
 * @returns { pid, send(count, more), stop() }
 */
export async function startBaseline(name, port) {
  const program = new URL(`../baselines/${name}`, import.meta.url).pathname;
  const child = startProcess(process.execPath, [program, String(port)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  const send = async (count, more) => {
    const startedAt = nowMs();
    child.send({ count, ...more });
    await once(child, 'message');
    return startedAt;
  };
  return { pid: child.pid, send, stop: () => stopProcess(child) };
}

/**
 * @param contestants by name: { pids, send(count), times }; who is much faster than the others sends `times` as many, so that a round can be
 *   measured
 * @returns the rounds of each, after messages that nobody counts
 */
export async function sendingRounds(contestants, { store, receiver, rounds, count }) {
  const measure = async ({ pids, send, times = 1 }, each) => {
    const amount = each * times;
    await settle([...pids, ...store.pids]);
    const before = { cpu: cpuMs(pids), store: cpuMs(store.pids), total: await receiver.total() };
    const startedAt = await send(amount);
    await received(receiver, before.total + amount);
    const seconds = (nowMs() - startedAt) / 1_000;
    await settle([...pids, ...store.pids]);
    const [us, storeUs] = [cpuMs(pids) - before.cpu, cpuMs(store.pids) - before.store];
    return { perSecond: amount / seconds, us: (us * 1_000) / amount, storeUs: (storeUs * 1_000) / amount };
  };
  await alternately(contestants, 1, (one) => measure(one, WARM_UP));
  return alternately(contestants, rounds, (one) => measure(one, count));
}

export function costNote(rounds, commands, alone) {
  const middle = (of, key) => median(of.map((round) => round[key])).toFixed(0);
  const own = `${middle(rounds, 'us')} + ${middle(rounds, 'storeUs')} µs of API and store`;
  return `${own}, ${commands.toFixed(2)} store commands; ${alone.name} ${middle(alone.rounds, 'us')} µs`;
}

/**
 * Store commands for each message, in a pass of its own, behind a proxy that counts.
 * @param sendersOf (herald, receiver) gives, by name, what sends that many messages
 */
export async function commandsPerMessage({ startReceiver, settingsOf = () => ({}), sendersOf, count }) {
  const store = await openStore();
  const receiver = await startReceiver();
  const proxy = await startCommandProxy(store.uriOf('herald'));
  let herald;
  try {
    herald = await startHerald({ uri: proxy.uri, settings: settingsOf(receiver) });
    const pass = async (send) => {
      const before = { commands: proxy.count(), total: await receiver.total() };
      await send(count);
      await received(receiver, before.total + count);
      await settle([...herald.pids(), ...store.pids]);
      return (proxy.count() - before.commands) / count;
    };
    const found = {};
    for (const [name, send] of Object.entries(await sendersOf(herald, receiver))) {
      await pass(send);
      found[name] = await pass(send);
    }
    return found;
  } finally {
    await herald?.stop();
    await receiver.stop();
    proxy.close();
    await store.close();
  }
}

function received(receiver, total) {
  return until(async () => (await receiver.total()) >= total, { what: `message ${total} at its receiver` });
}
