import { createServer, type Server, type Socket } from 'node:net';
import { chmodSync, rmSync } from 'node:fs';
import { createDirectory } from '../create-directory.js';
import type { Doc } from '../bson/codec.js';
import { DEFAULT_TIME_BUDGET_MS, type Context } from '../commands/context.js';
import { ChangeStreams } from '../commands/change-streams.js';
import { Cursors } from '../commands/cursors.js';
import { removeUnfinished } from '../commands/write-stages.js';
import { Transactions } from '../commands/transactions.js';
import { prepareDataFile } from '../store/data-file.js';
import { Engine } from '../store/engine.js';
import { uriOfSocket } from '../store-address.js';
import { Connection } from './connection.js';
import { TtlMonitor } from './ttl.js';

export interface ServeOptions {
  /** A port on 127.0.0.1 (0 for any free one), or the path of a unix socket. */
  listen: { port: number } | { socketPath: string };
  log: (entry: Doc) => void;
  /** Asked for by the `shutdown` command. */
  onShutdown: () => void;
  ttlIntervalMs?: number;
  timeBudgetMs?: number;
  transactionLifetimeMs?: number;
}

export interface ServerOptions extends ServeOptions {
  directory: string;
  /** False for tests: a commit is not flushed to disk, which a crash of the process survives but a power failure may not. */
  flush?: boolean;
}

export interface RunningServer {
  /** `127.0.0.1:<port>` or the socket's path. */
  address: string;
  port: number | undefined;
  uri: string;
  close(): Promise<void>;
}

/** Opens the data and listens, on loopback or a unix socket only. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  createDirectory(options.directory);
  await prepareDataFile(options.directory);
  const tell = (msg: string): void => options.log({ level: 'error', msg });
  return serve(new Engine(options.directory, options.flush, undefined, tell), options);
}

/** Listens for those who use opened data, and closes the data at the end. */
export async function serve(engine: Engine, options: ServeOptions): Promise<RunningServer> {
  const cursors = new Cursors();
  const sockets = new Set<Socket>();
  const transactions = new Transactions(engine, options.transactionLifetimeMs);
  const context: Context = {
    engine,
    store: engine,
    transactions,
    changeStreams: new ChangeStreams(engine),
    cursors,
    log: options.log,
    address: '',
    startedAt: Date.now(),
    shutdown: options.onShutdown,
  };
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    new Connection(context, socket, ++connections, options.timeBudgetMs ?? DEFAULT_TIME_BUDGET_MS);
  });
  const place = await listen(server, options.listen).catch(async (error: unknown) => {
    await engine.close();
    throw error;
  });
  context.address = place.address;
  const ttl = new TtlMonitor(context, options.ttlIntervalMs ?? 30_000);
  void removeUnfinished(engine)
    .then(() => engine.sweep())
    .catch((error: unknown) =>
      options.log({ level: 'error', msg: 'clearing dropped data failed', error: String(error) }),
    );
  return {
    ...place,
    async close() {
      ttl.stop();
      server.close();
      for (const socket of sockets) socket.destroy();
      cursors.close();
      transactions.close();
      context.changeStreams.close();
      await engine.close();
      if ('socketPath' in options.listen) rmSync(options.listen.socketPath, { force: true });
    },
  };
}

async function listen(
  server: Server,
  where: ServerOptions['listen'],
): Promise<Pick<RunningServer, 'address' | 'port' | 'uri'>> {
  if ('socketPath' in where) rmSync(where.socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if ('socketPath' in where) server.listen(where.socketPath, resolve);
    else server.listen(where.port, '127.0.0.1', resolve);
  });
  if ('socketPath' in where) {
    chmodSync(where.socketPath, 0o600);
    return {
      address: where.socketPath,
      port: undefined,
      uri: uriOfSocket(where.socketPath),
    };
  }
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : where.port;
  return { address: `127.0.0.1:${port}`, port, uri: `mongodb://127.0.0.1:${port}/?directConnection=true` };
}
