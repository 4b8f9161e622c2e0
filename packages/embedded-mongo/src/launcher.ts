import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createDirectory } from './create-directory.js';
import { DataDirLockedError } from './data-dir-lock.js';
import { programPath } from './program-path.js';
import { endText, StoreStartError } from './start-error.js';
import { chooseAddress, type StoreAddress } from './store-address.js';
import { DATA_FILE } from './store/data-file.js';

export interface EmbeddedMongoOptions {
  /** Herald's data directory; the store keeps its files in `store` inside. */
  dataDir: string;
  /** One line of the store's log, JSON. */
  onLog?: (line: string) => void;
  /** The store cannot recover: it crashed twice within a minute or could not be restarted. */
  onFatal?: (error: Error) => void;
  /** False for tests: commits are not flushed to disk one by one, which is safe against crashes but not against power failures. */
  flush?: boolean;
  /** What to do about damaged data: a sentence that follows an error which may come from it. */
  damageHint?: string;
  /** How often expired documents are removed. */
  ttlIntervalMs?: number;
}

export interface EmbeddedMongoProcess {
  /** Connection string for the driver; the same before and after a restart of the store. */
  readonly uri: string;
  readonly pid: number | undefined;
  /** Ends the store after it has stored everything that it acknowledged. */
  stop(): Promise<void>;
}

interface Ready {
  type: 'ready';
  uri: string;
  port?: number;
}

interface Failed {
  type: 'failed';
  /** Present when another process has the directory. */
  lockedBy?: string;
  message: string;
}

const DAMAGE_HINT = 'Restore a backup.';
const CRASH_WINDOW_MS = 60_000;
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Starts the embedded store as a child process. It lives in its own process group, so that a signal to the parent's group leaves it
 * running until the parent has drained, and it ends by itself when the parent is gone.
 *
 * @throws DataDirLockedError when another process uses the directory
 */
export async function launchEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongoProcess> {
  const directory = join(options.dataDir, 'store');
  createDirectory(directory);
  const launcher = new Launcher(options, directory, chooseAddress(directory));
  await launcher.start();
  return launcher;
}

class Launcher implements EmbeddedMongoProcess {
  uri = '';
  private child: ChildProcess | undefined;
  private stopping = false;
  private lastCrash = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: EmbeddedMongoOptions,
    private readonly directory: string,
    private address: StoreAddress,
  ) {}

  private get damageHint(): string {
    return this.options.damageHint ?? DAMAGE_HINT;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  async start(): Promise<void> {
    const child = this.spawn();
    this.child = child;
    const ready = await readiness(child, this.directory, this.damageHint);
    // a restart has to come back at the same place
    if (ready.port !== undefined) this.address = { port: ready.port };
    this.uri = ready.uri;
    child.once('exit', (code, signal) => this.exited(code, signal));
  }

  private spawn(): ChildProcess {
    const where =
      'port' in this.address ? ['--port', String(this.address.port)] : ['--socket', this.address.socketPath];
    const extra =
      this.options.ttlIntervalMs === undefined ? [] : ['--ttl-interval-ms', String(this.options.ttlIntervalMs)];
    const child = fork(
      programPath(),
      ['--dbpath', this.directory, ...where, ...extra, ...(this.options.flush === false ? ['--no-sync'] : [])],
      {
        detached: true,
        // results pass through as short-lived buffers; a larger nursery collects them at less cost
        execArgv: ['--max-semi-space-size=32'],
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.options.onLog?.(line));
    }
    return child;
  }

  private exited(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.stopping) return;
    const what = `the embedded store ended unexpectedly (${signal ?? `code ${code}`})`;
    if (Date.now() - this.lastCrash < CRASH_WINDOW_MS) {
      const why = signal ? endText(signal, this.damageHint) : 'see its log lines above.';
      this.fatal(new Error(`${what} twice within a minute: ${why}`));
      return;
    }
    // Started again, it would be a new store.
    if (!existsSync(join(this.directory, DATA_FILE))) {
      this.fatal(
        new Error(`${what}, and ${join(this.directory, DATA_FILE)} is missing: mount its volume or restore a backup`),
      );
      return;
    }
    this.lastCrash = Date.now();
    this.options.onLog?.(JSON.stringify({ level: 'error', msg: `${what}; it is started again` }));
    this.start().catch((error: unknown) => this.fatal(error instanceof Error ? error : new Error(String(error))));
  }

  private fatal(error: Error): void {
    this.stopping = true;
    this.options.onFatal?.(error);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(timer);
  }
}

/** Resolves with the address, or rejects with what the program said before it ended. */
function readiness(child: ChildProcess, directory: string, damageHint: string): Promise<Ready> {
  return new Promise((resolve, reject) => {
    let failed: Failed | undefined;
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      finish(() => reject(new Error(`The embedded store did not become ready within ${START_TIMEOUT_MS / 1000} s.`)));
    }, START_TIMEOUT_MS);
    const onMessage = (message: unknown): void => {
      const report = message as Ready | Failed;
      if (report.type === 'ready') finish(() => resolve(report));
      else failed = report;
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
      finish(() => reject(signal ? endedAtStart(signal, directory, damageHint) : startError(failed, code, directory)));
    const finish = (end: () => void): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', onError);
      end();
    };
    const onError = (error: Error): void => finish(() => reject(error));
    child.on('message', onMessage);
    child.once('exit', onExit);
    child.once('error', onError);
  });
}

function startError(failed: Failed | undefined, code: number | null, directory: string): Error {
  if (failed?.lockedBy !== undefined) return new DataDirLockedError(directory, failed.lockedBy);
  return new StoreStartError(
    `The embedded store could not be started (exit code ${code}): ${failed?.message ?? 'see its log lines'}`,
  );
}

function endedAtStart(signal: NodeJS.Signals, directory: string, damageHint: string): Error {
  return new StoreStartError(
    `The embedded store in ${directory} could not be started (${signal}): ${endText(signal, damageHint)}`,
  );
}
