import { createServer, type Server, type Socket } from 'node:net';
import { chmodSync, rmSync } from 'node:fs';
import { createDirectory } from '../create-directory.js';
import type { Doc } from '../bson/codec.js';
import { DEFAULT_TIME_BUDGET_MS, type Context } from '../commands/context.js';
import { Cursors } from '../commands/cursors.js';
import { prepareDataFile } from '../store/data-file.js';
import { Engine } from '../store/engine.js';
import { uriOfSocket } from '../store-address.js';
import { Connection } from './connection.js';
import { TtlMonitor } from './ttl.js';

export interface ServerOptions {
  directory: string;
  /** A port on 127.0.0.1 (0 for any free one), or the path of a unix socket. */
  listen: { port: number } | { socketPath: string };
  log: (entry: Doc) => void;
  /** Asked for by the `shutdown` command. */
  onShutdown: () => void;
  /** False for tests: a commit is not flushed to disk, which a crash of the process survives but a power failure may not. */
  flush?: boolean;
  ttlIntervalMs?: number;
  timeBudgetMs?: number;
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
  const engine = new Engine(options.directory, options.flush, undefined, tell);
  const cursors = new Cursors();
  const sockets = new Set<Socket>();
  const context: Context = {
    engine,
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
  void engine
    .sweep()
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
