export interface OutboundRequest {
  url: string;
  /** Default `POST` with a body and `GET` without. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Time for the whole exchange, redirects and body included, in milliseconds; 15,000 when there is no signal either. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** True where the status counts more than the body: one over the limit, or that breaks off, is cut instead of an error. */
  cutsBody?: boolean;
  /** True for addresses that are fixed in code or by the operator; everything else is checked. */
  trusted?: boolean;
  /** Called before the first byte of the request is written to a connection: from then on the other side may have it. */
  onWrite?: () => void;
}

export interface OutboundResponse {
  status: number;
  /** Header names in lower case. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The body ended too early, or is longer than what is read of one. */
  isCut: boolean;
  /** The body as JSON; `undefined` when it is none. */
  json(): unknown;
}

/**
 * The client for all outbound HTTP. Throws `ProviderError` for refused addresses, time-outs and network faults, never for
 * a status; its `outcome` is `not_sent` when no byte was written. Injected by class.
 */
export abstract class OutboundHttp {
  abstract request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Closes kept connections. */
  abstract close(): Promise<void>;
}
