import { OptionalString } from '#libs/http-kit';

const MAX_TICKET_LENGTH = 255;
const MAX_EVENT_ID_LENGTH = 2_048;

export class StreamQuery {
  /** A ticket of POST /v1/inbox/stream-tickets, for clients that cannot send an `Authorization` header. */
  @OptionalString(MAX_TICKET_LENGTH)
  ticket?: string;

  /** The id of the last event, for clients that cannot send a `Last-Event-ID` header. */
  @OptionalString(MAX_EVENT_ID_LENGTH)
  lastEventId?: string;
}
