import { OptionalString } from '#libs/http-kit';

const MAX_TOKEN_LENGTH = 8_192;
const MAX_EVENT_ID_LENGTH = 2_048;

export class StreamQuery {
  /** The session token, for clients that cannot send an `Authorization` header. */
  @OptionalString(MAX_TOKEN_LENGTH)
  token?: string;

  /** The id of the last event, for clients that cannot send a `Last-Event-ID` header. */
  @OptionalString(MAX_EVENT_ID_LENGTH)
  lastEventId?: string;
}
