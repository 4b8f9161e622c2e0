import { setTimeout as pause } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { Background } from '#libs/work';
import type { Engagement, EngagementKind } from '../../engine/messages/records/index.js';
import { EarlyEngagements, MessageReports } from '../../engine/messages/reports/index.js';
import type { LinkClaims } from '../../platform/recipient-links/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';
import { EngagementTeller } from './engagement-teller.js';

/** The person waits for the page, not for the record. */
const MAX_WAIT_MS = 1_000;

/** Changes the message as reports of providers do, and tells the same listeners. */
@Injectable()
export class RecordedEngagements implements BeforeApplicationShutdown {
  constructor(
    private readonly messages: MessageReports,
    private readonly early: EarlyEngagements,
    private readonly subscribers: SubscribersService,
    private readonly teller: EngagementTeller,
    private readonly background: Background,
    private readonly clock: Clock,
  ) {}

  /** Resolves when it is recorded, or has taken too long, or cannot be recorded: never rejects. */
  async record(claims: LinkClaims, kind: EngagementKind, machine: boolean): Promise<void> {
    const { target: url } = claims;
    const engagement = { at: this.clock.now(), machine, ...(url !== undefined && { url }) };
    const recorded = new Promise<void>((resolve) => {
      this.background.start(() => this.write(claims, kind, engagement).finally(resolve));
    });
    await Promise.race([recorded, pause(MAX_WAIT_MS, undefined, { ref: false })]);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.background.settle();
  }

  private async write(claims: LinkClaims, kind: EngagementKind, engagement: Engagement): Promise<void> {
    const message = await this.messages.findById(claims, claims.messageId);
    if (message !== undefined) return this.teller.record(message, kind, engagement);
    // It is not stored yet, or no longer; its links lead on. Nothing is kept of people who are deleted.
    const isKnown = (await this.subscribers.findByIds(claims, [claims.subscriberId])).size > 0;
    if (isKnown) await this.early.keep(claims, kind, engagement);
  }
}
