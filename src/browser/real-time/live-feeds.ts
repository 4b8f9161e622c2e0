import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppLogger } from '#libs/http-kit';
import { type FeedChange, FeedSignals, LiveFeedReader, NO_MESSAGES } from '../../engine/messages/live/index.js';
import type { SubscriberSession } from '../subscriber-sessions/index.js';
import { Audience, type Connection } from './audience.js';
import { ProcessLink } from './process-link.js';

/** At most one update per subscriber in this time. */
const MIN_INTERVAL_MS = 200;
/** Browsers read further messages from the feed. */
const MAX_MESSAGES = 20;
/** Subscribers per read. */
const BATCH = 100;
/** After a failure of the store. */
const RETRY_MS = 1_000;

interface PendingUpdate {
  storedIds: string[];
  hasSkipped: boolean;
  unseen: boolean;
  unread: boolean;
  /** They get the counts even if nothing changes. */
  readonly newcomers: Set<Connection>;
  timer?: NodeJS.Timeout;
}

interface FeedNews extends Pick<FeedChange, 'storedIds' | 'unseen' | 'unread'> {
  readonly hasSkipped?: boolean;
  readonly newcomers?: Iterable<Connection>;
}

/**
 * Merges changes that come faster than they can be read or may be sent, so that they do not multiply reads and events.
 */
@Injectable()
export class LiveFeeds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly pending = new Map<string, PendingUpdate>();
  private readonly ready = new Set<string>();
  private readonly lastSentAt = new Map<string, number>();
  private isPumping = false;
  private isClosed = false;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly audience: Audience,
    private readonly reader: LiveFeedReader,
    private readonly signals: FeedSignals,
    private readonly link: ProcessLink,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.stopListening = this.signals.listen((changes) => this.receive(changes));
    this.link.onChanges((changes) => this.receive(changes));
    this.link.onRestored(() => this.refreshAll());
    this.audience.watchConnections((connection) => this.greet(connection));
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    this.stopListening();
    for (const { timer } of this.pending.values()) clearTimeout(timer);
  }

  /** Announcements of other processes were lost: all browsers get current counts and look for new messages. */
  private refreshAll(): void {
    for (const id of this.audience.subscribers()) {
      this.merge(id, { hasSkipped: true, unseen: true, unread: true });
    }
  }

  /** The browser may have read its counts before a change, or missed changes while disconnected. */
  private greet(connection: Connection): void {
    this.merge(connection.session.subscriber.id, { newcomers: [connection] });
  }

  private receive(changes: readonly FeedChange[]): void {
    for (const { environmentId, subscriberId, storedIds = [], unseen = false, unread = false } of changes) {
      if (this.audience.sessionOf(subscriberId)?.environmentId !== environmentId) continue;
      this.merge(subscriberId, { storedIds, unseen, unread });
    }
  }

  private merge(id: string, more: FeedNews): void {
    const known = this.pending.get(id);
    const update = known ?? { storedIds: [], hasSkipped: false, unseen: false, unread: false, newcomers: new Set() };
    update.storedIds.push(...(more.storedIds ?? []));
    update.hasSkipped ||= more.hasSkipped === true || update.storedIds.length > MAX_MESSAGES;
    update.storedIds = update.storedIds.slice(-MAX_MESSAGES);
    update.unseen ||= more.unseen === true;
    update.unread ||= more.unread === true;
    for (const connection of more.newcomers ?? []) update.newcomers.add(connection);
    if (known !== undefined) return;
    this.pending.set(id, update);
    this.schedule(id, update, (this.lastSentAt.get(id) ?? 0) + MIN_INTERVAL_MS - performance.now());
  }

  private schedule(id: string, update: PendingUpdate, waitMs: number): void {
    const due = (): void => {
      this.ready.add(id);
      this.pump();
    };
    if (waitMs > 0) update.timer = setTimeout(due, waitMs);
    else due();
  }

  /** One batch at a time: while the store is slow, changes are merged. */
  private pump(): void {
    if (this.isPumping || this.isClosed || this.ready.size === 0) return;
    this.isPumping = true;
    // Later in this turn, so that changes announced together are read together.
    setImmediate(() => {
      void this.sendBatch().finally(() => {
        this.isPumping = false;
        this.pump();
      });
    });
  }

  private async sendBatch(): Promise<void> {
    await Promise.all(Array.from(groupByEnvironment(this.takeBatch()), (group) => this.sendOrRetry(group)));
  }

  /** The others of the batch have got theirs, and must not get it twice. */
  private async sendOrRetry(group: readonly Due[]): Promise<void> {
    try {
      await this.sendGroup(group);
    } catch (error) {
      this.logger.error(error, LiveFeeds.name);
      for (const { id, update } of group) this.retry(id, update);
    }
  }

  private takeBatch(): Due[] {
    const batch: Due[] = [];
    for (const id of this.ready) {
      if (batch.length === BATCH) break;
      this.ready.delete(id);
      const update = this.pending.get(id);
      this.pending.delete(id);
      const session = this.audience.sessionOf(id);
      if (update === undefined || session === undefined) continue;
      this.lastSentAt.set(id, performance.now());
      batch.push({ id, update, session });
    }
    this.forgetIntervals();
    return batch;
  }

  private async sendGroup([first, ...others]: readonly Due[]): Promise<void> {
    if (first === undefined) return;
    const group = [first, ...others];
    const storedIds = group.flatMap(({ update }) => update.storedIds);
    const idsOf = (kind: 'unseen' | 'unread'): string[] =>
      group.filter(({ update }) => update[kind] || update.newcomers.size > 0).map(({ id }) => id);
    const [messages, unseen, unread] = await Promise.all([
      this.reader.messagesByIds(first.session, storedIds),
      this.reader.countUnseen(first.session, idsOf('unseen')),
      this.reader.countUnread(first.session, idsOf('unread')),
    ]);
    for (const { id, update } of group) {
      const counts = { unseen: unseen.get(id) ?? NO_MESSAGES, unread: unread.get(id) ?? NO_MESSAGES };
      this.audience.deliver(id, {
        messages: messages.get(id) ?? [],
        hasSkipped: update.hasSkipped,
        ...(update.unseen && { unseen: counts.unseen }),
        ...(update.unread && { unread: counts.unread }),
      });
      for (const newcomer of update.newcomers) newcomer.deliver({ messages: [], hasSkipped: false, ...counts });
    }
  }

  private retry(id: string, update: PendingUpdate): void {
    if (this.isClosed) return;
    this.lastSentAt.set(id, performance.now() + RETRY_MS);
    this.merge(id, update);
  }

  private forgetIntervals(): void {
    if (this.lastSentAt.size < 2 * BATCH) return;
    const over = performance.now() - MIN_INTERVAL_MS;
    for (const [id, sentAt] of this.lastSentAt) if (sentAt < over) this.lastSentAt.delete(id);
  }
}

interface Due {
  readonly id: string;
  readonly update: PendingUpdate;
  readonly session: SubscriberSession;
}

function groupByEnvironment(batch: readonly Due[]): Iterable<Due[]> {
  const groups = new Map<string, Due[]>();
  for (const due of batch) {
    const { environmentId } = due.session;
    groups.set(environmentId, [...(groups.get(environmentId) ?? []), due]);
  }
  return groups.values();
}
