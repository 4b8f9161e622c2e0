import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface CannedAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Objects become JSON. */
  body?: unknown;
  /** How long the answer takes. */
  delayMs?: number;
  /** Ends the connection instead: before any answer, or in the middle of its body. */
  breaksOff?: 'before' | 'inside';
}

export interface RecordingServer {
  url: string;
  requests: RecordedRequest[];
  /** Decides about each request; `undefined` means silence. */
  answer: (request: RecordedRequest) => CannedAnswer | undefined;
  close(): Promise<void>;
}

/** An HTTP server on a free loopback port that keeps every request and answers as configured. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const recorded = { method, path, headers, body: Buffer.concat(chunks) };
      requests.push(recorded);
      const answer = server.answer(recorded);
      if (!answer) return;
      if (answer.breaksOff === 'before') {
        request.socket.destroy();
        return;
      }
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      const type = typeof answer.body === 'string' ? 'text/plain' : 'application/json';
      const send = (): void => {
        if (answer.breaksOff === 'inside') {
          response.writeHead(answer.status ?? 200, { 'content-type': type, 'content-length': '1000' }).write('{');
          setImmediate(() => response.destroy());
          return;
        }
        response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers }).end(text);
      };
      if (answer.delayMs === undefined) send();
      else setTimeout(send, answer.delayMs);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: RecordingServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    answer: () => ({ body: {} }),
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
  return server;
}
