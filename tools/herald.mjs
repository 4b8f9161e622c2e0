import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 15_000;

/** There is no Herald to use; the message says what to do. */
export class HeraldUnavailable extends Error {}

/**
 * The running Herald that HERALD_URL names, or a new one on a free port. The data of a new one is in a database of its own
 * where MONGODB_URI is set, otherwise in a temporary folder; both are removed at the end.
 * @param settings further environment variables of a new one
 * @returns {Promise<{ url: string, apiKey: string, description: string, isOwn: boolean, stop(): Promise<void>,
 *   welcome?: string, restart?(signal?: string): Promise<void> }>} `welcome` and `restart` only for a new one: the same address and data
 * @throws {HeraldUnavailable}
 */
export async function findHerald(env, settings = {}) {
  if (env.HERALD_URL === undefined || env.HERALD_URL === '') return startHerald(env.MONGODB_URI ?? '', settings);
  const url = env.HERALD_URL.replace(/\/+$/, '');
  const apiKey =
    env.HERALD_API_KEY ?? env.API_KEY ?? storedKey(env.DATA_DIR ?? fileURLToPath(new URL('../.data', import.meta.url)));
  if (apiKey === undefined)
    throw new HeraldUnavailable('Set HERALD_API_KEY to an API key of the Herald at HERALD_URL.');
  return { url, apiKey, description: 'already running', isOwn: false, stop: async () => {} };
}

function storedKey(dataDir) {
  try {
    return readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** The program of the API: that of the package, or that of the clone, built if it is stale. */
async function currentProgram() {
  if (process.env.HERALD_PROGRAM) return process.env.HERALD_PROGRAM;
  const { API_PROGRAM, ensureBuilt } = await import('./build.mjs');
  ensureBuilt();
  return API_PROGRAM;
}

async function startHerald(mongodbUri, settings) {
  const program = await currentProgram();
  const database = mongodbUri === '' ? undefined : ownDatabase(mongodbUri);
  const dataDir = mkdtempSync(join(tmpdir(), 'herald-demo-'));
  const apiKey = randomBytes(16).toString('hex');
  const { PATH, HOME, TMPDIR } = process.env;
  const start = (port) =>
    spawn(process.execPath, [program], {
      cwd: dataDir, // keeps a .env of the repository out of it
      env: {
        PATH,
        HOME,
        TMPDIR,
        PORT: port,
        DATA_DIR: dataDir,
        API_KEY: apiKey,
        LOG_LEVEL: 'warn',
        ALLOW_PRIVATE_URLS: '1',
        ...(database && { MONGODB_URI: database.uri }),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  let child = start('0');
  const removeData = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  // For every other way in which this process may exit.
  const kill = () => {
    child.kill('SIGKILL');
    removeData();
  };
  process.once('exit', kill);
  const stop = async () => {
    await terminate(child);
    await database?.drop();
    removeData();
    process.off('exit', kill);
  };
  try {
    const { url, welcome } = await ready(child);
    const place =
      database === undefined ? 'data in a temporary directory' : `data in database ${database.name} of MONGODB_URI`;
    const description = `started for this run, ${place}`;
    const restart = async (signal) => {
      await terminate(child, signal);
      child = start(new URL(url).port);
      await ready(child);
    };
    return { url, apiKey, welcome, description, isOwn: true, restart, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A new database beside the one that a connection string names. */
function ownDatabase(mongodbUri) {
  const name = `herald_demo_${randomBytes(4).toString('hex')}`;
  const [, server, path = '', query = ''] = /^([^/]+\/\/[^/?]+)(\/[^?]*)?(\?.*)?$/.exec(mongodbUri) ?? ['', mongodbUri];
  const parameters = new URLSearchParams(query);
  // Without authSource, a driver looks for the user in the database of the path.
  if (server.includes('@') && !parameters.has('authSource')) parameters.set('authSource', path.slice(1) || 'admin');
  const uri = `${server}/${name}?${parameters}`;
  const drop = async () => {
    const { mongo } = (await import('mongoose')).default;
    const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: STOP_WITHIN_MS });
    await client
      .db(name)
      .dropDatabase()
      .finally(() => client.close());
  };
  return { name, uri, drop: () => drop().catch((error) => process.stderr.write(`${name} stays: ${error.message}\n`)) };
}

/** What Herald prints when it is ready, and the address in it. */
function ready(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(
      () => fail(`Herald was not ready after ${READY_WITHIN_MS / 1000} seconds`),
      READY_WITHIN_MS,
    );
    const fail = (reason) => {
      clearTimeout(timer);
      reject(new HeraldUnavailable(`${reason}:\n${output}`));
    };
    const read = (chunk) => {
      output += chunk;
      const url = /^ *Herald +(http\S+)$/m.exec(output)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve({ url, welcome: output });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => fail(`Herald exited with code ${code}`));
  });
}

function terminate(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill(signal);
  });
}
