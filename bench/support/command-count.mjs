import { setTimeout as sleep } from 'node:timers/promises';
import { caller } from './herald.mjs';
import { settle } from './processes.mjs';

const COUNTED_REQUESTS = 100;
const WARM_UP_REQUESTS = 3;
const IDLE_MS = 1_000;

/** Commands for each of some requests, one after the other. What the process asks without any request is subtracted. */
export async function commandsPerRequest(proxy, { url, apiKey, pids }, requests) {
  const call = caller(url, apiKey);
  const ask = (n) => {
    const { method, path, body } = requests[n % requests.length];
    return call(method, path, body && JSON.parse(body.replace('[id]', `count-${n}`)));
  };
  // Fills caches.
  for (let n = 0; n < WARM_UP_REQUESTS; n += 1) await ask(n);
  await settle(pids());
  const idle = { from: performance.now(), commands: proxy.count() };
  await sleep(IDLE_MS);
  const idlePerMs = (proxy.count() - idle.commands) / (performance.now() - idle.from);
  const begun = { at: performance.now(), commands: proxy.count() };
  for (let n = 0; n < COUNTED_REQUESTS; n += 1) await ask(WARM_UP_REQUESTS + n);
  await settle(pids());
  const own = proxy.count() - begun.commands - idlePerMs * (performance.now() - begun.at);
  return Math.max(0, own) / COUNTED_REQUESTS;
}
