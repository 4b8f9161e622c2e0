import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiErrors,
  type CallingSubscriber,
  ForSubscribers,
  type HttpReply,
  type HttpRequest,
  Subscriber,
  Tenant,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { StreamQuery } from './stream.dto.js';
import { Streams } from './streams.js';
import { RealTimeOff, TooManyConnections } from './real-time.errors.js';

@ApiTags('Browser clients')
@Controller({ path: 'inbox', version: '1' })
@ForSubscribers({ ticketInQuery: true })
export class StreamController {
  constructor(private readonly streams: Streams) {}

  /**
   * Streams new messages and counts.
   * @remarks Server-sent events: `message` with a new in-app message, `counts` with the numbers of unseen and unread
   * messages after each change. A client that returns with `Last-Event-ID` gets what it has missed.
   */
  @Get('stream')
  @ApiOkResponse({
    description: 'Events, until either side ends the connection.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiHeader({ name: 'last-event-id', required: false, description: 'The id of the last event. Browsers send it.' })
  @ApiErrors(RealTimeOff, TooManyConnections)
  streamInbox(
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
    @Tenant() { organizationId, environmentId }: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Query() { lastEventId }: StreamQuery,
    @Headers('last-event-id') lastEventHeader?: string,
  ): Promise<void> {
    const session = { subscriber, organizationId, environmentId };
    // A browser that reconnects by itself repeats the query of its first request.
    return this.streams.serve(reply, { session, address: request.ip, lastEventId: lastEventHeader ?? lastEventId });
  }
}
