import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type StoreAddress = { port: number } | { socketPath: string };

/** Room for a path in the system's socket address. */
const MAX_SOCKET_PATH = 100;

/**
 * A unix socket where there are any: quicker than TCP, closed to other users by its permissions, and a restart finds it at the same
 * place. It is next to the data, or in a private temporary folder when that path is too long for a socket.
 */
export function chooseAddress(directory: string): StoreAddress {
  if (process.platform === 'win32') return { port: 0 };
  const nearData = join(directory, 'mongo.sock');
  if (Buffer.byteLength(nearData) <= MAX_SOCKET_PATH) return { socketPath: nearData };
  return { socketPath: join(mkdtempSync(join(tmpdir(), 'herald-')), 'mongo.sock') };
}

/** Connection string of the embedded store that runs on a data directory; undefined if its socket is not next to its data. */
export function runningEmbeddedMongo(dataDir: string): string | undefined {
  const socket = join(dataDir, 'store', 'mongo.sock');
  return existsSync(socket) ? uriOfSocket(socket) : undefined;
}

export function uriOfSocket(path: string): string {
  return `mongodb://${encodeURIComponent(path)}/?directConnection=true`;
}
