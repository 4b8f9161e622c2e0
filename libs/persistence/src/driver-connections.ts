import type { Socket } from 'node:net';
import mongoose, { type Connection } from 'mongoose';

const { MongoError, MongoNetworkError } = mongoose.mongo;

/** Internals of the driver's connections, which are not part of its interface. */
interface DriverConnection {
  readonly socket: Socket;
  writeCommand: (this: DriverConnection, ...sent: unknown[]) => Promise<void>;
}

interface DriverInternals {
  readonly topology?: {
    readonly s?: { readonly servers?: ReadonlyMap<string, { readonly monitor?: { readonly connection?: object } }> };
  };
}

const guarded = new WeakSet<object>();
const watched = new WeakSet<Socket>();

/**
 * Ends commands whose connection closes during the write. The driver (7.8) waits for a `drain` that never comes: the
 * command hangs forever, and if it is a heartbeat, the store stays unavailable until a restart. Other such writes fail
 * with socket errors that are not driver errors.
 */
export function endWritesOfClosedConnections(connection: Connection): void {
  const { topology } = connection.getClient() as unknown as DriverInternals;
  for (const { monitor } of topology?.s?.servers?.values() ?? []) {
    if (monitor?.connection !== undefined) guard(Object.getPrototypeOf(monitor.connection) as DriverConnection);
  }
}

/** @param prototype of all connections of the driver */
function guard(prototype: DriverConnection): void {
  if (guarded.has(prototype) || typeof prototype.writeCommand !== 'function') return;
  guarded.add(prototype);
  const write = prototype.writeCommand;
  prototype.writeCommand = async function (...sent) {
    wakeWhenClosed(this.socket);
    try {
      await write.apply(this, sent);
    } catch (error) {
      if (error instanceof MongoError || !isOfSocket(error)) throw error;
      throw new MongoNetworkError(error.message, { cause: error });
    }
  };
}

/** The driver then finds that the connection is closed, and ends the command with its error. */
function wakeWhenClosed(socket: Socket): void {
  if (watched.has(socket)) return;
  watched.add(socket);
  socket.once('close', () => socket.emit('drain'));
}

function isOfSocket(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
