import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AppConfig } from '#libs/config';
import type { AppLogger } from '../logging/app-logger.js';

/** Longer than the minute after which common proxies drop an idle connection, so that they never meet a closed one. */
const KEEP_ALIVE_MS = 65_000;
/** How long what is left of a refused body may still arrive, so that its sender reads why it was refused. */
const LINGER_MS = 2_000;
const TELL_EVERY_MS = 60_000;
/** Unanswered requests of one connection. Hardly any client sends a second one before it has its answer. */
const MAX_PIPELINED = 10;

/** Gives connections, headers and bodies their deadlines and numbers, so that nobody can hold on to the process. */
export function limitConnections(server: Server, config: AppConfig, logger: AppLogger): void {
  const headersTimeout = config.get('HEADERS_TIMEOUT_MS');
  const requestTimeout = Math.max(config.get('REQUEST_TIMEOUT_MS'), headersTimeout);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = headersTimeout;
  server.requestTimeout = requestTimeout;
  server.maxConnections = config.get('MAX_CONNECTIONS');
  // Read when the server begins to listen; without it a deadline could be half a minute late.
  Object.assign(server, { connectionsCheckingInterval: Math.min(5_000, Math.ceil(headersTimeout / 4)) });
  tellOfDrops(server, logger);
  limitPerAddress(server, config.get('MAX_CONNECTIONS_PER_ADDRESS'));
  limitPipelining(server);
  hangUpOnUnreadBodies(server);
  continueLate(server);
}

/**
 * Ends connections that send requests without waiting for answers: each of them is worked on at once, and its answer is
 * kept until those before it are read. Answers that are still kept when their connection ends are closed, which Node does
 * only for the first of them, so that whatever waits for their end hears of it.
 */
function limitPipelining(server: Server): void {
  const unanswered = new WeakMap<Socket, Set<ServerResponse>>();
  server.on('connection', (socket: Socket) => {
    const responses = new Set<ServerResponse>();
    unanswered.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) if (!response.closed) response.destroy().emit('close');
    });
  });
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = unanswered.get(socket);
    // Of what was read together with the request that was too many, nobody is to wait for an end.
    if (responses === undefined || socket.destroyed) return;
    responses.add(response);
    response.once('close', () => responses.delete(response));
    if (responses.size > MAX_PIPELINED) socket.destroy();
  });
}

/** Does nothing for requests whose connection has been ended. */
export function skipAborted(request: IncomingMessage, _response: ServerResponse, next: () => void): void {
  if (!request.socket.destroyed) next();
}

/** Once a minute at the most: whoever floods the connections must not flood the log as well. */
function tellOfDrops(server: Server, logger: AppLogger): void {
  let told = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    if (performance.now() - told < TELL_EVERY_MS) return;
    told = performance.now();
    logger.event('warn', 'connections are refused: there are MAX_CONNECTIONS already');
  });
}

function limitPerAddress(server: Server, most: number): void {
  if (most === 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const now = (open.get(address) ?? 0) + 1;
    open.set(address, now);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (now > most) socket.destroy();
  });
}

/**
 * A request that was answered before its body was read: Node throws the rest away as it comes, which costs no memory, but
 * would go on for as long as the sender likes.
 */
function hangUpOnUnreadBodies(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (request.complete) return;
      setTimeout(() => {
        if (!request.complete) request.socket.destroy();
      }, LINGER_MS).unref();
    });
  });
}

/** Clients that ask before they send a body are told to go on when it is read, that is, once their key was checked. */
function continueLate(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Without '100 Continue' nobody knows whether the body comes before the next request.
    response.setHeader('Connection', 'close');
    server.emit('request', request, response);
  });
}
