import type { ServerResponse } from 'node:http';
import type { FeedCount, LiveFeedReader, MessageKeyInTime, UnreadCount } from '../../engine/messages/live/index.js';
import type { LiveMessage } from '../../engine/messages/views/index.js';
import type { SubscriberSession } from '../subscriber-sessions/index.js';
import type { Connection, FeedUpdate } from './audience.js';
import type { StreamCursor } from './stream-cursor.js';

/** A slow client beyond this is disconnected; it resumes when it returns. */
const MAX_WAITING_BYTES = 262_144;
const KEYS_AT_ONCE = 500;
const MESSAGES_AT_ONCE = 20;

interface StreamOptions {
  readonly session: SubscriberSession;
  readonly address: string;
  readonly cursor: StreamCursor;
  readonly reader: LiveFeedReader;
  /** The connection is then closed. */
  readonly onFailure: (error: unknown) => void;
}

interface Counts {
  readonly unseen?: FeedCount;
  readonly unread?: UnreadCount;
}

export class StreamConnection implements Connection {
  readonly session: SubscriberSession;
  readonly address: string;
  private counts: Counts = {};
  /** To be sent after the messages that they count. */
  private waitingCounts: Counts = {};
  /** Updates during a catch-up request another one. */
  private isCatchingUp = false;
  private isStale = false;
  private wasBlocked = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: StreamOptions,
  ) {
    this.session = options.session;
    this.address = options.address;
  }

  /** Sends everything since the cursor. Call once updates are delivered here, so that nothing is missed. */
  begin(): Promise<void> {
    return this.catchUp();
  }

  deliver({ messages, hasSkipped, unseen, unread }: FeedUpdate): void {
    this.waitingCounts = { ...this.waitingCounts, ...(unseen && { unseen }), ...(unread && { unread }) };
    if (hasSkipped || this.isCatchingUp) {
      void this.catchUp();
      return;
    }
    for (const message of messages) this.sendMessage(message);
    this.sendCounts(this.takeCounts());
  }

  /** Keeps proxies and browsers from timing out. A client that has not read since the last call is dead. */
  beat(): void {
    const isBlocked = this.response.writableNeedDrain || this.response.writableEnded;
    if (isBlocked && this.wasBlocked) this.response.destroy();
    else this.write(': \n\n');
    this.wasBlocked = isBlocked;
  }

  end(): void {
    this.response.end();
  }

  private async catchUp(): Promise<void> {
    this.isStale = true;
    if (this.isCatchingUp) return;
    this.isCatchingUp = true;
    try {
      while (this.isStale && !this.response.destroyed) {
        this.isStale = false;
        const counts = this.takeCounts();
        await this.sendSinceCursor();
        this.sendCounts(counts);
      }
    } catch (error) {
      this.options.onFailure(error);
      this.response.destroy();
    } finally {
      this.isCatchingUp = false;
    }
  }

  private async sendSinceCursor(): Promise<void> {
    const { reader, session, cursor } = this.options;
    const { from } = cursor;
    let after: MessageKeyInTime | undefined;
    do {
      const page = { from, limit: KEYS_AT_ONCE, ...(after && { after }) };
      const keys = await reader.keysSince(session, session.subscriber.id, page);
      const missing = keys.filter((key) => !cursor.has(key)).map(({ id }) => id);
      for (let at = 0; at < missing.length; at += MESSAGES_AT_ONCE) {
        await this.sendByIds(missing.slice(at, at + MESSAGES_AT_ONCE));
      }
      after = keys.length === KEYS_AT_ONCE ? keys.at(-1) : undefined;
    } while (after !== undefined && !this.response.destroyed);
  }

  private async sendByIds(ids: readonly string[]): Promise<void> {
    const { reader, session } = this.options;
    const found = await reader.messagesByIds(session, ids);
    for (const message of found.get(session.subscriber.id) ?? []) this.sendMessage(message);
    await this.untilRead();
  }

  private untilRead(): Promise<void> | undefined {
    const { response } = this;
    if (!response.writableNeedDrain || response.destroyed) return undefined;
    return new Promise((resolve) => {
      const proceed = (): void => {
        response.off('drain', proceed).off('close', proceed);
        resolve();
      };
      response.on('drain', proceed).on('close', proceed);
    });
  }

  private sendMessage(message: LiveMessage): void {
    const key = { id: message._id, createdAt: message.createdAt };
    const { cursor } = this.options;
    if (cursor.has(key)) return;
    cursor.add(key);
    this.send('message', message);
  }

  private takeCounts(): Counts {
    const counts = this.waitingCounts;
    this.waitingCounts = {};
    return counts;
  }

  private sendCounts(changed: Counts): void {
    if (Object.keys(changed).length === 0) return;
    this.counts = { ...this.counts, ...changed };
    const { unseen, unread } = this.counts;
    if (unseen === undefined || unread === undefined) return;
    this.send('counts', {
      unseenCount: unseen.count,
      unreadCount: unread.count,
      counts: unread.inInbox,
      hasMore: { unseen: unseen.hasMore, unread: unread.hasMore },
    });
  }

  private send(event: 'message' | 'counts', data: unknown): void {
    this.write(`event: ${event}\nid: ${this.options.cursor.toString()}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  private write(text: string): void {
    const { response } = this;
    if (response.writableEnded) return;
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy();
    else response.write(text);
  }
}
