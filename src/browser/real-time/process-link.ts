import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { DefaultEventsMap, Server, ServerOptions } from 'socket.io';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { RedisState } from '#libs/work';
import { type FeedChange, FeedSignals } from '../../engine/messages/live/index.js';
import type { SubscriberSession } from '../subscriber-sessions/index.js';
import type { AdapterLink } from './redis-adapter.js';

interface ProcessEvents {
  feeds: (changes: readonly FeedChange[]) => void;
  ended: (subscriberIds: readonly string[]) => void;
  /** Some of the above could not be sent. */
  dropped: () => void;
}

interface SocketData {
  session?: SubscriberSession;
}

export type SocketServer = Server<DefaultEventsMap, DefaultEventsMap, ProcessEvents, SocketData>;

const PATH = '/socket.io/';
/** Browsers send only a token and answers to pings. */
const MAX_INCOMING_BYTES = 16_384;
/** Connections without a valid token are closed after this time. */
export const CONNECT_TIMEOUT_MS = 10_000;

const OPTIONS: Partial<ServerOptions> = {
  path: PATH,
  transports: ['websocket'],
  serveClient: false,
  maxHttpBufferSize: MAX_INCOMING_BYTES,
  connectTimeout: CONNECT_TIMEOUT_MS,
  pingInterval: 25_000,
  pingTimeout: 20_000,
};

export function isSocketPath(url = ''): boolean {
  return url.startsWith(PATH);
}

/** Loaded at first use. Changes are announced to the other processes over Redis. */
@Injectable()
export class ProcessLink implements OnApplicationBootstrap, OnApplicationShutdown {
  private opening: Promise<SocketServer> | undefined;
  private linked: SocketServer | undefined;
  private adapterLink: AdapterLink | undefined;
  private stopListening: () => void = () => undefined;
  private receiveChanges: ProcessEvents['feeds'] = () => undefined;
  private receiveEnded: ProcessEvents['ended'] = () => undefined;
  private restored: () => void = () => undefined;

  constructor(
    private readonly config: AppConfig,
    private readonly signals: FeedSignals,
    private readonly logger: AppLogger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.get('REAL_TIME') === 'off') return;
    if (this.config.get('REDIS_URL') === undefined) return;
    this.linked = await this.open();
    this.stopListening = this.signals.listen((changes) => this.linked?.serverSideEmit('feeds', changes));
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopListening();
    const server = await this.opening;
    this.linked = undefined;
    await server?.of('/').adapter.close();
    this.adapterLink?.close();
  }

  /** Not attached to a port yet. */
  open(): Promise<SocketServer> {
    return (this.opening ??= this.load());
  }

  announceEnded(subscriberIds: readonly string[]): void {
    this.linked?.serverSideEmit('ended', subscriberIds);
  }

  onChanges(listener: ProcessEvents['feeds']): void {
    this.receiveChanges = listener;
  }

  onEnded(listener: ProcessEvents['ended']): void {
    this.receiveEnded = listener;
  }

  /** Announcements work again after some were lost. */
  onRestored(listener: () => void): void {
    this.restored = listener;
  }

  private async load(): Promise<SocketServer> {
    // On demand, because a process without browsers needs none of it.
    const [{ Server }, adapter] = await Promise.all([import('socket.io'), this.loadAdapter()]);
    const server: SocketServer = new Server({ ...OPTIONS, ...(adapter && { adapter }) });
    server.on('feeds', (changes) => this.receiveChanges(changes));
    server.on('ended', (subscriberIds) => this.receiveEnded(subscriberIds));
    server.on('dropped', () => this.restored());
    return server;
  }

  private async loadAdapter(): Promise<ServerOptions['adapter'] | undefined> {
    const url = this.config.get('REDIS_URL');
    if (url === undefined) return undefined;
    const { openRedisAdapter } = await import('./redis-adapter.js');
    this.adapterLink = openRedisAdapter(url, {
      state: new RedisState('browsers get only changes of their own process.', ({ level, text, reason }) =>
        this.logger.event(level, text, reason === undefined ? {} : { reason }),
      ),
      onRestored: (hasDropped) => {
        this.restored();
        if (hasDropped) this.linked?.serverSideEmit('dropped');
      },
    });
    return this.adapterLink.adapter;
  }
}
