import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AppConfig } from '#libs/config';
import type { AppLogger } from '../logging/app-logger.js';
import { codeOf } from '../errors/describe-error.js';
import type { ErrorBody } from '../errors/error-body.response.js';
import { hasBody } from '../request/http-request.js';

/** Common proxies close idle connections after a minute; longer, so that they never use a closed one. */
const KEEP_ALIVE_MS = 65_000;
/** For the rest of a rejected request, so that its sender can read the response. */
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
    if (!hasBody(request)) return;
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

/**
 * Once the returned function is called, every response closes its connection, also that of a request in flight.
 * Otherwise a busy client would keep its connection, and an idle one would keep the server open or lose a request.
 */
export function lastAnswers(server: Server): () => void {
  const open = new Set<ServerResponse>();
  let closing = false;
  const close = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    if (closing) close(response);
  });
  return () => {
    closing = true;
    open.forEach(close);
  };
}

const STATUSES: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const TEXTS: Record<number, string> = {
  400: 'This is not a complete HTTP request. Check the request line, the headers and the length of the body.',
  408: 'The request did not arrive in time. Send it again.',
  413: 'The extensions of a chunk are too large. Send chunks without extensions.',
  431: 'The address and the headers are larger than 16 kB together. Send less in them.',
};

/** Requests that Node's HTTP parser rejects get the usual error body. */
export function answerUnreadableRequests(server: Server): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', ({ socket }, response) => responses.set(socket, response));
  // Fastify's own answer has another body.
  server.removeAllListeners('clientError').on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const begun = responses.get(socket)?.headersSent === true && responses.get(socket)?.writableFinished === false;
    if (error.code === 'ECONNRESET' || !socket.writable || begun) socket.destroy();
    else {
      socket.end(answer(STATUSES[error.code ?? ''] ?? 400));
      // A client that never closes the connection would keep it past all deadlines.
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    }
  });
}

function answer(status: number): string {
  const error = STATUS_CODES[status] ?? 'Bad Request';
  const body: ErrorBody = {
    statusCode: status,
    timestamp: new Date().toISOString(),
    path: '',
    message: TEXTS[status] ?? error,
    error,
    code: status === 400 ? 'malformed_request' : codeOf(status),
  };
  const text = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${error}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    '',
    text,
  ].join('\r\n');
}
