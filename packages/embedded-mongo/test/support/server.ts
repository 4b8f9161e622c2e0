import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { startServer, type RunningServer, type ServerOptions } from '../../src/server/server.js';

export const { MongoClient, ObjectId, Double, Int32, Long, Decimal128, BSON } = mongoose.mongo;
export type Client = InstanceType<typeof MongoClient>;

export interface TestServer {
  server: RunningServer;
  client: Client;
  directory: string;
  log: Record<string, unknown>[];
  stop(): Promise<void>;
}

/** A server in this process on a temporary folder, and a connected driver. */
export async function startTestServer(
  options: Partial<Pick<ServerOptions, 'directory' | 'timeBudgetMs' | 'ttlIntervalMs' | 'transactionLifetimeMs'>> = {},
): Promise<TestServer> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'embedded-mongo-'));
  const log: Record<string, unknown>[] = [];
  const server = await startServer({
    directory,
    listen: { socketPath: join(directory, 'mongo.sock') },
    flush: false,
    log: (entry) => log.push(entry),
    onShutdown: () => undefined,
    ...options,
  });
  const client = await new MongoClient(server.uri, { promoteBuffers: true }).connect();
  return {
    server,
    client,
    directory,
    log,
    async stop() {
      await client.close();
      await server.close();
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}
