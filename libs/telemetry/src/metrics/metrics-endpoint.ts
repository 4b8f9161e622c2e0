import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppConfig, ConfigError } from '#libs/config';
import type { MetricsPage } from './metrics.js';

export const METRICS_PATH = '/metrics';

export interface MetricsAnswer {
  readonly status: 200 | 401 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Checks METRICS_TOKEN if it is set. */
export class MetricsEndpoint {
  private readonly expected: Buffer | undefined;

  constructor(
    private readonly page: MetricsPage,
    token: string | undefined,
  ) {
    this.expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  }

  async answer(authorization: string | undefined): Promise<MetricsAnswer> {
    if (!this.accepts(authorization)) {
      return answerWith(401, 'Send METRICS_TOKEN as a bearer token.\n', { 'www-authenticate': 'Bearer' });
    }
    try {
      const body = await this.page.text();
      return answerWith(200, body, { 'content-type': this.page.contentType });
    } catch {
      return answerWith(503, 'The metrics could not be collected.\n');
    }
  }

  private accepts(authorization = ''): boolean {
    return this.expected === undefined || timingSafeEqual(this.expected, digest(authorization));
  }
}

function answerWith(
  status: MetricsAnswer['status'],
  body: string,
  headers: Record<string, string> = {},
): MetricsAnswer {
  return {
    status,
    body,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * @returns undefined without METRICS_PORT
 * @throws {ConfigError} if another process listens there
 */
export async function openMetricsServer(config: AppConfig, page: MetricsPage): Promise<MetricsServer | undefined> {
  const port = config.get('METRICS_PORT');
  if (port === undefined) return undefined;
  const endpoint = new MetricsEndpoint(page, config.get('METRICS_TOKEN'));
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.split('?', 1)[0] !== METRICS_PATH) {
      response.writeHead(404).end();
      return;
    }
    void endpoint.answer(request.headers.authorization).then(({ status, headers, body }) => {
      response.writeHead(status, headers).end(body);
    });
  });
  await listen(server, port, config.get('HOST'));
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(isTaken ? new ConfigError([`METRICS_PORT: another process listens on ${port}`]) : error);
    });
    server.listen(port, host, resolve);
  });
}
