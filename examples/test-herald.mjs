import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A clone, or the package that is installed with the plugin. */
const HERALD = process.env.HERALD_HOME ?? dirname(createRequire(import.meta.url).resolve('herald/package.json'));
/** The command `herald`. */
const COMMAND = join(HERALD, 'bin', 'herald.mjs');
const API_KEY = 'a-key-for-tests-only-of-32-characters';
const START_WITHIN_MS = 120_000;

/**
 * Settings of a store that several processes share, with a database of its own: that of HERALD_TEST_STORE_URI, which Herald's own
 * test run sets, or of MONGODB_URI.
 */
export function sharedStore(name) {
  const store = new URL(process.env.HERALD_TEST_STORE_URI ?? process.env.MONGODB_URI);
  store.pathname = `/${process.env.HERALD_TEST_RUN ?? 'herald'}_${name}_${process.pid}`;
  return { MONGODB_URI: store.href, STORE_ENCRYPTION_KEY: 'a key for tests only, of 32 or more characters' };
}

/** A process of Herald in a folder of its own, with plugins. */
export class TestHerald {
  #child;
  #folder;
  #env;
  output = '';
  url = '';

  /** The API, which delivers as well unless the settings say otherwise. Its store lies in the folder unless MONGODB_URI is set. */
  static async start(settings) {
    const herald = new TestHerald('start', settings);
    await herald.#until(/Herald +(http\S+)/, (url) => (herald.url = url));
    return herald;
  }

  /** A delivery worker on the MONGODB_URI of the settings. */
  static async startWorker(settings) {
    const worker = new TestHerald('worker', { WORKER_PORT: '0', LOG_LEVEL: 'info', ...settings });
    await worker.#until(/delivering/);
    return worker;
  }

  /** What a process writes that refuses to start, and its exit code. */
  static async refusal(settings) {
    const herald = new TestHerald('start', settings);
    const [code] = await once(herald.#child, 'close');
    herald.#cleanUp();
    return { code, output: herald.output };
  }

  constructor(command, settings) {
    this.#folder = mkdtempSync(join(tmpdir(), 'herald-plugin-'));
    const { PATH } = process.env;
    const dataDir = join(this.#folder, 'data');
    this.#env = { PATH, PORT: '0', DATA_DIR: dataDir, API_KEY, LOG_LEVEL: 'error', ...settings };
    this.#child = spawn(process.execPath, [COMMAND, command], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.on('data', (text) => (this.output += text));
    }
  }

  /** Calls the API as the owner of the key. */
  async call(method, path, body, key = API_KEY) {
    const headers = { authorization: `ApiKey ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${this.url}${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** A key of another environment, `Production`, on a store that processes share. */
  issueKey(environment) {
    const args = [COMMAND, 'keys', 'issue', '--environment', environment];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.#folder,
      env: this.#env,
      encoding: 'utf8',
    });
    const [key] = /[A-Za-z0-9_-]{32,}/.exec(stdout) ?? [];
    if (key === undefined) throw new Error(`${stdout}${stderr}`);
    return key;
  }

  /** Creates an active workflow of these steps. */
  async createWorkflow(name, steps) {
    return this.call('POST', '/v1/workflows', { name, active: true, steps });
  }

  /** Triggers a workflow and waits for the end of its notification. @returns it with its trail */
  async deliver(name, to, payload = {}) {
    const { body } = await this.call('POST', '/v1/events/trigger', { name, to, payload });
    return this.ended(body.data.transactionId);
  }

  async ended(transactionId) {
    for (;;) {
      const { body } = await this.call('GET', `/v1/notifications?transactionId=${transactionId}`);
      const [notification] = body.data;
      const states = notification?.jobs.map(({ status }) => status) ?? ['pending'];
      if (!states.some((state) => ['pending', 'queued', 'running', 'delayed'].includes(state))) {
        const trail = notification.jobs.flatMap(({ executionDetails }) => executionDetails);
        return { ...notification, trail: trail.map(({ detail, status }) => `${detail} (${status})`) };
      }
      await sleep(100);
    }
  }

  async stop(signal = 'SIGTERM') {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill(signal);
      await once(this.#child, 'close');
    }
    this.#cleanUp();
  }

  #cleanUp() {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  async #until(pattern, found = () => undefined) {
    for (const deadline = Date.now() + START_WITHIN_MS; ; await sleep(50)) {
      const match = pattern.exec(this.output);
      if (match) return found(match[1]);
      if (this.#child.exitCode !== null || Date.now() > deadline) {
        await this.stop('SIGKILL');
        throw new Error(`Herald did not start:\n${this.output}`);
      }
    }
  }
}
