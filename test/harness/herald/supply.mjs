import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../../../tools/build.mjs';

const PROGRAM = fileURLToPath(new URL('./process.mjs', import.meta.url));

/**
 * Starts a Herald for each worker of the run that asks for one, and keeps it from file to file.
 * @returns {Promise<{ url: string, stop(): Promise<void> }>} a request with `{ worker, settings }` is answered with where the Herald is
 */
export async function startSupply() {
  const started = new Map();
  const server = createServer(async (request, response) => {
    try {
      const { worker, settings } = await json(request);
      if (!started.has(worker)) started.set(worker, start(settings));
      response.end(JSON.stringify((await started.get(worker)).place));
    } catch (error) {
      response.writeHead(500).end(error.message);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: async () => {
      server.close();
      for (const { value } of await Promise.allSettled(started.values())) value?.child.disconnect();
    },
  };
}

async function start(settings) {
  // A test must not pass or fail by what an earlier state of the sources did.
  ensureBuilt();
  const child = fork(PROGRAM, { env: { ...settings, PATH: process.env.PATH }, execArgv: [] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The Herald of the tests ended with ${code}.`);
  });
  const [place] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return { child, place };
}
