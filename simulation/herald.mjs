import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Actor, world } from './world/world.mjs';
import { network, replaceNetwork, STORE_PORT } from './world/network.mjs';
import { replaceThreads } from './world/threads.mjs';

export const KEY = 'key-of-the-default-environment';
export const FIRST_PORT = 3000;
const URI = `mongodb://127.0.0.1:${STORE_PORT}/herald?directConnection=true`;
const SETTINGS = {
  LOG_LEVEL: 'silent',
  STORE_ENCRYPTION_KEY: 'a key for simulations only, of 32 or more characters',
  SESSION_SECRET: 'a session secret for simulations only, of 32 or more characters',
  API_KEY: KEY,
  ALLOW_PRIVATE_URLS: '1',
  PASSWORD_HASH_COST: '10',
  MONGODB_URI: URI,
  CONSOLE_ENABLED: 'off',
  DOCS_ENABLED: 'off',
  INBOX_DEMO: 'off',
  PUBLIC_URL: `http://127.0.0.1:${FIRST_PORT}`,
  DELIVERY_POLL_MS: '4000',
  DELIVERY_BREAKER_OPEN_MS: '5000',
  DELIVERY_RETRY_MAX_MS: '5000',
  WEBHOOK_RETRY_BASE_MS: '2000',
  WEBHOOK_RETRY_MAX_MS: '20000',
};
/** Packages that Herald loads when it needs them first: loading takes no simulated time. */
const LATE = 'undici nodemailer socket.io ajv @fastify/static sanitize-html jose web-push aws4fetch'.split(' ');

const ofStore = (path) => new URL(`../packages/embedded-mongo/dist/${path}`, import.meta.url).href;
let parts;

/** Replaces time, chance, network and threads of this Node process, and loads Herald. Once. @param built where it is */
export async function loadHerald(built = new URL('../dist/', import.meta.url)) {
  const dist = (path) => new URL(path, built).href;
  world.install();
  replaceNetwork();
  await import('reflect-metadata');
  await import(dist('src/bootstrap/register-plugins.js'));
  const { startApi } = await import(dist('src/bootstrap/start-api.js'));
  const { AppConfig } = await import(dist('libs/config/src/index.js'));
  const { Engine } = await import(ofStore('store/engine.js'));
  const { serve } = await import(ofStore('server/server.js'));
  const { default: mongoose } = await import('mongoose');
  await forgetfully(mongoose);
  for (const name of [dist('libs/http-kit/src/platform/fastify-adapter.js'), ...LATE]) await import(name);
  await replaceThreads(dist('libs/templates/src/render-tasks.js'));
  world.hideMachine();
  const folder = mkdtempSync(join(tmpdir(), 'herald-simulation-'));
  parts = { Engine, serve, startApi, AppConfig, mongoose, folder };
}

/** A run begins with new ids, whatever was played before it in this process. */
async function forgetfully(mongoose) {
  const [{ ObjectId }, { random }, { uid }] = await Promise.all(['bson', 'nanoid', 'uid'].map((name) => import(name)));
  // Each more than is left, so that new bytes are drawn.
  const leftover = random(500).length * 128;
  world.forget = () => {
    // Mongoose and the store load the same package in two forms.
    for (const ids of [ObjectId, mongoose.Types.ObjectId]) {
      ids.index = Math.floor(Math.random() * 0xffffff);
      ids.PROCESS_UNIQUE = null;
    }
    random(leftover);
    uid(512);
  };
}

/** Of a run that is over. */
export function forgetConnections() {
  parts.mongoose.connections.splice(0);
}

class Process {
  life = 0;

  constructor(name) {
    this.name = name;
  }

  get isAlive() {
    return this.actor?.isAlive === true;
  }

  live() {
    this.life += 1;
    this.actor = new Actor(`${this.name}.${this.life}`);
    return this.actor;
  }

  /** Answers that were not read are lost. */
  die() {
    this.actor.die();
    network.abandon(this.actor);
  }
}

/** The embedded store, whose disk outlives it: what is not on it is lost. */
export class SimulatedStore extends Process {
  constructor(tree) {
    super('store');
    this.tree = tree;
  }

  async start() {
    const log = ({ level, msg, ...more }) => {
      if (level === 'error') world.fail('store', `${msg} ${JSON.stringify(more)}`);
    };
    const { Engine, serve, folder } = parts;
    const [noLimit, disk] = [() => Infinity, () => this.tree];
    const onFault = (message) => world.fail('store', message);
    await world.as(this.live(), 'start', () => {
      const engine = new Engine(folder, true, noLimit, onFault, false, disk);
      return serve(engine, { listen: { port: STORE_PORT }, log, onShutdown: () => undefined });
    });
  }

  /** Reads for the audit. */
  async read(name, filter = {}) {
    const { MongoClient } = parts.mongoose.mongo;
    this.auditor ??= new Actor('auditor');
    return world.as(this.auditor, 'read', async () => {
      this.client ??= new MongoClient(URI, { serverSelectionTimeoutMS: 30_000 });
      return this.client.db().collection(name).find(filter).toArray();
    });
  }
}

/** API and worker as one process, which dies and starts anew at the same port. */
export class SimulatedHerald extends Process {
  constructor(number) {
    super(`herald-${number + 1}`);
    this.port = FIRST_PORT + number;
  }

  /** Until it is up, or has been killed before. */
  async start() {
    const { startApi, AppConfig } = parts;
    const config = AppConfig.from({ ...SETTINGS, PORT: String(this.port) });
    const store = { uri: URI, description: 'simulated', close: () => Promise.resolve() };
    await world.as(this.live(), 'start', () => startApi(config, store));
  }
}
