// Herald as `npm start` runs it: the built bundle in a process of its own.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_PROGRAM, ROOT } from '../../tools/build.mjs';
import { familyOf, freePort, hasEnded, startProcess, stopProcess, storeOf, temporaryFolder } from './processes.mjs';

const READY_WITHIN_MS = 60_000;
/** The store of a killed process needs a moment to release its folder. */
const RESTART_ATTEMPTS = 60;
/** The same for every Herald of the run, so that a second one can read what the first one has sealed. */
const STORE_ENCRYPTION_KEY = randomBytes(32).toString('hex');

/** As in `npm start` and in the image. */
const NODE_FLAGS = ['--max-semi-space-size=32'];

/** Settings of `--setting NAME=value`, for every Herald of the run. */
export const extraSettings = {};

/**
 * @param uri database on a store of the run; without it, Herald opens its own embedded store on a temporary folder
 * @param settings by their names in the environment
 */
export async function startHerald({ uri, apiKey = randomBytes(16).toString('hex'), settings = {}, program } = {}) {
  const dataDir = temporaryFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    DATA_DIR: dataDir,
    API_KEY: apiKey,
    STORE_ENCRYPTION_KEY,
    ALLOW_PRIVATE_URLS: '1',
    ...(uri !== undefined && { MONGODB_URI: uri }),
    ...extraSettings,
    ...settings,
  };
  const call = caller(url, apiKey);
  const spawn = () => startProcess(process.execPath, [...NODE_FLAGS, program ?? API_PROGRAM], { cwd: dataDir, env });
  let child = await startUntilReady(spawn, call, 1);
  return {
    url,
    apiKey,
    dataDir,
    /** Its settings, for another start on the same data. */
    env,
    call,
    /** Process ids of the API, and of the embedded store if it is Herald's own. */
    pids: () => familyOf(child.pid),
    storePid: () => storeOf(child.pid),
    kill: (signal) => child.kill(signal),
    restart: async () => {
      child = await startUntilReady(spawn, call, RESTART_ATTEMPTS);
    },
    stop: () => stopProcess(child),
  };
}

async function startUntilReady(spawn, call, attempts) {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const child = spawn();
    for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline && !hasEnded(child); await sleep(50)) {
      // The port is open before the key exists.
      if (await call('GET', '/v1/notification-groups').then(Boolean, () => false)) return child;
    }
    child.kill('SIGKILL');
    if (attempt + 1 < attempts) await sleep(500);
  }
  throw new Error('Herald does not start.');
}

/** @returns a function that calls a route and gives `data` of the answer; it throws on a status other than 2xx */
export function caller(url, apiKey) {
  return async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(READY_WITHIN_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text).data;
  };
}

/** A key of the other environment of the organization. The command works on a store that Herald does not hold itself. */
export function issueProductionKey(uri) {
  const keys = [join(ROOT, 'tools/run-built.mjs'), 'apps/admin/src/keys.js'];
  const { stdout, stderr, status } = spawnSync(process.execPath, [...keys, 'issue', '--environment', 'Production'], {
    cwd: temporaryFolder(),
    env: { PATH: process.env.PATH, MONGODB_URI: uri, DATA_DIR: temporaryFolder(), STORE_ENCRYPTION_KEY },
    encoding: 'utf8',
  });
  const key = /\b[0-9a-f]{32,}\b/.exec(stdout)?.[0];
  if (status !== 0 || key === undefined) throw new Error(`No key was issued: ${stderr}${stdout}`);
  return key;
}
