import { once } from 'node:events';
import type { Socket } from 'node:net';
import mongoose, { type Connection } from 'mongoose';
import { workerStore } from '../../../test/harness/index.js';
import { endWritesOfClosedConnections } from './driver-connections.js';

interface Monitor {
  readonly connection: { readonly socket: Socket };
  requestCheck(): void;
}

/** The monitor of the only server. */
function monitorOf(connection: Connection): Monitor {
  const { topology } = connection.getClient() as unknown as {
    topology: { s: { servers: Map<string, { monitor: Monitor }> } };
  };
  const [server] = topology.s.servers.values();
  if (server === undefined) throw new Error('The driver knows no server.');
  return server.monitor;
}

describe('a connection to the store that closes right before a command is written', () => {
  let connection: Connection;
  beforeEach(async () => {
    // So that heartbeats can follow each other at once.
    connection = await mongoose
      .createConnection(workerStore().uri, { minHeartbeatFrequencyMS: 0, heartbeatFrequencyMS: 500 })
      .asPromise();
    endWritesOfClosedConnections(connection);
  });
  afterEach(() => connection.close());

  it('should not keep the driver from watching the store', async () => {
    const client = connection.getClient();
    const monitor = monitorOf(connection);
    let started = 0;
    client.on('serverHeartbeatStarted', () => (started += 1));
    const failed = once(client, 'serverHeartbeatFailed');
    // As when a server dies: the socket is destroyed, and the driver hears of it a moment later.
    monitor.connection.socket.destroy();
    monitor.requestCheck();
    expect(started).toBe(1);
    await failed;
    await once(client, 'serverHeartbeatSucceeded');
    expect(await connection.db?.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  it('should end the command with an error of the driver', async () => {
    const { socket } = monitorOf(connection).connection;
    const { writeCommand } = Object.getPrototypeOf(monitorOf(connection).connection) as {
      writeCommand(this: unknown, command: unknown, options: unknown): Promise<void>;
    };
    const command = { toBin: () => Promise.resolve([Buffer.alloc(16)]) };
    const broken = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
    const written = writeCommand.call(
      {
        socket: Object.assign(Object.create(socket) as Socket, {
          write: () => {
            setImmediate(() => socket.emit('error', broken));
            return false;
          },
        }),
      },
      command,
      { agreedCompressor: 'none' },
    );
    await expect(written).rejects.toMatchObject({ name: 'MongoNetworkError', message: broken.message });
  });
});
