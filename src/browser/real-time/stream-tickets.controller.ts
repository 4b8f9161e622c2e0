import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, type CallingSubscriber, ForSubscribers, shown, Subscriber, Tenant } from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { StreamTickets } from '../subscriber-sessions/index.js';

export class StreamTicketResponse {
  /** The ticket, for one request. */
  ticket: string;
  /** When it ends unused. */
  expiresAt: Date;
}

@ApiTags('Browser clients')
@Controller({ path: 'inbox/stream-tickets', version: '1' })
@ForSubscribers()
export class StreamTicketsController {
  constructor(private readonly tickets: StreamTickets) {}

  /**
   * Gets a ticket for one stream.
   * @remarks An `EventSource` cannot send headers, and URLs end up in logs. So it names a ticket,
   * `/v1/inbox/stream?ticket=…`, which can be used once, within a minute.
   */
  @Post()
  @ApiData(201, StreamTicketResponse)
  async createStreamTicket(
    @Tenant() { organizationId, environmentId }: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
  ): Promise<StreamTicketResponse> {
    const { ticket, expiresAt } = await this.tickets.issue({ subscriber, organizationId, environmentId });
    return shown(StreamTicketResponse, { ticket, expiresAt });
  }
}
