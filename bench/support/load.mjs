// Load comes from a process of its own: what it costs must not be counted as the contestant's, nor block its answers. On two
// cores it still competes with the contestant and its store for time, which lowers requests per second of all of them, the
// quickest most. Processor time per request does not have that fault, so ratios of both are printed.
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A clock that processes share. */
export const nowMs = () => performance.timeOrigin + performance.now();

const generator = new URL('./load-generator.mjs', import.meta.url);

/**
 * @param requests sent in turn: { method, path, body }; `[id]` in a body becomes a text that no other request has
 * @param seconds how long, or `amount`: how many requests
 * @returns { startedAt, answered, sent, cpuUs, seconds, p50Ms, p99Ms } of one round; `startedAt` is a time of `nowMs`, after the start of the
 * process. Requests in flight at the end are sent and not answered: the contestant works for them.
 * @throws {Error} if any answer was not 2xx, because then the contestant did not do the work
 */
export async function load({ url, apiKey, requests, seconds, amount, connections = 32 }) {
  const child = fork(generator, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  try {
    child.send({ url, apiKey, requests, seconds, amount, connections: Math.min(connections, amount ?? connections) });
    const answer = await Promise.race([
      once(child, 'message').then(([message]) => message),
      once(child, 'exit').then(() => ({ error: 'the load generator ended' })),
    ]);
    if (answer.error !== undefined) throw new Error(`${requests[0].method} ${url}${requests[0].path}: ${answer.error}`);
    return answer;
  } finally {
    kill();
    process.off('exit', kill);
  }
}
