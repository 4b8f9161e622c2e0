import 'reflect-metadata';
import { ConfigError, loadConfig } from '#libs/config';
import { AppException } from '#libs/http-kit';
import { openStore, StoreUnreachableError } from '#libs/persistence';
import { parseKeyCommand, UsageError } from './keys/key-command.js';
import { RemoteKeysError, remoteKeys } from './keys/remote-keys.js';
import { runKeyCommand } from './keys/run-key-command.js';
import { withStoredKeys } from './keys/stored-keys.js';

// `npm run keys -- ...`: through the store, or, while a running Herald holds the embedded store, through that Herald.
try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

async function run(args: readonly string[]): Promise<string> {
  const command = parseKeyCommand(args);
  const config = loadConfig();
  const dataDir = config.get('DATA_DIR');
  let store;
  try {
    store = await openStore(config, stop);
  } catch (error) {
    if ((error as Error).name !== 'DataDirLockedError') throw error;
    return runKeyCommand(command, await remoteKeys(config, command.environment), dataDir);
  }
  return withStoredKeys(config, store, command.environment, (keys) => runKeyCommand(command, keys, dataDir));
}

function stop(error: Error): void {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  const expected = [UsageError, RemoteKeysError, ConfigError, StoreUnreachableError, AppException];
  const { message, stack } = error as Error;
  return expected.some((kind) => error instanceof kind) ? message : (stack ?? message);
}
