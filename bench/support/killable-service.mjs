// The service as a process of its own that a run can stop, kill and start again on the same data.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiProgram } from '../../tools/build.mjs';
import { call } from './service.mjs';

const API_KEY = 'key-of-a-run-that-kills';
const START_ATTEMPTS = 60;
const READY_WITHIN_MS = 60_000;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Random numbers from 0 to 1 that a seed repeats. */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Starts the service on an empty embedded store. */
export async function startKillableService(settings = {}, program = apiProgram()) {
  const dataDir = mkdtempSync(join(tmpdir(), 'herald-bench-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, API_KEY, LOG_LEVEL: 'error', ...settings };
  let child = await spawnUntilReady(program, env, url);
  return {
    url,
    apiKey: API_KEY,
    api: (method, path, body) => call(url, API_KEY, method, path, body),
    kill: (signal) => child.kill(signal),
    restart: async () => {
      child = await spawnUntilReady(program, env, url);
    },
    /** The contents of all in-app messages. */
    messages: async () => {
      const contents = [];
      for (let page = 0; ; page += 1) {
        const answer = await fetch(`${url}/v1/messages?channel=in_app&limit=100&page=${page}`, {
          headers: { authorization: `ApiKey ${API_KEY}` },
        });
        const { data, hasMore } = await answer.json();
        contents.push(...data.map(({ content }) => content.trim()));
        if (!hasMore) return contents;
      }
    },
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await Promise.race([ended, sleep(12_000)]);
      child.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The store of a killed service needs a moment to release its folder, so a start may have to be repeated. */
async function spawnUntilReady(program, env, url) {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    let hasEnded = false;
    child.once('exit', () => (hasEnded = true));
    for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline && !hasEnded; await sleep(50)) {
      // The port is open before the key exists.
      const isReady = await fetch(`${url}/v1/notification-groups`, {
        headers: { authorization: `ApiKey ${API_KEY}` },
        signal: AbortSignal.timeout(2_000),
      }).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isReady) return child;
    }
    child.kill('SIGKILL');
    await sleep(500);
  }
  throw new Error('The service does not start.');
}
