import { type AppConfig, ConfigError } from '#libs/config';
import { runningEmbeddedMongo } from '@herald/embedded-mongo';
import { AppException } from '#libs/http-kit';
import { UnusableStoreError, type Store, StoreUnreachableError } from '#libs/persistence';
import { StoreKeyError } from '#libs/secrets';
import { NoStoreError, openExistingStore } from '../existing-store.js';
import { type KeyCommand, KEY_USAGE, parseKeyCommand, UsageError } from './key-command.js';
import { RemoteKeysError, remoteKeys } from './remote-keys.js';
import { type ResealReport, runReseal } from './reseal-command.js';
import { runKeyCommand } from './run-key-command.js';
import { printableLines } from '../printable.js';
import { withStoredKeys } from './stored-keys.js';
import { describeVapidKeys } from './vapid-command.js';

/** What is done when the store is lost. */
type Stop = (error: Error) => void;

/** Where the program writes text as it is. */
export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** `herald keys`, from the command line to the exit code. */
export async function keysProgram(
  args: readonly string[],
  loadConfig: () => AppConfig,
  { out, err }: Streams,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    out(`${KEY_USAGE}\n`);
    return 0;
  }
  const stop = (error: Error): void => {
    err(`${printableLines(error.message)}\n`);
    process.exit(1);
  };
  try {
    const { text, isComplete } = await run(args, loadConfig, stop);
    out(`${printableLines(text)}\n`);
    return isComplete ? 0 : 1;
  } catch (error) {
    err(`${printableLines(explain(error))}\n`);
    return 1;
  }
}

async function run(args: readonly string[], loadConfig: () => AppConfig, stop: Stop): Promise<ResealReport> {
  const command = parseKeyCommand(args);
  if (command.action === 'vapid') return { text: describeVapidKeys(), isComplete: true };
  const config = loadConfig();
  const store = await openUnlessHeld(config, stop);
  if (command.action === 'reseal') return runOnSecrets(command.acceptLoss, config, store);
  return { text: await runOnKeys(command, config, store), isComplete: true };
}

/** Undefined if a running Herald holds the embedded store. */
async function openUnlessHeld(config: AppConfig, stop: Stop): Promise<Store | undefined> {
  try {
    return await openExistingStore(config, stop);
  } catch (error) {
    if ((error as Error).name === 'DataDirLockedError') return undefined;
    throw error;
  }
}

async function runOnKeys(command: KeyCommand, config: AppConfig, store: Store | undefined): Promise<string> {
  const dataDir = config.get('DATA_DIR');
  const keys = store ?? (await remoteKeys(config, command.environment).catch((error) => heldStore(config, error)));
  if (!('uri' in keys)) return runKeyCommand(command, keys, dataDir);
  return withStoredKeys(config, keys, command.environment, (stored) => runKeyCommand(command, stored, dataDir));
}

async function runOnSecrets(acceptLoss: boolean, config: AppConfig, own: Store | undefined): Promise<ResealReport> {
  if (own !== undefined) {
    try {
      return await runReseal(config, own, { isShared: config.get('MONGODB_URI') !== undefined, acceptLoss });
    } finally {
      await own.close();
    }
  }
  const held = heldStore(config, new RemoteKeysError('A running Herald process is using the store. Stop it first.'));
  return runReseal(config, held, { isShared: true, acceptLoss });
}

/**
 * The embedded store of the running Herald, by its socket in DATA_DIR. It is for the owner of that folder, who could read
 * and change everything in it as well while Herald is stopped.
 * @param otherwise thrown if there is no socket
 */
function heldStore(config: AppConfig, otherwise: unknown): Store {
  const uri = runningEmbeddedMongo(config.get('DATA_DIR'));
  if (uri === undefined || !(otherwise instanceof RemoteKeysError)) throw otherwise;
  return { uri, description: 'embedded store of the running Herald', close: () => Promise.resolve() };
}

function explain(error: unknown): string {
  const expected = [
    UsageError,
    RemoteKeysError,
    ConfigError,
    NoStoreError,
    StoreUnreachableError,
    UnusableStoreError,
    StoreKeyError,
    AppException,
  ];
  const { message, stack } = error as Error;
  return expected.some((kind) => error instanceof kind) ? message : (stack ?? message);
}
