import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger, type HttpReply, platformOf } from '#libs/http-kit';
import { LiveFeedReader } from '../../engine/messages/live/index.js';
import type { SubscriberSession } from '../subscriber-sessions/index.js';
import { Audience } from './audience.js';
import { RealTimeOff } from './real-time.errors.js';
import { StreamConnection } from './stream-connection.js';
import { OVERLAP_MS, StreamCursor } from './stream-cursor.js';

const HEARTBEAT_MS = 25_000;
/** Before browsers reconnect. */
const RETRY_MS = 2_000;
/** Messages of the last minute that a new stream does not repeat. */
const MAX_RECENT = 500;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies would hold events back until their buffer is full.
  'x-accel-buffering': 'no',
};

interface OpenedStream {
  readonly session: SubscriberSession;
  readonly address: string;
  readonly lastEventId: string | undefined;
}

@Injectable()
export class Streams implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly open = new Set<StreamConnection>();
  private heartbeat: NodeJS.Timeout | undefined;
  private isClosing = false;

  constructor(
    private readonly audience: Audience,
    private readonly reader: LiveFeedReader,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
    private readonly config: AppConfig,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    this.heartbeat = setInterval(() => {
      for (const stream of this.open) stream.beat();
    }, HEARTBEAT_MS).unref();
  }

  onModuleDestroy(): void {
    this.isClosing = true;
    clearInterval(this.heartbeat);
    for (const stream of this.open) stream.end();
  }

  /** Sends events until either side ends the stream. */
  async serve(reply: HttpReply, { session, address, lastEventId }: OpenedStream): Promise<void> {
    if (this.config.get('REAL_TIME') === 'off') throw new RealTimeOff();
    this.audience.assertRoom({ session, address });
    const cursor = StreamCursor.parse(lastEventId ?? '') ?? (await this.cursorOfNow(session));
    const { method, socket } = reply.raw.req;
    // As sockets do: the client returns to another process, which an error would keep it from.
    if (this.isClosing) socket.destroy();
    if (socket.destroyed || method === 'HEAD') {
      this.takeOver(reply).end();
      return;
    }
    const onFailure = (error: unknown): void => this.logger.error(error, Streams.name);
    const options = { session, address, cursor, reader: this.reader, onFailure };
    const stream = new StreamConnection(reply.raw, options);
    this.audience.add(stream);
    this.open.add(stream);
    reply.raw.once('close', () => {
      this.open.delete(stream);
      this.audience.remove(stream);
    });
    this.takeOver(reply).write(`retry: ${RETRY_MS}\n\n`);
    await stream.begin();
  }

  private takeOver(reply: HttpReply): ServerResponse {
    platformOf(this.host.httpAdapter).takeOver(reply);
    return reply.raw.writeHead(200, { ...reply.getHeaders(), ...HEADERS } as OutgoingHttpHeaders);
  }

  /** A new stream begins with messages stored from now on. */
  private async cursorOfNow(session: SubscriberSession): Promise<StreamCursor> {
    const now = this.clock.now().getTime();
    const cursor = new StreamCursor(now);
    const page = { from: new Date(now - OVERLAP_MS), limit: MAX_RECENT };
    for (const key of await this.reader.keysSince(session, session.subscriber.id, page)) cursor.add(key);
    return cursor;
  }
}
