export interface OutboundRequest {
  url: string;
  /** Default `POST` with a body and `GET` without. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Time for the whole exchange, redirects and body included, in milliseconds; 15,000 when there is no signal either. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** True where only the status counts: then a body over the limit is cut instead of refused. */
  cutsBody?: boolean;
  /** True for addresses that are fixed in code or by the operator; everything else is checked (decisions 6.6a). */
  trusted?: boolean;
}

export interface OutboundResponse {
  status: number;
  /** Header names in lower case. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The body as JSON; `undefined` when it is none. */
  json(): unknown;
}

/** The one way out over HTTP. Throws `ProviderError` for refused addresses, time-outs and network faults, never for a status. */
export interface OutboundHttp {
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Closes kept connections. */
  close(): Promise<void>;
}
