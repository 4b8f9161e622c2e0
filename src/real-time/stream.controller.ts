import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiErrors,
  type CallingSubscriber,
  ForSubscribers,
  type HttpReply,
  type HttpRequest,
  OptionalString,
  Subscriber,
  Tenant,
} from '#libs/http-kit';
import type { TenantContext } from '#libs/common';
import { Streams } from './streams.js';

const MAX_TOKEN_LENGTH = 8_192;
const MAX_EVENT_ID_LENGTH = 2_048;

class StreamQuery {
  /** The session token, for clients that cannot send an `Authorization` header. */
  @OptionalString(MAX_TOKEN_LENGTH)
  token?: string;

  /** The id of the last event, for clients that cannot send a `Last-Event-ID` header. */
  @OptionalString(MAX_EVENT_ID_LENGTH)
  lastEventId?: string;
}

@ApiTags('Browser clients')
@Controller({ path: 'inbox', version: '1' })
@ForSubscribers({ tokenInQuery: true })
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
  @ApiErrors(400, 401, 404, 429)
  streamInbox(
    @Req() request: HttpRequest,
    @Res() reply: HttpReply,
    @Tenant() { organizationId, environmentId }: TenantContext,
    @Subscriber() subscriber: CallingSubscriber,
    @Query() { lastEventId }: StreamQuery,
    @Headers('last-event-id') lastEventHeader?: string,
  ): Promise<void> {
    const session = { subscriber, organizationId, environmentId };
    // A browser that returns by itself repeats the query of its first request.
    return this.streams.serve(reply, { session, address: request.ip, lastEventId: lastEventHeader ?? lastEventId });
  }
}
