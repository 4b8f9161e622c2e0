import { setImmediate } from 'node:timers/promises';
import { storeFault } from '#libs/common';
import { type AppConfig, ConfigError, loadConfig, misspelledSettings } from '#libs/config';
import { openStore, type Store, StoreUnreachableError } from '#libs/persistence';
import { giveBackIdleMemory } from './idle-memory.js';

/** File-system errors of an unusable DATA_DIR. */
const UNUSABLE_DIRECTORY = new Set(['EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC', 'EIO', 'EDQUOT']);

/** By name: their classes are loaded with the application or the embedded store. */
const SELF_EXPLAINING = new Set([
  'DataDirLockedError',
  'PluginError',
  'UnusableStoreError',
  'UnwalledModelError',
  'StoreKeyError',
  'StoreStartError',
]);

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** Besides {@link timeToEnd}; the orchestrator would kill a process that takes longer. */
const SHUTDOWN_MS = 20_000;

/** Load balancers, then provider calls in flight. In milliseconds. */
function timeToEnd(config: AppConfig): number {
  return config.get('SHUTDOWN_DRAIN_MS') + config.get('DELIVERY_TIMEOUT_MS');
}

export interface RunningProcess {
  /** Printed when the process is ready. */
  readonly welcome?: string;
  /** Accepts no more work, finishes work in flight, closes the store. */
  stop(): Promise<void>;
}

export interface ProcessOptions {
  readonly name: string;
  readonly portSetting: string;
  /** @throws {ConfigError} if this process cannot run with these settings */
  readonly check?: (config: AppConfig) => void;
  /** Called while the store opens, because both take long. Returns the start function. */
  readonly load: (config: AppConfig) => Promise<(config: AppConfig, store: Store) => Promise<RunningProcess>>;
}

/** An error that the operator can fix ends the process with one clear text. */
export async function runProcess(options: ProcessOptions): Promise<void> {
  let store: Store | undefined;
  try {
    const config = loadConfig();
    options.check?.(config);
    // Before the application: its validation and documents read lists that plugins extend.
    if (config.get('HERALD_PLUGINS').length > 0) await (await import('./plugin-host/index.js')).loadPlugins(config);
    const opening = openStore(config, (error) => stopWith(options, error.message));
    opening.catch(() => undefined);
    // The embedded store is a process of its own and starts meanwhile; loading blocks this one.
    await setImmediate();
    const start = await options.load(config);
    await warnOfMisspelledSettings(config);
    store = await opening;
    const running = await start(config, store);
    stopOnSignals(running, SHUTDOWN_MS + timeToEnd(config));
    process.stdout.write(running.welcome ?? '');
    giveBackIdleMemory();
  } catch (error) {
    await store?.close();
    stopWith(options, explain(error, options));
  }
}

async function warnOfMisspelledSettings(config: AppConfig): Promise<void> {
  const misspelled = misspelledSettings();
  if (misspelled.length === 0) return;
  const { AppLogger } = await import('#libs/http-kit');
  const logger = new AppLogger(config);
  for (const { name, nearest } of misspelled) {
    logger.event('warn', `Unknown setting ${name}; did you mean ${nearest}?`, { context: 'Settings' });
  }
}

function stopOnSignals(running: RunningProcess, withinMs: number): void {
  let isStopping = false;
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      // A second signal changes nothing.
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => process.exit(1), withinMs).unref();
      running.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

function explain(error: unknown, { portSetting }: ProcessOptions): string {
  if (error instanceof ConfigError || error instanceof StoreUnreachableError) return error.message;
  const { code, name, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}. Another process listens there; set ${portSetting} to another one.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${message}. Set HOST to an address of this machine.`;
  if (code === 'EACCES') return `${message}. Choose a ${portSetting} above 1023 or a DATA_DIR that is writable.`;
  if (code !== undefined && UNUSABLE_DIRECTORY.has(code))
    return `${message}. Set DATA_DIR to a folder that is writable.`;
  if (SELF_EXPLAINING.has(name)) return message;
  if (storeFault(error) === 'unavailable')
    return `The store became unavailable during the start: ${message}. Start again.`;
  return stack ?? message;
}

function stopWith({ name }: ProcessOptions, text: string): void {
  process.stderr.write(`${name}: ${text}\n`);
  process.exitCode = 1;
  // Open handles must not keep the process alive.
  setTimeout(() => process.exit(1), 200).unref();
}
