import { createServer, type Server, type Socket } from 'node:net';
import { chmodSync, rmSync } from 'node:fs';
import { isNumeric, numberOf } from '../bson/numbers.js';
import type { Doc } from '../bson/codec.js';
import { MAX_MESSAGE_BYTES } from '../commands/admin.js';
import { DEFAULT_TIME_BUDGET_MS, type Context, type Request } from '../commands/context.js';
import { Cursors } from '../commands/cursors.js';
import { dispatch } from '../commands/dispatch.js';
import { Engine } from '../store/engine.js';
import { uriOfSocket } from '../store-address.js';
import { FrameReader, frameReply, MalformedFrame, parseMessage, type Message } from './frames.js';
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
  const engine = new Engine(options.directory, options.flush);
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
    serve(context, socket, ++connections, options.timeBudgetMs ?? DEFAULT_TIME_BUDGET_MS);
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

/** Answers one connection's messages one after the other; bytes that are no message end this connection only. */
function serve(context: Context, socket: Socket, connectionId: number, budgetMs: number): void {
  const reader = new FrameReader(MAX_MESSAGE_BYTES);
  let last: Promise<void> = Promise.resolve();
  let gone = false;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => (gone = true));
  const answer = async (frame: Buffer): Promise<void> => {
    if (gone) return;
    const message = parseMessage(frame);
    const reply = await dispatch(
      context,
      toRequest(message, connectionId, budgetMs, () => gone),
    );
    if (message.silent || gone) return;
    if (!socket.write(frameReply(message, reply))) await new Promise<void>((resolve) => onceDrained(socket, resolve));
  };
  socket.on('data', (piece: Buffer) => {
    try {
      for (const frame of reader.push(piece))
        last = last.then(() => answer(frame)).catch((error: unknown) => hangUp(context, socket, error));
    } catch (error) {
      hangUp(context, socket, error);
    }
  });
}

function onceDrained(socket: Socket, resolve: () => void): void {
  const done = (): void => {
    socket.off('drain', done);
    socket.off('close', done);
    resolve();
  };
  socket.on('drain', done);
  socket.on('close', done);
}

function hangUp(context: Context, socket: Socket, error: unknown): void {
  const level = error instanceof MalformedFrame ? 'warn' : 'error';
  context.log({ level, msg: 'connection closed', reason: error instanceof Error ? error.message : String(error) });
  socket.destroy();
}

function toRequest(message: Message, connectionId: number, budgetMs: number, abandoned: () => boolean): Request {
  const { command, name, documents } = message;
  const asked = isNumeric(command.maxTimeMS) ? Number(numberOf(command.maxTimeMS)) : 0;
  return {
    name,
    command,
    documents,
    connectionId,
    abandoned,
    db: typeof command.$db === 'string' ? command.$db : 'test',
    deadline: Date.now() + (asked > 0 ? asked : budgetMs),
  };
}
