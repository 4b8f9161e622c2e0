import type { Duplex } from 'node:stream';
import { CONNECT_TIMEOUT_MS } from './process-link.js';

/** Time for the closing handshake that the socket server begins at the limit. */
const CLOSING_MS = 1_000;

/**
 * Ends connections that have no session in time. The socket server asks such a client to close and then waits half a
 * minute for the answer; a client that does not answer loses its connection here.
 */
export class ConnectDeadlines {
  private readonly timers = new WeakMap<Duplex, NodeJS.Timeout>();

  begin(socket: Duplex): void {
    const timer = setTimeout(() => socket.destroy(), CONNECT_TIMEOUT_MS + CLOSING_MS);
    this.timers.set(socket, timer.unref());
    socket.once('close', () => clearTimeout(timer));
  }

  /** The connection has a session. */
  end(socket: Duplex): void {
    clearTimeout(this.timers.get(socket));
  }
}
