import type { Socket } from 'socket.io';
import type { SubscriberSession } from '../subscriber-sessions/index.js';
import type { Connection, FeedUpdate } from './audience.js';
import type { SocketServer } from './process-link.js';

/** A slow client beyond this is disconnected; it reads its feed when it returns. */
const MAX_WAITING_PACKETS = 40;

export type ClientSocket = Parameters<Parameters<SocketServer['use']>[0]>[0];

export class SocketConnection implements Connection {
  constructor(
    private readonly socket: ClientSocket,
    readonly session: SubscriberSession,
    readonly address: string,
  ) {
    // No legitimate client sends events.
    socket.onAny(() => this.drop());
  }

  /** In the order of the compatible system; the unread count has the keys of old and new clients. */
  deliver({ messages, unseen, unread }: FeedUpdate): void {
    const { socket } = this;
    if (waitingPackets(socket) > MAX_WAITING_PACKETS) {
      this.drop();
      return;
    }
    for (const message of messages) socket.emit('notification_received', { message });
    if (unseen) socket.emit('unseen_count_changed', { unseenCount: unseen.count, hasMore: unseen.hasMore });
    if (unread) {
      const { count, inInbox, hasMore } = unread;
      socket.emit('unread_count_changed', { unreadCount: count, counts: inInbox, hasMore });
    }
  }

  end(): void {
    this.socket.disconnect(true);
  }

  /** At once: a client that does not read would not answer a closing handshake. */
  private drop(): void {
    this.socket.request.socket.destroy();
  }
}

/** Not yet handed to the operating system. */
function waitingPackets({ conn }: Socket): number {
  return (conn as unknown as { readonly writeBuffer: readonly unknown[] }).writeBuffer.length;
}
