import 'reflect-metadata';
import { type AppConfig, ConfigError, loadConfig } from '#libs/config';
import { runningEmbeddedMongo } from '@herald/embedded-mongo';
import { AppException } from '#libs/http-kit';
import { SchemaError, type Store, StoreUnreachableError } from '#libs/persistence';
import { StoreKeyError } from '#libs/secrets';
import { NoStoreError, openExistingStore } from './existing-store.js';
import { type KeyCommand, KEY_USAGE, parseKeyCommand, UsageError } from './keys/key-command.js';
import { RemoteKeysError, remoteKeys } from './keys/remote-keys.js';
import { type ResealReport, runReseal } from './keys/reseal-command.js';
import { runKeyCommand } from './keys/run-key-command.js';
import { printableLines } from './printable.js';
import { answerHelp } from './run-command.js';
import { withStoredKeys } from './keys/stored-keys.js';
import { describeVapidKeys } from './keys/vapid-command.js';

// `npm run keys -- ...`: uses the store, or a running Herald while that Herald holds the embedded store.
answerHelp(process.argv.slice(2), KEY_USAGE);
try {
  process.stdout.write(`${printableLines(await run(process.argv.slice(2)))}\n`);
} catch (error) {
  process.stderr.write(`${printableLines(explain(error))}\n`);
  process.exitCode = 1;
}

async function run(args: readonly string[]): Promise<string> {
  const command = parseKeyCommand(args);
  if (command.action === 'vapid') return describeVapidKeys();
  const config = loadConfig();
  const store = await openUnlessHeld(config);
  if (command.action !== 'reseal') return runOnKeys(command, config, store);
  const { text, isComplete } = await runOnSecrets(command.acceptLoss, config, store);
  if (!isComplete) process.exitCode = 1;
  return text;
}

/** Undefined if a running Herald holds the embedded store. */
async function openUnlessHeld(config: AppConfig): Promise<Store | undefined> {
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

function stop(error: Error): void {
  process.stderr.write(`${printableLines(error.message)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  const expected = [
    UsageError,
    RemoteKeysError,
    ConfigError,
    NoStoreError,
    StoreUnreachableError,
    SchemaError,
    StoreKeyError,
    AppException,
  ];
  const { message, stack } = error as Error;
  return expected.some((kind) => error instanceof kind) ? message : (stack ?? message);
}
