import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import { Page, type PageQuery } from '#libs/http-kit';
import { EventIntake } from '../delivery/index.js';
import { EventOutcomes } from './event-outcomes.js';
import { type EventResponse, showAcceptedEvent, showRefusedTrigger } from './event.response.js';
import { EventNotFound } from './events.errors.js';
import { RefusedTriggers } from './refused-triggers.js';

@Injectable()
export class EventLookup {
  constructor(
    private readonly intake: EventIntake,
    private readonly refused: RefusedTriggers,
    private readonly outcomes: EventOutcomes,
  ) {}

  async get(tenant: TenantContext, transactionId: string): Promise<EventResponse> {
    const event = await this.intake.find(tenant, transactionId);
    if (event !== null) return showAcceptedEvent(event, await this.outcomes.of(event));
    const refused = await this.refused.find(tenant, transactionId);
    if (refused === null) throw new EventNotFound(transactionId);
    return showRefusedTrigger(refused);
  }

  async listRefused(tenant: TenantContext, { page, limit }: PageQuery): Promise<Page<EventResponse>> {
    const { rows, hasMore } = await this.refused.page(tenant, page, limit);
    return new Page(
      rows.map((row) => showRefusedTrigger(row)),
      page,
      limit,
      hasMore,
    );
  }
}
