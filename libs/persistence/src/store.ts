import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AppConfig, commandLine } from '#libs/config';
import { UnusableStoreError } from './unusable-store-error.js';

/** In DATA_DIR; written after the first records of the store. */
export const ENCRYPTION_KEY_FILE = 'encryption-key';

export interface Store {
  readonly uri: string;
  /** For logs, without credentials. */
  readonly description: string;
  /** The driver publishes every command, for measurements. */
  readonly monitorCommands?: boolean;
  /** A new store may begin in a database that other applications use. */
  readonly mayShare?: boolean;
  close(): Promise<void>;
}

/**
 * MONGODB_URI if it is set, otherwise the embedded store in DATA_DIR. The same settings always give the same choice, so
 * that data never seems to vanish.
 * @throws {UnusableStoreError} if DATA_DIR has lost its store
 * @param onFatal called when the embedded store has stopped and cannot be restarted
 */
export async function openStore(config: AppConfig, onFatal: (error: Error) => void): Promise<Store> {
  const uri = config.get('MONGODB_URI');
  if (uri !== undefined) {
    return {
      uri,
      description: `MongoDB at ${describeUri(uri)}`,
      mayShare: config.get('ALLOW_SHARED_DATABASE'),
      close: () => Promise.resolve(),
    };
  }
  const dataDir = config.get('DATA_DIR');
  hasEmbeddedStore(dataDir);
  const { launchEmbeddedMongo } = await import('@herald/embedded-mongo');
  const embedded = await launchEmbeddedMongo({
    dataDir,
    onFatal,
    onLog: passOnWarnings,
    damageHint: damageHint(dataDir),
  });
  return { uri: embedded.uri, description: `embedded store in ${dataDir}`, close: () => embedded.stop() };
}

/** What to do about a damaged embedded store. */
export function damageHint(dataDir: string): string {
  const restore = commandLine('restore', ' --from <folder of the backup>');
  return `Move ${join(resolve(dataDir), 'store')} away and restore a backup: ${restore}. To see what is damaged: ${commandLine('doctor', ' --verify')}`;
}

/** The store logs JSON lines like Herald's; its warnings and errors are passed on. */
function passOnWarnings(line: string): void {
  if (/"level":"(warn|error|fatal)"/.test(line)) process.stdout.write(`${line}\n`);
}

/** Without credentials and options. A password may hold signs that should have been percent-encoded: what is left of the last `@` is left out. */
export function describeUri(uri: string): string {
  const [scheme, ...rest] = uri.split('//');
  const address = rest.join('//');
  return `${scheme}//${address.slice(address.lastIndexOf('@') + 1).split('?', 1)[0]}`;
}

/**
 * @returns whether a data directory has a store
 * @throws {UnusableStoreError} if it had one: its data file is empty, or missing beside its key
 */
export function hasEmbeddedStore(dataDir: string): boolean {
  if (hasDataFile(dataDir)) return true;
  if (existsSync(join(dataDir, ENCRYPTION_KEY_FILE))) throw lostStore(dataDir, 'is missing beside its encryption key');
  return false;
}

/**
 * Like {@link hasEmbeddedStore}, for a new store that is to have the key in the directory.
 * @throws {UnusableStoreError} if the data file is empty
 */
export function hasDataFile(dataDir: string): boolean {
  const size = statSync(dataFileOf(dataDir), { throwIfNoEntry: false })?.size;
  if (size === 0) throw lostStore(dataDir, 'is empty');
  return size !== undefined;
}

function dataFileOf(dataDir: string): string {
  return join(resolve(dataDir), 'store', 'data.mdb');
}

function lostStore(dataDir: string, what: string): UnusableStoreError {
  return new UnusableStoreError(
    `The data of the store, ${dataFileOf(dataDir)}, ${what}, and a new store does not take its place: mount the volume that has the ` +
      `data, or restore a backup (docs/operations.md, Restoring); to begin a new store, move the directory ${resolve(dataDir)} away.`,
  );
}
