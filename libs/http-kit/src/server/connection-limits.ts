import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AppConfig } from '#libs/config';
import type { AppLogger } from '../logging/app-logger.js';

/** Common proxies close idle connections after a minute; longer, so that they never use a closed one. */
const KEEP_ALIVE_MS = 65_000;
/** For the rest of a rejected body, so that its sender can read the response. */
const LINGER_MS = 2_000;
const LOG_EVERY_MS = 60_000;
/** Unanswered requests per connection; few clients pipeline. */
const MAX_PIPELINED = 10;

/** No client can exhaust the process. */
export function limitConnections(server: Server, config: AppConfig, logger: AppLogger): void {
  const headersTimeout = config.get('HEADERS_TIMEOUT_MS');
  const requestTimeout = Math.max(config.get('REQUEST_TIMEOUT_MS'), headersTimeout);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = headersTimeout;
  server.requestTimeout = requestTimeout;
  server.maxConnections = config.get('MAX_CONNECTIONS');
  // Read when the server begins to listen. By default a deadline can pass 30 s late.
  Object.assign(server, { connectionsCheckingInterval: Math.min(5_000, Math.ceil(headersTimeout / 4)) });
  logDrops(server, logger);
  limitPerAddress(server, config.get('MAX_CONNECTIONS_PER_ADDRESS'));
  limitPipelining(server);
  closeOnUnreadBodies(server);
  continueLate(server);
}

/**
 * Pipelined responses would be held in memory. On close, Node emits 'close' only for the first held response; this
 * emits it for all, so that every listener runs.
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
    // Requests read together with the excess one are not tracked.
    if (responses === undefined || socket.destroyed) return;
    responses.add(response);
    response.once('close', () => responses.delete(response));
    if (responses.size > MAX_PIPELINED) socket.destroy();
  });
}

/** At most once a minute, so that a flood of connections does not flood the log. */
function logDrops(server: Server, logger: AppLogger): void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    logger.event('warn', 'connections are refused: there are MAX_CONNECTIONS already');
  });
}

function limitPerAddress(server: Server, limit: number): void {
  if (limit === 0) return;
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
    if (now > limit) socket.destroy();
  });
}

/** If a request is answered before its body was read, Node would discard the rest for as long as the sender likes. */
function closeOnUnreadBodies(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (request.complete) return;
      setTimeout(() => {
        if (!request.complete) request.socket.destroy();
      }, LINGER_MS).unref();
    });
  });
}

/** Sends '100 Continue' when the body is read, which is after authentication. */
function continueLate(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Without '100 Continue' the server cannot know whether the body or the next request follows.
    response.setHeader('Connection', 'close');
    server.emit('request', request, response);
  });
}
