import type { Duplex } from 'node:stream';
import { CONNECT_TIMEOUT_MS } from './process-link.js';

/** For the closing handshake that the socket server begins at the limit. */
const CLOSING_MS = 1_000;

/**
 * At the limit the socket server waits half a minute for the client to close; a client that does not answer is cut off
 * here.
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
