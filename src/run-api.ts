import { ConfigError, loadConfig } from '#libs/config';
import { openStore, type Store, StoreUnreachableError } from '#libs/persistence';

/** What the file system says where DATA_DIR cannot hold data. */
const UNUSABLE_DIRECTORY = new Set(['EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC', 'EIO', 'EDQUOT']);

/** Errors whose text says what to do; their classes are loaded with the application or the embedded store. */
const TOLD_BY_NAME = new Set(['DataDirLockedError', 'StoreKeyError']);

/** The API process from settings to listening. Faults that the operator can mend end it with one clear text. */
export async function runApi(): Promise<void> {
  let store: Store | undefined;
  try {
    const config = loadConfig();
    // The store starts while the application is still being loaded.
    const opening = openStore(config, (error) => stopWith(error.message));
    opening.catch(() => undefined);
    const { startApi } = await import('./start-api.js');
    store = await opening;
    await startApi(config, store);
  } catch (error) {
    await store?.close();
    stopWith(explain(error));
  }
}

function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StoreUnreachableError) return error.message;
  const { code, name, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}. Another process listens there; set PORT to another one.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${message}. Set HOST to an address of this machine.`;
  if (code === 'EACCES') return `${message}. Choose a PORT above 1023 or a DATA_DIR that is writable.`;
  if (code !== undefined && UNUSABLE_DIRECTORY.has(code))
    return `${message}. Set DATA_DIR to a folder that is writable.`;
  return TOLD_BY_NAME.has(name) ? message : (stack ?? message);
}

function stopWith(text: string): void {
  process.stderr.write(`herald: ${text}\n`);
  process.exitCode = 1;
  // Whatever still holds the process open must not keep it.
  setTimeout(() => process.exit(1), 200).unref();
}
