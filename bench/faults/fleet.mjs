// The processes of a run: a store, a Redis, APIs and workers, each behind links of its own. Processes that end are started again.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { API_PROGRAM, ROOT } from '../../tools/build.mjs';
import { freePort, hasEnded, startProcess, stopProcess, temporaryFolder, until } from '../support/processes.mjs';
import { BREAKERS } from './guards.mjs';
import { Link, PASS } from './link.mjs';

const WORKER = [join(ROOT, 'tools/run-built.mjs'), 'apps/delivery-worker/src/main.js'];
const STORE = fileURLToPath(import.meta.resolve('@herald/embedded-mongo/program'));
const SHIFTED_CLOCK = new URL('./shifted-clock.mjs', import.meta.url).href;
const RESTART_AFTER_MS = 300;

export const LEASE_MS = Number(process.env.DELIVERY_LEASE_MS || 2_000);
const SETTINGS = {
  LOG_LEVEL: 'warn',
  ALLOW_PRIVATE_URLS: '1',
  // Where links of mails lead is known to the load, which follows them at any API.
  PUBLIC_URL: 'http://herald.example',
  DELIVERY_LEASE_MS: String(LEASE_MS),
  DELIVERY_POLL_MS: '300',
  // An outage is no reason to give up: every message is to arrive.
  DELIVERY_MAX_ATTEMPTS: '100',
  DELIVERY_RETRY_BASE_MS: '100',
  DELIVERY_RETRY_MAX_MS: '1000',
  WEBHOOK_RETRY_BASE_MS: '100',
  WEBHOOK_RETRY_MAX_MS: '1000',
  ...BREAKERS,
};

/** One process, which is started again whenever it ends while it is wanted. */
export class Member {
  /** Ends that nothing in the run has caused. */
  surprises = [];
  isBusy = false;
  #isWanted = false;
  #isExpected = false;
  #isReady = false;

  /** @param command gives { args, env } of the next start */
  constructor(name, kind, program, command) {
    Object.assign(this, { name, kind, program, command });
  }

  start() {
    this.#isWanted = true;
    this.#isExpected = false;
    this.#isReady = false;
    const { args, env, log } = this.command();
    const output = openSync(log, 'a');
    const child = startProcess(this.program, args, { env, stdio: ['ignore', output, output] });
    this.child = child;
    child.once('exit', (code, signal) => void this.#ended(child, signal ?? code));
    void this.#watchStart(child);
  }

  /** A process may refuse to start: Herald without its store, the store on a full disk. Once it is ready, it must not end. */
  async #watchStart(child) {
    while (!this.#isReady && this.child === child && !hasEnded(child)) {
      await sleep(250);
      const isReady = await isHealthy(this);
      if (isReady && this.child === child) this.#isReady = true;
    }
  }

  async #ended(child, how) {
    if (!this.#isExpected && this.#isReady) this.surprises.push(`${this.name}: ${how}`);
    await sleep(RESTART_AFTER_MS);
    if (this.#isWanted && this.child === child) this.start();
  }

  signal(signal) {
    if (hasEnded(this.child)) return;
    if (signal === 'SIGKILL' || signal === 'SIGTERM') this.#isExpected = true;
    this.child.kill(signal);
  }

  async stop() {
    this.#isWanted = false;
    this.#isExpected = true;
    if (this.child === undefined) return;
    this.child.kill('SIGCONT');
    await stopProcess(this.child);
  }
}

/**
 * @param apis number of API processes, @param workers of delivery workers
 * @param hasRedis whether there is a redis-server
 * @param storeFolder of the embedded store; MONGODB_URI names a store that is used instead
 */
export async function startFleet({ apis, workers, hasRedis, storeFolder, settings = {} }) {
  const folder = temporaryFolder();
  const fleet = new Fleet(folder, hasRedis, storeFolder, { ...SETTINGS, ...settings });
  await fleet.startEngines();
  for (let n = 1; n <= apis; n += 1) await fleet.addApi(`api-${n}`);
  for (let n = 1; n <= workers; n += 1) await fleet.addWorker(`worker-${n}`);
  await fleet.ready();
  return fleet;
}

class Fleet {
  members = [];
  links = [];
  apiKey = randomBytes(16).toString('hex');
  #encryptionKey = randomBytes(32).toString('hex');

  constructor(folder, hasRedis, storeFolder, settings) {
    Object.assign(this, { folder, hasRedis, storeFolder, settings });
  }

  get apis() {
    return this.members.filter(({ kind }) => kind === 'api');
  }

  async startEngines() {
    const given = process.env.MONGODB_URI;
    const storePort = given === undefined ? await freePort() : Number(new URL(given).port || 27017);
    this.storeTarget = { host: given === undefined ? '127.0.0.1' : new URL(given).hostname, port: storePort };
    // A run never touches a database that it has not created.
    const database = `herald_faults_${randomBytes(4).toString('hex')}`;
    const uri = new URL(given ?? `mongodb://127.0.0.1:${storePort}/`);
    uri.pathname = `/${database}`;
    uri.searchParams.set('directConnection', 'true');
    this.uri = uri.href;
    if (given === undefined) {
      const args = [STORE, '--port', String(storePort), '--dbpath', this.storeFolder];
      this.#add('store', 'store', process.execPath, { args, port: storePort });
      await until(() => accepts(storePort), { withinMs: 30_000, what: 'the store' });
    }
    // Past the links: what the auditor reads must not depend on the faults.
    this.client = new mongoose.mongo.MongoClient(this.uri, { serverSelectionTimeoutMS: 60_000 });
    this.db = this.client.db(database);
    if (!this.hasRedis) return;
    this.redisPort = await freePort();
    const args = ['--port', String(this.redisPort), '--bind', '127.0.0.1', '--save', '', '--dir', this.folder];
    this.#add('redis', 'redis', 'redis-server', { args, port: this.redisPort });
    await until(() => accepts(this.redisPort), { withinMs: 30_000, what: 'Redis' });
  }

  async addApi(name) {
    const port = await freePort();
    const env = {
      ...(await this.#environment(name)),
      PORT: String(port),
      API_KEY: this.apiKey,
      DELIVERY_WORKER: 'off',
    };
    const url = `http://127.0.0.1:${port}`;
    const args = ['--max-semi-space-size=32', API_PROGRAM];
    this.#add(name, 'api', process.execPath, { args, env, url, health: `${url}/v1/health-check` });
  }

  async addWorker(name) {
    const port = await freePort();
    const env = { ...(await this.#environment(name)), WORKER_PORT: String(port) };
    this.#add(name, 'worker', process.execPath, { args: WORKER, env, health: `http://127.0.0.1:${port}/` });
  }

  /** The next start of a process has this clock. @param ms 0: the right one */
  shiftClock(member, ms) {
    member.shiftMs = ms;
  }

  #add(name, kind, program, { args, env = {}, ...addresses }) {
    const log = join(this.folder, `${name}.log`);
    const member = new Member(name, kind, program, () => {
      const shiftMs = member.shiftMs ?? 0;
      if (shiftMs === 0) return { args, env, log };
      return { args: ['--import', SHIFTED_CLOCK, ...args], env: { ...env, CLOCK_SHIFT_MS: String(shiftMs) }, log };
    });
    Object.assign(member, addresses);
    this.members.push(member);
    member.start();
  }

  async #environment(name) {
    const dataDir = join(this.folder, name);
    mkdirSync(dataDir);
    const store = await this.#link(`${name} to the store`, this.storeTarget, true);
    const uri = new URL(this.uri);
    uri.host = `127.0.0.1:${store.port}`;
    const redis = this.hasRedis
      ? await this.#link(`${name} to Redis`, { host: '127.0.0.1', port: this.redisPort })
      : undefined;
    return {
      ...this.settings,
      DATA_DIR: dataDir,
      STORE_ENCRYPTION_KEY: this.#encryptionKey,
      MONGODB_URI: uri.href,
      ...(redis !== undefined && { REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
    };
  }

  async #link(name, target, isStore = false) {
    const link = await new Link(name, target, { isStore }).listen();
    this.links.push(link);
    return link;
  }

  /** Ends all faults, and waits until every process answers. */
  async repair() {
    for (const link of this.links) link.set(PASS);
    for (const member of this.members) member.signal('SIGCONT');
    await this.ready();
  }

  async ready() {
    for (const member of this.members) {
      const { name } = member;
      await until(() => isHealthy(member), { everyMs: 100, withinMs: 90_000, what: name }).catch((error) => {
        throw new Error(`${error.message} Its log ends with:\n${endOf(join(this.folder, `${name}.log`))}`);
      });
    }
  }

  async flushRedis() {
    const socket = connect(this.redisPort, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.end('FLUSHALL\r\n');
    await Promise.race([once(socket, 'close'), sleep(1_000)]);
  }

  async stop() {
    for (const link of this.links) link.set(PASS);
    const engines = this.members.filter(({ kind }) => kind === 'store' || kind === 'redis');
    await Promise.all(this.members.filter((member) => !engines.includes(member)).map((member) => member.stop()));
    if (process.env.MONGODB_URI !== undefined) await this.db.dropDatabase().catch(() => undefined);
    await this.client.close().catch(() => undefined);
    await Promise.all(engines.map((member) => member.stop()));
    for (const link of this.links) link.close();
  }
}

function endOf(log) {
  return readFileSync(log, 'utf8').slice(-2_000);
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
}

/** Engines are when they accept connections. */
function isHealthy({ health, port }) {
  if (health === undefined) return accepts(port);
  return fetch(health, { signal: AbortSignal.timeout(2_000) }).then(
    async (answer) => (await answer.arrayBuffer(), answer.ok),
    () => false,
  );
}
