import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { codeOf } from './describe-error.js';
import type { ErrorBody } from './error-body.response.js';

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

/** For the sender to read the response. */
const LINGER_MS = 2_000;

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
