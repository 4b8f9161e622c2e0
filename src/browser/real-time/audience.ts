import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import type { FeedCount, UnreadCount } from '../../engine/messages/live/index.js';
import type { LiveMessage } from '../../engine/messages/views/index.js';
import { networkOf } from '#libs/http-kit';
import { type SubscriberSession } from '../subscriber-sessions/index.js';
import { TooManyConnections } from './real-time.errors.js';

export interface FeedUpdate {
  /** Oldest first. */
  readonly messages: readonly LiveMessage[];
  /** The browser finds further messages when it reads the feed. */
  readonly hasSkipped: boolean;
  readonly unseen?: FeedCount;
  readonly unread?: UnreadCount;
}

/** None of the methods waits or throws. */
export interface Connection {
  readonly session: SubscriberSession;
  /** IP address of the client. */
  readonly address: string;
  deliver(update: FeedUpdate): void;
  /** The session is over; the browser must not return with its token. */
  end(): void;
}

type PresenceListener = (session: SubscriberSession, isConnected: boolean) => void;

/** Of this process. */
@Injectable()
export class Audience {
  private readonly bySubscriber = new Map<string, Set<Connection>>();
  private readonly byAddress = new Map<string, number>();
  private readonly perSubscriber: number;
  private readonly perAddress: number;
  private onPresence: PresenceListener = () => undefined;
  private onConnection: (connection: Connection) => void = () => undefined;

  constructor(config: AppConfig) {
    this.perSubscriber = config.get('REAL_TIME_PER_SUBSCRIBER');
    this.perAddress = config.get('REAL_TIME_PER_ADDRESS') || Number.POSITIVE_INFINITY;
  }

  /** When the first connection of a subscriber opens and when the last one closes. */
  watchPresence(listener: PresenceListener): void {
    this.onPresence = listener;
  }

  watchConnections(listener: (connection: Connection) => void): void {
    this.onConnection = listener;
  }

  assertRoom({ session, address }: Pick<Connection, 'session' | 'address'>): void {
    const own = this.bySubscriber.get(session.subscriber.id)?.size ?? 0;
    const fromAddress = this.byAddress.get(networkOf(address)) ?? 0;
    if (own >= this.perSubscriber || fromAddress >= this.perAddress) throw new TooManyConnections();
  }

  add(connection: Connection): void {
    this.assertRoom(connection);
    const { session } = connection;
    const network = networkOf(connection.address);
    const own = this.bySubscriber.get(session.subscriber.id) ?? new Set();
    own.add(connection);
    this.byAddress.set(network, (this.byAddress.get(network) ?? 0) + 1);
    this.bySubscriber.set(session.subscriber.id, own);
    if (own.size === 1) this.onPresence(session, true);
    this.onConnection(connection);
  }

  remove(connection: Connection): void {
    const { session } = connection;
    const network = networkOf(connection.address);
    const own = this.bySubscriber.get(session.subscriber.id);
    if (own?.delete(connection) !== true) return;
    const fromAddress = (this.byAddress.get(network) ?? 1) - 1;
    if (fromAddress > 0) this.byAddress.set(network, fromAddress);
    else this.byAddress.delete(network);
    if (own.size > 0) return;
    this.bySubscriber.delete(session.subscriber.id);
    this.onPresence(session, false);
  }

  get isEmpty(): boolean {
    return this.bySubscriber.size === 0;
  }

  /** Any session of a connected subscriber. @param id record id */
  sessionOf(id: string): SubscriberSession | undefined {
    return this.bySubscriber.get(id)?.values().next().value?.session;
  }

  *connections(): Generator<Connection> {
    for (const own of this.bySubscriber.values()) yield* own;
  }

  /** Record ids. */
  subscribers(): Iterable<string> {
    return this.bySubscriber.keys();
  }

  deliver(id: string, update: FeedUpdate): void {
    for (const connection of this.bySubscriber.get(id) ?? []) connection.deliver(update);
  }

  end(id: string): void {
    for (const connection of [...(this.bySubscriber.get(id) ?? [])]) connection.end();
  }
}
