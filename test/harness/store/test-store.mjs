import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

// Plain JavaScript: Jest loads a global set-up without the transforms that tests get.

/** On a busy machine the start of a process may take ten times as long as otherwise. */
const START_WITHIN_MS = 120_000;

/**
 * Where this run's tests keep their data.
 * @typedef {{ uri: string, kind: string, stays?: boolean, stop: () => Promise<void> }} TestStore
 */

/**
 * One store for the whole run: MONGODB_URI, else mongodb-memory-server with MONGOD_BINARY, a `mongod` on the PATH or in
 * its cache, else the embedded store. Nothing is downloaded unless MONGOD_DOWNLOAD=1: a silent network must not delay
 * anything.
 * @returns {Promise<TestStore>}
 */
export async function startTestStore() {
  const uri = process.env['MONGODB_URI'];
  if (uri !== undefined && uri !== '') return { uri, kind: 'MONGODB_URI', stays: true, stop: () => Promise.resolve() };

  const download = process.env['MONGOD_DOWNLOAD'] === '1';
  process.env['MONGOMS_RUNTIME_DOWNLOAD'] = download ? 'true' : 'false';
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false';
  const { MongoBinary, MongoMemoryServer } = await import('mongodb-memory-server');

  const binary = process.env['MONGOD_BINARY'] ?? onPath('mongod');
  if (binary !== undefined) return memoryServer(MongoMemoryServer, binary, binary);
  // Asked beforehand, because a failed start is reported at length.
  const cached = await MongoBinary.getPath().catch(() => undefined);
  if (cached !== undefined) return memoryServer(MongoMemoryServer, cached, cached);
  return embeddedStore();
}

/** As Herald starts it, by a socket, which takes less of a processor than TCP. */
async function embeddedStore() {
  const { launchEmbeddedMongo } = await import('@herald/embedded-mongo');
  const dataDir = mkdtempSync(join(tmpdir(), 'herald-test-'));
  // No test pulls a plug, so commits need not wait for the disk.
  const store = await launchEmbeddedMongo({ dataDir, flush: false });
  return {
    uri: store.uri,
    kind: 'embedded store',
    stop: async () => {
      await store.stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function memoryServer(MemoryServer, systemBinary, kind) {
  const server = await MemoryServer.create({
    instance: { storageEngine: 'wiredTiger', launchTimeout: START_WITHIN_MS },
    binary: { systemBinary },
  });
  return { uri: server.getUri(), kind, stop: async () => void (await server.stop()) };
}

function onPath(name) {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((dir) => join(dir, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
