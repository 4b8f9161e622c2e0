import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock, OnDomainEvent } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { SubscriberDeleted, SubscriberSummaries } from '../subscribers/index.js';
import { Audience } from './audience.js';
import { ProcessLink } from './process-link.js';

const SWEEP_MS = 5_000;
/** Deletions are announced; this finds those whose announcement was lost. */
const SWEEPS_PER_LOOKUP = 12;
const LOOKUP_BATCH = 1_000;

/** Ends connections whose token has expired or whose subscriber was deleted. */
@Injectable()
export class SessionWatch implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private sweeps = 0;

  constructor(
    private readonly audience: Audience,
    private readonly link: ProcessLink,
    private readonly summaries: SubscriberSummaries,
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

  sweep(): void {
    const now = this.clock.now();
    for (const connection of [...this.audience.connections()]) {
      if (connection.session.subscriber.expiresAt <= now) connection.end();
    }
    this.sweeps += 1;
    if (this.sweeps % SWEEPS_PER_LOOKUP !== 0) return;
    this.endUnknown().catch((error: unknown) => this.logger.error(error, SessionWatch.name));
  }

  private async endUnknown(): Promise<void> {
    const byEnvironment = new Map<string, string[]>();
    for (const id of this.audience.subscribers()) {
      const { environmentId = '' } = this.audience.sessionOf(id) ?? {};
      byEnvironment.set(environmentId, [...(byEnvironment.get(environmentId) ?? []), id]);
    }
    for (const [environmentId, ids] of byEnvironment) {
      for (let from = 0; from < ids.length; from += LOOKUP_BATCH) {
        const batch = ids.slice(from, from + LOOKUP_BATCH);
        const known = await this.summaries.byIds({ environmentId }, batch);
        for (const id of batch) if (!known.has(id)) this.audience.end(id);
      }
    }
  }
}
