import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock, OnDomainEvent } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { SessionsEnded, SubscriberSessionsService } from '../subscriber-sessions/index.js';
import { SubscriberDeleted } from '../../audience/subscribers/index.js';
import { Audience, type Connection } from './audience.js';
import { ProcessLink } from './process-link.js';

const SWEEP_MS = 5_000;
/** Sweeps catch lost announcements and ends of whole environments. */
const SWEEPS_PER_LOOKUP = 12;
const LOOKUP_BATCH = 1_000;

/** Closes connections with an expired token, ended session or deleted subscriber. */
@Injectable()
export class SessionWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private sweeps = 0;
  private readonly known = new WeakSet<Connection>();
  /** First seen by the last sweep. Their sessions may have ended while they were opened. */
  private young: readonly Connection[] = [];

  constructor(
    private readonly audience: Audience,
    private readonly link: ProcessLink,
    private readonly sessions: SubscriberSessionsService,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.get('REAL_TIME') === 'off') return;
    this.link.onEnded((subscriberIds) => {
      for (const id of subscriberIds) this.audience.end(id);
    });
    this.timer = setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  @OnDomainEvent(SubscriberDeleted)
  endDeleted({ id }: SubscriberDeleted): void {
    this.audience.end(id);
    this.link.announceEnded([id]);
  }

  @OnDomainEvent(SessionsEnded)
  endSessions({ environmentId, id }: SessionsEnded): void {
    const ids = id === undefined ? this.subscribersOf(environmentId) : [id];
    for (const one of ids) this.audience.end(one);
    // For a whole environment, the other processes sweep by themselves.
    if (id !== undefined) this.link.announceEnded([id]);
  }

  private subscribersOf(environmentId: string): string[] {
    return [...this.audience.subscribers()].filter(
      (id) => this.audience.sessionOf(id)?.environmentId === environmentId,
    );
  }

  sweep(): void {
    const now = this.clock.now();
    const connections = [...this.audience.connections()];
    for (const connection of connections) {
      if (connection.session.subscriber.expiresAt <= now) connection.end();
    }
    this.sweeps += 1;
    const due = this.sweeps % SWEEPS_PER_LOOKUP === 0 ? connections : this.young;
    // Looked up by the next sweep, when no cache has an older state.
    this.young = connections.filter((connection) => !this.known.has(connection));
    for (const connection of this.young) this.known.add(connection);
    this.endEnded(due).catch((error: unknown) => this.logger.error(error, SessionWatch.name));
  }

  private async endEnded(connections: readonly Connection[]): Promise<void> {
    for (let from = 0; from < connections.length; from += LOOKUP_BATCH) {
      const batch = connections.slice(from, from + LOOKUP_BATCH);
      const ended = await this.sessions.endedAmong(batch.map(({ session }) => session));
      for (const connection of batch) if (ended.has(connection.session)) connection.end();
    }
  }
}
