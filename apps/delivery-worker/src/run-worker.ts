import { ConfigError, loadConfig } from '#libs/config';
import { openStore, type Store, StoreUnreachableError } from '#libs/persistence';
import { StoreKeyError } from '#libs/secrets';
import { type RunningWorker, startWorker } from './start-worker.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** Longest time for ending by itself after a signal. */
const GRACE_MS = 20_000;

/** The worker process from settings to delivering. Faults that the operator can mend end it with one clear text. */
export async function runWorker(): Promise<void> {
  let store: Store | undefined;
  try {
    const config = loadConfig();
    if (config.get('MONGODB_URI') === undefined) {
      throw new ConfigError([
        'MONGODB_URI: a worker of its own needs a MongoDB that it shares with the API. ' +
          'With the embedded store the API process delivers by itself.',
      ]);
    }
    store = await openStore(config, (error) => stopWith(error.message));
    stopOnSignals(await startWorker(config, store));
  } catch (error) {
    await store?.close();
    stopWith(explain(error));
  }
}

function stopOnSignals(worker: RunningWorker): void {
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      setTimeout(() => process.exit(1), GRACE_MS).unref();
      void worker.stop().then(() => process.exit(0));
    });
  }
}

function explain(error: unknown): string {
  const isExpected = [ConfigError, StoreUnreachableError, StoreKeyError].some((kind) => error instanceof kind);
  if (isExpected) return (error as Error).message;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}. Another process listens there; set WORKER_PORT to another one.`;
  return stack ?? message;
}

function stopWith(text: string): void {
  process.stderr.write(`herald worker: ${text}\n`);
  process.exitCode = 1;
  // Whatever still holds the process open must not keep it.
  setTimeout(() => process.exit(1), 200).unref();
}
