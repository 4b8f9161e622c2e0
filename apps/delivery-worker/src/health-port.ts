import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HealthService } from '../../../src/operations/health/index.js';

/** Answers every request with the state of the worker: 200, or 503 if the store is unavailable or shutdown has begun. */
export async function openHealthPort(health: HealthService, port: number, host: string): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    health
      .check()
      .then((state) => {
        response.writeHead(state.status === 'ok' ? 200 : 503, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ data: state }));
      })
      .catch(() => response.writeHead(503).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
