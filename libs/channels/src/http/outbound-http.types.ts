export interface OutboundRequest {
  url: string;
  /** By default `POST` with a body and `GET` without. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Milliseconds for the whole exchange, redirects and body included; 15,000 if there is no signal either. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** The status counts more than the body: an oversized or interrupted body is cut instead of an error. */
  cutsBody?: boolean;
  /** The address is fixed in code or by the operator. All others are checked. */
  trusted?: boolean;
  /** The request has secrets: a redirect to another origin is an error. */
  staysAtOrigin?: boolean;
  /** Called before the first byte is written to a connection: from then on the receiver may have the request. */
  onWrite?: () => void;
}

export interface OutboundResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The body ended early or exceeds the limit. */
  isCut: boolean;
  /** Undefined if the body is not JSON. */
  json(): unknown;
}

/**
 * The client for all outbound HTTP.
 * @throws {ProviderError} for forbidden addresses, timeouts and network faults, never for a status; its `outcome` is
 *   `not_sent` if no byte was written
 */
export abstract class OutboundHttp {
  abstract request(request: OutboundRequest): Promise<OutboundResponse>;
  abstract close(): Promise<void>;
}
