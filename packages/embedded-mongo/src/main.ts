import { writeSync } from 'node:fs';
import { createDirectory } from './create-directory.js';
import { acquireDataDirLock, DataDirLockedError, type DataDirLock } from './data-dir-lock.js';
import { parseArguments, type Arguments } from './arguments.js';
import { StoreError } from './errors.js';
import { startServer, type RunningServer } from './server/server.js';
import { Engine } from './store/engine.js';
import { verify } from './store/verify.js';
import type { VerifyLine } from './verifier.js';

/** Lines in the form that tools which start a mongod look for. */
function log(entry: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify({ t: new Date().toISOString(), ...entry })}\n`);
}

/** Runs the server as a program until it is stopped; sets the exit code if the start fails. */
async function main(argv: string[]): Promise<void> {
  const options = parseArguments(argv);
  if (options.version) {
    process.stdout.write(`db version v${options.versionText}\nHerald embedded store\n`);
    return;
  }
  // a parent that went away has closed the pipes; losing log lines is no reason to die without cleaning up
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  if (options.verify) return verifyFolder(options.dbpath);
  let lock: DataDirLock | undefined;
  try {
    createDirectory(options.dbpath);
    lock = await acquireDataDirLock(options.dbpath);
    await run(options, lock);
  } catch (error) {
    await lock?.release();
    fail(error);
  }
}

/** Written at once: the process may end at any page that it reads. */
const say = (line: VerifyLine): void => void writeSync(process.stdout.fd, `${JSON.stringify(line)}\n`);

function verifyFolder(directory: string): void {
  try {
    const engine = new Engine(directory, true, undefined, undefined, true);
    const totals = verify(engine, {
      damage: (sentence) => say({ type: 'damage', sentence }),
      progress: (ns, done, of) => say({ type: 'progress', ns, done, of }),
    });
    say({ type: 'end', totals });
  } catch (error) {
    if (!(error instanceof StoreError)) return say({ type: 'failed', message: (error as Error).message });
    say({ type: 'damage', sentence: `${error.message}. Nothing else was examined.` });
    say({ type: 'end', totals: { collections: 0, documents: 0, entries: 0, unsealed: 0 } });
  }
  process.exit();
}

async function run(options: Arguments, lock: DataDirLock): Promise<void> {
  let stop: (reason: string) => void = () => undefined;
  const server = await startServer({
    directory: options.dbpath,
    listen: options.socketPath === undefined ? { port: options.port } : { socketPath: options.socketPath },
    log,
    flush: options.flush,
    onShutdown: () => stop('shutdown command'),
    ...(options.ttlIntervalMs === undefined ? {} : { ttlIntervalMs: options.ttlIntervalMs }),
  });
  stop = stopper(server, lock);
  lock.onLost(() => stop('another process took the data directory'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('the parent process is gone'));
  if (server.port !== undefined && !process.connected) warnOfOpenPort(server.port);
  log({ level: 'info', msg: 'waiting for connections', address: server.address, port: server.port });
  process.send?.({ type: 'ready', uri: server.uri, address: server.address, port: server.port });
}

/** To the error output: tools read the first line of the other one. */
function warnOfOpenPort(port: number): void {
  process.stderr.write(
    `warning: 127.0.0.1:${port} has no login; every user of this machine can read, change and stop this store. ` +
      'It listens on the loopback address only.\n',
  );
}

function stopper(server: RunningServer, lock: DataDirLock): (reason: string) => void {
  let stopping = false;
  return (reason) => {
    if (stopping) return;
    stopping = true;
    log({ level: 'info', msg: 'shutting down', reason });
    server
      .close()
      .then(() => lock.release())
      .then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
  };
}

/** mongod's exit codes: 100 for a data directory that cannot be used, 48 for an address in use. */
function fail(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  const code = (error as { code?: unknown }).code;
  const lockedBy = error instanceof DataDirLockedError ? error.owner : undefined;
  const text = code === 'EADDRINUSE' ? `address already in use: ${message}` : `exception in initAndListen: ${message}`;
  process.stderr.write(`${text}\n`);
  process.send?.({ type: 'failed', lockedBy, message });
  process.exitCode = code === 'EADDRINUSE' ? 48 : 100;
  // the message to the parent is on its way; exit() would drop it
  if (process.connected) process.disconnect();
  setTimeout(() => process.exit(), 50).unref();
  throw new ExitRequested();
}

class ExitRequested extends Error {}

/** Entry of the executables: whatever goes wrong has been reported by then. */
export function start(): void {
  main(process.argv.slice(2)).catch((error: unknown) => {
    if (error instanceof ExitRequested) return;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  });
}
